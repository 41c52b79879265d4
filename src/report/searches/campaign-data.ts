/** Data of the report of a campaign (docs/guides/read-a-report.md), read from the lines of `fuzz` and `campaign results`. */
import type { ReadLine } from "./read-lines.ts";

/** Failing runs with one failure signature. */
export interface FailureSum {
  readonly signature: string;
  readonly runs: number;
  readonly seed: string;
  /** Command that repeats the run of the seed. */
  readonly replay: string;
}

/** Runs that reached a coverage point: all, and by kind of fault. */
export interface PointSum {
  readonly name: string;
  readonly hits: number;
  readonly runs: number;
  readonly by: Readonly<Record<string, number>>;
}

/** State after some runs. `ms`: of the clock, or of work over all threads. */
export interface ProgressPoint {
  readonly runs: number;
  readonly failed: number;
  readonly distinct: number;
  readonly events: number;
  readonly points: number;
  readonly by: Readonly<Record<string, number>>;
  readonly ms: number;
}

export interface CampaignData {
  readonly type: "quorumlab campaign";
  readonly format: 1;
  readonly title: string;
  readonly runs: number;
  readonly failed: number;
  readonly events: number;
  readonly operations: number;
  readonly final: number;
  /** False of output that was cut off before its summary. */
  readonly isWhole: boolean;
  readonly progress: readonly ProgressPoint[];
  /** By number of runs. */
  readonly failures: readonly FailureSum[];
  readonly coverage: readonly PointSum[];
  readonly combinations: readonly { readonly name: string; readonly runs: number }[];
  readonly slowest: readonly { readonly seed: string; readonly events: number; readonly ms: number }[];
  readonly versions: Readonly<Record<string, string | number>>;
}

type CampaignHeading = Pick<CampaignData, "title" | "versions">;

/** Collects the lines; those of other types are left out. O(lines). */
export function campaignDataOf(lines: readonly ReadLine[], { title, versions }: CampaignHeading): CampaignData {
  const ofType = (type: string): readonly ReadLine[] => lines.filter((line) => line.type === type);
  const summary = ofType("summary").at(-1);
  const progress = ofType("progress").map((line): ProgressPoint => {
    const [runs, failed, distinct, events] = numbers(line, "runs", "failed", "distinct", "events");
    const [points, ms] = numbers(line, "points", "wall_ms");
    return { runs, failed, distinct, events, points, ms, by: counts(line["by"]) };
  });
  const counted = summary ?? { type: "summary", ...progress.at(-1) };
  // A campaign of jobs counts worlds.
  const [runs, worlds, failed, events] = numbers(counted, "runs", "worlds", "failed", "events");
  const [operations, final] = numbers(counted, "operations", "final");
  return {
    ...{ type: "quorumlab campaign", format: 1, title: memberText(counted["name"] ?? title) },
    ...{ runs: Math.max(runs, worlds), failed, events, operations, final, isWhole: summary !== undefined, progress },
    failures: failuresIn(lines),
    coverage: ofType("coverage").map((line) => {
      const [hits, reached] = numbers(line, "hits", "runs");
      return { name: memberText(line["name"]), hits, runs: reached, by: counts(line["by"]) };
    }),
    combinations: ofType("combination").map((line) => ({
      name: memberText(line["name"]),
      runs: numbers(line, "runs")[0],
    })),
    slowest: ofType("slow").map((line) => {
      const [own, ms] = numbers(line, "events", "wall_ms");
      return { seed: memberText(line["seed"]), events: own, ms };
    }),
    versions,
  };
}

/** A line of the type `run` is one failing run, one of the type `failure` all with its signature. */
function failuresIn(lines: readonly ReadLine[]): readonly FailureSum[] {
  const found = new Map<string, FailureSum>();
  for (const line of lines) {
    if (line.type !== "run" && line.type !== "failure") continue;
    const signature = memberText(line["failure_signature"] ?? line["signature"]);
    const [runs, worlds] = numbers(line, "runs", "worlds");
    const known = found.get(signature) ?? {
      ...{ signature, runs: 0, seed: memberText(line["seed"]), replay: memberText(line["replay"]) },
    };
    found.set(signature, { ...known, runs: known.runs + (line.type === "run" ? 1 : Math.max(runs, worlds)) });
  }
  return [...found.values()].sort((a, b) => b.runs - a.runs);
}

/** Returns members as numbers, 0 for those that are none. */
function numbers<Names extends readonly string[]>(line: ReadLine, ...names: Names): { [Name in keyof Names]: number } {
  return names.map((name) => numberOf(line[name])) as { [Name in keyof Names]: number };
}

function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

function memberText(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}

function counts(value: unknown): Readonly<Record<string, number>> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([name, count]) => [name, numberOf(count)]));
}
