/** Verdicts of one scenario file under many seeds: one line for each verdict and cause, and the worst run. */
import { entryOf } from "../../core/base/entry.ts";
import type { Paint } from "../../report/paint.ts";
import { type RunReport, runText, TONES } from "../../report/run-report.ts";
import type { PlainResult, Verdict } from "../../run/verdict.ts";
import type { ScenarioFile } from "../../scenario/files.ts";

/** Verdicts from the most severe to the least. */
const SEVERITY: readonly Verdict[] = ["violation", "error", "stalled", "unmet", "pass"];
/** Seeds that a line names. */
const SEEDS_SHOWN = 5;

/** Returns the rank of a verdict: 0 is the most severe. */
export function severityOf(verdict: Verdict): number {
  return SEVERITY.indexOf(verdict);
}

export class SeedVerdicts {
  readonly path: string;
  readonly #id: string;
  readonly #groups = new Map<string, { readonly verdict: Verdict; readonly cause: string; readonly seeds: string[] }>();
  #worst: RunReport | undefined;

  constructor({ path, id }: ScenarioFile) {
    this.path = path;
    this.#id = id;
  }

  get hasFailed(): boolean {
    return this.#worst !== undefined;
  }

  add(run: RunReport): void {
    const { verdict, seed } = run.result;
    const cause = causeOf(run.result);
    entryOf(this.#groups, `${verdict} ${cause}`, () => ({ verdict, cause, seeds: [] })).seeds.push(seed);
    const worst = this.#worst?.result.verdict ?? "pass";
    if (severityOf(verdict) < severityOf(worst)) this.#worst = run;
  }

  /** Returns the lines of all verdicts, the worst first, and the first run of the worst with its causes and commands. */
  text(paint: Paint): string {
    const groups = [...this.#groups.values()].sort((a, b) => severityOf(a.verdict) - severityOf(b.verdict));
    const lines = groups.map(({ verdict, cause, seeds }) => {
      const rest = seeds.length - SEEDS_SHOWN;
      const names = `${seeds.length === 1 ? "seed" : "seeds"} ${seeds.slice(0, SEEDS_SHOWN).join(", ")}`;
      const which =
        verdict === "pass" ? "" : ` ${cause} ${paint("dim", `(${names}${rest > 0 ? ` and ${rest} more` : ""})`)}`;
      return `${paint(TONES[verdict], verdict.padEnd(9))} ${String(seeds.length).padStart(6)}${which}\n`;
    });
    return `${this.#id}\n${lines.join("")}${this.#worst === undefined ? "" : runText(this.#worst, paint)}`;
  }
}

/** Returns the violated invariants, or the first unmet sentence with a placeholder for each number. */
function causeOf({ verdict, violations, reason }: PlainResult): string {
  if (verdict === "pass") return "";
  const names = [...new Set(violations.map(({ invariant }) => invariant))];
  return names.length > 0 ? names.join(", ") : (reason.split(/[\n;]/)[0] ?? "").replace(/\b\d+\b/g, "N");
}
