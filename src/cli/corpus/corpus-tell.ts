/** Output of `corpus`: added and removed scenarios, and their total coverage. */
import { counted } from "../../invariants/words.ts";
import type { Member } from "../../search/corpus/corpus.ts";
import type { Output } from "../output.ts";
import { without } from "./corpus-folder.ts";

/** Result of the command. */
export interface Kept {
  readonly folder: string;
  readonly before: readonly Member[];
  readonly members: readonly Member[];
  /** Files that do not pass. */
  readonly failed: readonly string[];
  /** Number of seeds that were run. */
  readonly seeds: number;
}

/** Returns the JSON line. */
export function keptLine(kept: Kept): string {
  const { folder, before, members, failed, seeds } = kept;
  const [added, removed] = [namesOf(without(members, before)), namesOf(without(before, members))];
  const facts = { seeds, runs: members.length, reached: reachedBy(members), added, removed, failed };
  return `${JSON.stringify({ type: "corpus", folder, ...facts })}\n`;
}

/** Returns the whole output, or with `quiet` only files that do not pass. */
export function keptText(
  { before, members, failed, seeds }: Kept,
  { quiet, paint }: Pick<Output, "quiet" | "paint">,
): string {
  const fails = failed.map((path) => `${paint("bad", "fails")}    ${path}\n`);
  if (quiet) return fails.join("");
  return [
    ...namesOf(without(members, before)).map((name) => `${paint("good", "added")}    ${name}\n`),
    ...namesOf(without(before, members)).map((name) => `${paint("dim", "removed")}  ${name}\n`),
    ...fails,
    `\n${counted(members.length, "scenario")} ${members.length === 1 ? "reaches" : "reach"} ${counted(reachedBy(members), "coverage item")} after ${counted(seeds, "seed")}\n`,
  ].join("");
}

function namesOf(members: readonly Member[]): readonly string[] {
  return members.map(({ name }) => name);
}

/** Returns the number of their coverage items together. */
function reachedBy(members: readonly Member[]): number {
  return new Set(members.flatMap(({ reached }) => [...reached])).size;
}
