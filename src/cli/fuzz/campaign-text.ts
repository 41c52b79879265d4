/** Texts about a whole or merged campaign. */
import { countText } from "../../invariants/text.ts";
import type { Paint } from "../../report/paint.ts";

/** Returns the number of runs, failures and distinct failures, without a line end. */
export function runsText(runs: number, failed: number, ways: number, paint: Paint): string {
  const report = `${countText(runs, "run")}, ${paint(failed > 0 ? "bad" : "good", `${failed} failed`)}`;
  return failed > 0 ? `${report} (${countText(ways, "distinct failure")})` : report;
}

/** Returns a line with the seeds of unfinished runs, or nothing. */
export function unfinishedText(seeds: readonly string[], paint: Paint): string {
  if (seeds.length === 0) return "";
  const which = `${seeds.length === 1 ? "seed" : "seeds"} ${seeds.join(", ")}`;
  return `${paint("warn", `${countText(seeds.length, "run")} unfinished`)}: stopped before the end, neither passed nor failed (${which})\n`;
}

/** Missing coverage points in the line; `--json` lists all. */
const NAMED = 20;

/** Returns a line with the number of coverage points, and the missing ones. */
export function coverageText(points: ReadonlyMap<string, number>, paint: Paint): string {
  const unreached = [...points].filter(([, hits]) => hits === 0).map(([name]) => name);
  const reached = paint("dim", `${points.size - unreached.length} of ${points.size} coverage points reached`);
  if (unreached.length === 0) return `${reached}\n`;
  const more = unreached.length > NAMED ? ` and ${unreached.length - NAMED} more` : "";
  return `${reached}${paint("dim", `; missing: ${unreached.slice(0, NAMED).join(", ")}${more}`)}\n`;
}
