/** Merging of the JSON lines of a campaign's shards. */
import { err, ok, type Result } from "../../core/base/result.ts";

/** Failure signature with the failing runs of all shards. */
export interface MergedFailure {
  /** Invariant, kind of slot, and shape of the message. */
  readonly failure_signature: string;
  readonly runs: number;
  /** First failing run in the order of the files; its line has the command to reproduce it. */
  readonly seed: string;
  readonly replay: string;
}

export interface MergedCoverage {
  readonly name: string;
  readonly hits: number;
  readonly runs: number;
  readonly by: Readonly<Record<string, number>>;
}

export interface MergedCampaign {
  readonly runs: number;
  readonly failed: number;
  readonly empty: number;
  readonly events: number;
  /** Operations submitted by clients, and how many of them are final. */
  readonly operations: number;
  readonly final: number;
  /** CPU time of all shards in milliseconds. */
  readonly cpu_ms: number;
  readonly failures: readonly MergedFailure[];
  readonly coverage: readonly MergedCoverage[];
  /** Runs in which each combination of an operation occurred. */
  readonly combinations: Readonly<Record<string, number>>;
  /** Seeds whose runs were stopped before their end. */
  readonly unfinished_seeds: readonly string[];
  /** Files without a summary: only their printed runs are counted. */
  readonly unfinished: readonly string[];
}

interface ResultLine {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Counts of a summary that are added up. */
const SUMS = ["runs", "failed", "empty", "events", "operations", "final", "cpu_ms"] as const;

/** Merges the output of `fuzz --json` of several shards. The error names file and line. */
export function mergeShards(
  shards: readonly { readonly file: string; readonly text: string }[],
): Result<MergedCampaign, string> {
  const failures = new Map<string, MergedFailure>();
  const points = new Map<string, MergedCoverage>();
  const combinations: Record<string, number> = {};
  const sums = { runs: 0, failed: 0, empty: 0, events: 0, operations: 0, final: 0, cpu_ms: 0 };
  const unfinishedSeeds: string[] = [];
  const unfinished: string[] = [];
  for (const { file, text } of shards) {
    const lines = linesOf(file, text);
    if (!lines.ok) return lines;
    let failed = 0;
    for (const line of lines.value) {
      if (line.type === "run") {
        failed += 1;
        addFailure(failures, line);
      } else if (line.type === "coverage") addCoverage(points, line);
      else if (line.type === "combination") {
        const name = String(line["name"]);
        combinations[name] = (combinations[name] ?? 0) + Number(line["runs"]);
      }
    }
    const summary = lines.value.find(({ type }) => type === "summary");
    if (summary === undefined) unfinished.push(file);
    // A shard without a summary has run at least what it printed; one of an earlier version lacks the later counts.
    const counts: Readonly<Record<string, unknown>> = summary ?? { runs: failed, failed };
    for (const key of SUMS) sums[key] += Number(counts[key] ?? 0);
    unfinishedSeeds.push(...((counts["unfinished_seeds"] ?? []) as readonly string[]));
  }
  const [failed, reached] = [[...failures.values()], [...points.values()]];
  return ok({
    ...sums,
    failures: failed,
    coverage: reached,
    combinations,
    unfinished_seeds: unfinishedSeeds,
    unfinished,
  });
}

function linesOf(file: string, text: string): Result<readonly ResultLine[], string> {
  const lines: ResultLine[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const parsed = parseLine(line);
    if (parsed === undefined)
      return err(`${file}:${at + 1}: expected a line of "quorumlab fuzz --json", got ${line.slice(0, 60)}`);
    if (parsed.type === "mark" || "place" in parsed)
      return err(`${file}:${at + 1}: expected a line of format 2, got one of format 1: run the shard again`);
    lines.push(parsed);
  }
  return ok(lines);
}

function parseLine(line: string): ResultLine | undefined {
  try {
    const value = JSON.parse(line) as Partial<ResultLine> | null;
    return typeof value?.type === "string" ? (value as ResultLine) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function addFailure(failures: Map<string, MergedFailure>, { failure_signature, seed, replay }: ResultLine): void {
  const key = String(failure_signature);
  const known = failures.get(key) ?? { failure_signature: key, runs: 0, seed: String(seed), replay: String(replay) };
  failures.set(key, { ...known, runs: known.runs + 1 });
}

function addCoverage(points: Map<string, MergedCoverage>, line: ResultLine): void {
  const name = String(line["name"]);
  const so = points.get(name) ?? { name, hits: 0, runs: 0, by: {} };
  const by: Record<string, number> = { ...so.by };
  for (const [kind, runs] of Object.entries((line["by"] ?? {}) as Record<string, number>))
    by[kind] = (by[kind] ?? 0) + runs;
  points.set(name, { name, hits: so.hits + Number(line["hits"]), runs: so.runs + Number(line["runs"]), by });
}
