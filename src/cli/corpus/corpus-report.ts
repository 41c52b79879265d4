/** Output of `corpus`: added and removed scenarios, and their total coverage. */
import { countText } from "../../invariants/text.ts";
import type { CorpusScenario } from "../../search/corpus/corpus.ts";
import type { Output } from "../output.ts";
import { without } from "./corpus-folder.ts";

/** Result of the command. */
export interface CorpusReport {
  readonly folder: string;
  readonly before: readonly CorpusScenario[];
  readonly scenarios: readonly CorpusScenario[];
  /** Files that do not pass. */
  readonly failed: readonly string[];
  /** Number of seeds that were run. */
  readonly seeds: number;
}

/** Returns the JSON line. */
export function corpusLine(kept: CorpusReport): string {
  const { folder, before, scenarios: members, failed, seeds } = kept;
  const [added, removed] = [namesOf(without(members, before)), namesOf(without(before, members))];
  const facts = { seeds, runs: members.length, reached: reachedBy(members), added, removed, failed };
  return `${JSON.stringify({ type: "corpus", folder, ...facts })}\n`;
}

/** Returns the whole output, or with `quiet` only files that do not pass. */
export function corpusText(
  { before, scenarios: members, failed, seeds }: CorpusReport,
  { quiet, paint }: Pick<Output, "quiet" | "paint">,
): string {
  const fails = failed.map((path) => `${paint("bad", "fails")}    ${path}\n`);
  if (quiet) return fails.join("");
  return [
    ...namesOf(without(members, before)).map((name) => `${paint("good", "added")}    ${name}\n`),
    ...namesOf(without(before, members)).map((name) => `${paint("dim", "removed")}  ${name}\n`),
    ...fails,
    `\n${countText(members.length, "scenario")} ${members.length === 1 ? "reaches" : "reach"} ${countText(reachedBy(members), "coverage item")} after ${countText(seeds, "seed")}\n`,
  ].join("");
}

function namesOf(members: readonly CorpusScenario[]): readonly string[] {
  return members.map(({ name }) => name);
}

/** Returns the number of their coverage items together. */
function reachedBy(members: readonly CorpusScenario[]): number {
  return new Set(members.flatMap(({ coverage: reached }) => [...reached])).size;
}
