/** What `corpus` prints: which runs came and went, and what all of them reach. */
import type { Member } from "../../search/corpus/corpus.ts";
import type { Output } from "../output.ts";
import { without } from "./corpus-folder.ts";

/** What came of it. */
export interface Kept {
  readonly folder: string;
  readonly before: readonly Member[];
  readonly members: readonly Member[];
  /** Files that do not pass. */
  readonly failed: readonly string[];
  /** How many were looked at. */
  readonly seeds: number;
}

/** The line for programs. */
export function keptLine(kept: Kept): string {
  const { folder, before, members, failed, seeds } = kept;
  const [added, removed] = [namesOf(without(members, before)), namesOf(without(before, members))];
  const facts = { seeds, runs: members.length, reached: reachedBy(members), added, removed, failed };
  return `${JSON.stringify({ type: "corpus", folder, ...facts })}\n`;
}

/** All of it, or where it is to be quiet what does not pass. */
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
    `\n${members.length} runs reach ${reachedBy(members)} marks, alone and beside faults, after ${seeds} seeds\n`,
  ].join("");
}

function namesOf(members: readonly Member[]): readonly string[] {
  return members.map(({ name }) => name);
}

/** How many marks and pairs they reach together. */
function reachedBy(members: readonly Member[]): number {
  return new Set(members.flatMap(({ reached }) => [...reached])).size;
}
