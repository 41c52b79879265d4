/** Output of `shrink`: size, nearest passing scenario, and files. */

import { countText } from "../../invariants/text.ts";
import type { Paint } from "../../report/paint.ts";
import type { NearestSearch } from "../../search/shrink/nearest-passing.ts";
import type { Shrunk } from "../../search/shrink/shrink.ts";
import { explainCommand } from "../commands.ts";
import { nearestPassingText, passingFile, runsAgain } from "./shrunk-files.ts";

/** Result of minimizing a file. */
export interface ShrinkReport {
  readonly shrunk: Shrunk;
  readonly search: NearestSearch;
  /** Input file, and its number of steps. */
  readonly path: string;
  readonly before: number;
  /** Scenario that was written, and all written files. */
  readonly out: string;
  readonly names: readonly string[];
}

/** Returns the JSON line. */
export function shrinkLine({ shrunk, search, path, before, out }: ShrinkReport): string {
  const { scenario, seed, signature, result, runs, isMinimal: isSmallest } = shrunk;
  const { verdict, reason } = result;
  const found = {
    seed,
    invariant: signature.invariant,
    verdict,
    reason,
    steps: scenario.steps?.length ?? 0,
    steps_before: before,
    runs,
    smallest: isSmallest,
  };
  const { nearest: sibling, runs: tried } = search;
  const nearest = sibling && { file: passingFile(out), change: sibling.edit, when: sibling.difference.text };
  const more = { passing: nearest ?? null, tried, replay: runsAgain(out, seed) };
  return `${JSON.stringify({ type: "shrunk", from: path, file: out, ...found, ...more })}\n`;
}

/** Returns the summary for people. */
export function shrinkText({ shrunk, search, before, out, names }: ShrinkReport, paint: Paint): string {
  const { scenario, seed, signature, result, runs, isMinimal: isSmallest } = shrunk;
  const end = isSmallest ? "1-minimal" : "not proved 1-minimal (run limit reached)";
  const left = `${countText(before, "step")} reduced to ${scenario.steps?.length ?? 0} in ${countText(runs, "run")}`;
  const lines = [
    `${paint("bad", signature.invariant)}: ${left}; ${end}`,
    result.reason.split("\n")[0] ?? "",
    ...nearestPassingText(search),
    `${paint("dim", "wrote:")} ${names.join(", ")}`,
    `${paint("dim", "reproduce:")} ${runsAgain(out, seed)}`,
    `${paint("dim", "explain:")} ${explainCommand(out, seed)}`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}
