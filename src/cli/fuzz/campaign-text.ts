/** Sentences about a campaign, whole or put together from its shards. */
import { counted } from "../../invariants/words.ts";
import type { Paint } from "../../report/paint.ts";

/** How many worlds failed, and in how many ways: without an end. */
export function worldsText(runs: number, failed: number, ways: number, paint: Paint): string {
  const told = `${counted(runs, "world")}, ${paint(failed > 0 ? "bad" : "good", `${failed} failed`)}`;
  return failed > 0 ? `${told} in ${counted(ways, "way")}` : told;
}

/** The seeds whose runs were stopped before their end: a line, or nothing. */
export function unfinishedText(seeds: readonly string[], paint: Paint): string {
  if (seeds.length === 0) return "";
  const which = `${seeds.length === 1 ? "seed" : "seeds"} ${seeds.join(", ")}`;
  return `${paint("warn", `${counted(seeds.length, "world")} unfinished`)}: stopped before the end, neither passed nor failed (${which})\n`;
}

/** Marks that a line names; those of all are in `--json`. */
const NAMED = 20;

/** How many of all marks were reached, and which were not: a line. */
export function reachText(marks: ReadonlyMap<string, number>, paint: Paint): string {
  const unreached = [...marks].filter(([, hits]) => hits === 0).map(([name]) => name);
  const reached = paint("dim", `${marks.size - unreached.length} of ${marks.size} marks reached`);
  if (unreached.length === 0) return `${reached}\n`;
  const more = unreached.length > NAMED ? ` and ${unreached.length - NAMED} more` : "";
  return `${reached}${paint("dim", `; not: ${unreached.slice(0, NAMED).join(", ")}${more}`)}\n`;
}
