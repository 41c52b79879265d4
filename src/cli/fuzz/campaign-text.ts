/** Sentences about a campaign, whole or put together from its shards. */
import type { Paint } from "../../report/paint.ts";

/** How many worlds failed, and in how many ways: without an end. */
export function worldsText(runs: number, failed: number, ways: number, paint: Paint): string {
  const told = `${runs} worlds, ${paint(failed > 0 ? "bad" : "good", `${failed} failed`)}`;
  return failed > 0 ? `${told} in ${ways} ${ways === 1 ? "way" : "ways"}` : told;
}

/** How many of all marks were reached, and which were not: a line. */
export function reachText(marks: ReadonlyMap<string, number>, paint: Paint): string {
  const unreached = [...marks].filter(([, hits]) => hits === 0).map(([name]) => name);
  const reached = paint("dim", `${marks.size - unreached.length} of ${marks.size} marks reached`);
  return unreached.length === 0 ? `${reached}\n` : `${reached}${paint("dim", `; not: ${unreached.join(", ")}`)}\n`;
}
