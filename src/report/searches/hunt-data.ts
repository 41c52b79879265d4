/** Data of the report of a hunt (docs/guides/read-a-report.md), read from the lines of `hunt --json` or its `hunt.json`. */
import type { ReadLine } from "./read-lines.ts";

/** A variant; members as `hunt --json` prints them. Numbers are null where no range or too few detect it. */
export interface HuntRow {
  readonly bug: string;
  readonly source: string;
  readonly mistake?: string;
  /** Detected within the budget in at least half of the ranges. */
  readonly found: boolean;
  /** Seeds until the first detection: median and 95th percentile of the ranges. */
  readonly seeds: number | null;
  readonly seeds_95: number | null;
  readonly wall_ms: number | null;
  readonly wall_ms_95: number | null;
  readonly invariant: string | null;
  readonly ranges: number;
  readonly ranges_found: number;
  readonly shrunk_steps: number | null;
  readonly replay: string | null;
}

export interface HuntData {
  readonly type: "quorumlab hunt";
  readonly format: 1;
  readonly title: string;
  /** Seeds of a range, and ranges; `undefined` where the file does not say so. */
  readonly budget: number | undefined;
  readonly repeats: number | undefined;
  readonly selfCheckFailures: readonly string[];
  readonly bugs: readonly HuntRow[];
  readonly versions: Readonly<Record<string, string | number>>;
}

type HuntHeading = Pick<HuntData, "title" | "versions">;

/** `rows`: of the variants. `asked`: the summary, or the file as a whole. */
export function huntDataOf(
  rows: readonly object[],
  asked: Readonly<Record<string, unknown>>,
  { title, versions }: HuntHeading,
): HuntData {
  const number = (name: string): number | undefined => (typeof asked[name] === "number" ? asked[name] : undefined);
  const failures = asked["self_check_failures"];
  return {
    ...{ type: "quorumlab hunt", format: 1, title, budget: number("budget"), repeats: number("repeats") },
    selfCheckFailures: Array.isArray(failures) ? failures.map(String) : [],
    bugs: rows as readonly HuntRow[],
    versions,
  };
}

/** Returns the rows among lines, and the summary. */
export function huntDataIn(lines: readonly ReadLine[], about: HuntHeading): HuntData {
  const rows = lines.filter(({ type }) => type === "bug");
  return huntDataOf(rows, lines.find(({ type }) => type === "summary") ?? {}, about);
}
