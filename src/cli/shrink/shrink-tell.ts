/** Output of `shrink`: size, nearest passing scenario, and files. */

import { counted } from "../../invariants/words.ts";
import type { Paint } from "../../report/paint.ts";
import type { Shrunk } from "../../search/shrink/shrink.ts";
import type { Search } from "../../search/shrink/sibling.ts";
import { explains } from "../quoted.ts";
import { passingFile, runsAgain, siblingWords } from "./shrunk-files.ts";

/** Result of minimizing a file. */
export interface ToldShrunk {
  readonly shrunk: Shrunk;
  readonly search: Search;
  /** Input file, and its number of steps. */
  readonly path: string;
  readonly before: number;
  /** Scenario that was written, and all written files. */
  readonly out: string;
  readonly names: readonly string[];
}

/** Returns the JSON line. */
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

/** Returns the summary for people. */
export function shrunkText({ shrunk, search, before, out, names }: ToldShrunk, paint: Paint): string {
  const { scenario, seed, place, result, runs, isSmallest } = shrunk;
  const end = isSmallest ? "1-minimal" : "not proved 1-minimal (run limit reached)";
  const left = `${counted(before, "step")} reduced to ${scenario.steps?.length ?? 0} in ${counted(runs, "run")}`;
  const lines = [
    `${paint("bad", place.invariant)}: ${left}; ${end}`,
    result.reason.split("\n")[0] ?? "",
    ...siblingWords(search),
    `${paint("dim", "wrote:")} ${names.join(", ")}`,
    `${paint("dim", "reproduce:")} ${runsAgain(out, seed)}`,
    `${paint("dim", "explain:")} ${explains(out, seed)}`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}
