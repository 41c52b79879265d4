/** What `shrink` prints: how small it became, how near it is to what passes, and where that stands. */

import type { Paint } from "../../report/paint.ts";
import type { Shrunk } from "../../search/shrink/shrink.ts";
import type { Search } from "../../search/shrink/sibling.ts";
import { explains } from "../quoted.ts";
import { passingFile, runsAgain, siblingWords } from "./shrunk-files.ts";

/** What came of shrinking a file. */
export interface ToldShrunk {
  readonly shrunk: Shrunk;
  readonly search: Search;
  /** The file that was read, and its steps. */
  readonly path: string;
  readonly before: number;
  /** The scenario that was written, and everything that was. */
  readonly out: string;
  readonly names: readonly string[];
}

/** The line for programs. */
export function shrunkLine({ shrunk, search, path, before, out }: ToldShrunk): string {
  const { scenario, seed, place, result, runs, isSmallest } = shrunk;
  const { verdict, reason } = result;
  const found = {
    seed,
    invariant: place.invariant,
    verdict,
    reason,
    steps: scenario.steps?.length ?? 0,
    steps_before: before,
    runs,
    smallest: isSmallest,
  };
  const { sibling, runs: tried } = search;
  const nearest = sibling && { file: passingFile(out), change: sibling.change, when: sibling.difference.words };
  const more = { passing: nearest ?? null, tried, replay: runsAgain(out, seed) };
  return `${JSON.stringify({ type: "shrunk", from: path, file: out, ...found, ...more })}\n`;
}

/** The end for people. */
export function shrunkText({ shrunk, search, before, out, names }: ToldShrunk, paint: Paint): string {
  const { scenario, seed, place, result, runs, isSmallest } = shrunk;
  const end = isSmallest ? "nothing more goes" : "there may be smaller ones";
  const left = `${scenario.steps?.length ?? 0} of ${before} steps are left after ${runs} runs`;
  const lines = [
    `${paint("bad", place.invariant)}: ${left}; ${end}`,
    result.reason.split("\n")[0] ?? "",
    ...siblingWords(search),
    `${paint("dim", "wrote:")} ${names.join(", ")}`,
    `${paint("dim", "again:")} ${runsAgain(out, seed)}`,
    `${paint("dim", "in words:")} ${explains(out, seed)}`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}
