/**
 * Data of the reports of a campaign and a hunt (docs/guides/read-a-report.md), from the text of the file that a command wrote,
 * and of the page of a campaign.
 */
import { err, ok, type Result } from "../core/base/result.ts";
import { COVERAGE_POINT_NAMES } from "../scenario/coverage-points.ts";

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

/** Data of any search. */
interface SearchHeader<Type extends string> {
  readonly type: Type;
  readonly format: 1;
  readonly title: string;
  /** Request and program of the search, by names for people; empty where the file does not say so, or is cut off. */
  readonly request: Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, string | number>>;
}

export interface CampaignData extends SearchHeader<"quorumlab campaign"> {
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
  readonly slowest: readonly { readonly seed: string; readonly events: number; readonly ms: number }[];
}

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

export interface HuntData extends SearchHeader<"quorumlab hunt"> {
  /** Seeds of a range, and ranges; `undefined` where the file does not say so. */
  readonly budget: number | undefined;
  readonly repeats: number | undefined;
  readonly selfCheckFailures: readonly string[];
  readonly bugs: readonly HuntRow[];
}

export type SearchData = CampaignData | HuntData;

/** Data of the page of a campaign: plain JSON, read from `/page/state.json`. */
export interface CampaignState {
  readonly name: string;
  readonly version: string;
  /** Commit of the program, if it is known. */
  readonly commit: string | null;
  readonly state: "running" | "waiting" | "stopped" | "finished";
  /** Source of the worlds; `bug`: the known-bad variant that runs. */
  readonly profile: string;
  readonly bug: string | null;
  /** First seed in decimal, and number of seeds. */
  readonly first: string;
  readonly seeds: number;
  readonly jobs: Readonly<Record<"waiting" | "active" | "done" | "lost", number>>;
  readonly sums: Readonly<Record<"worlds" | "failed" | "operations" | "final" | "events" | "work_ms", number>>;
  /** Machine, process and threads of each. */
  readonly workers: readonly string[];
  /** Coverage points reached, and all. */
  readonly reached: number;
  readonly points: number;
  readonly progress: readonly ProgressPoint[];
  readonly kinds: readonly { readonly kind: string; readonly jobs: number; readonly ms: number }[];
  readonly findings: readonly ShownFinding[];
  /** Failures that are not minimized yet. */
  readonly failures: readonly { readonly signature: string; readonly worlds: number; readonly seed: string }[];
  readonly unexpected: readonly string[];
}

export interface ShownFinding {
  readonly key: string;
  readonly state: "open" | "closed";
  /** Commit that showed it first, and the one that no longer does. */
  readonly commit: string | null;
  readonly closedBy: string | null;
  /** Worlds of this campaign that show it. */
  readonly worlds: number;
  readonly steps: number;
  /** Paths on this server. */
  readonly page: string | null;
  readonly file: string | null;
}

type PageHeader = Pick<SearchData, "title" | "versions">;

const EXPECTED =
  "expected a recording of serve, lines of fuzz --json, campaign results --json or hunt --json, or a hunt.json";

/** The error says what is wrong with the text. `title`: where the text names none. */
export function searchDataOf(text: string, about: PageHeader): Result<SearchData, string> {
  // Lines of JSON are not one object.
  const value = text.trimStart().startsWith("{") ? jsonValueIn(text) : undefined;
  const whole = value as Readonly<Record<string, unknown>> | undefined;
  if (Array.isArray(whole?.["bugs"])) return ok(huntDataOf(whole["bugs"] as readonly object[], whole, about));
  const lines = readLines(text);
  if (!lines.ok) return err(`${EXPECTED}; ${lines.error}`);
  const bugs = lines.value.filter(({ type }) => type === "bug");
  if (bugs.length > 0) return ok(huntDataOf(bugs, lines.value.find(({ type }) => type === "summary") ?? {}, about));
  const isCampaign = lines.value.some(({ type }) => type === "coverage" || type === "progress" || type === "failure");
  return isCampaign ? ok(campaignDataOf(lines.value, about)) : err(EXPECTED);
}

/** Returns the value of a JSON text, `undefined` for any other text. */
function jsonValueIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export interface ReadLine {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Returns the lines; a torn last line is left out. The error names the first line that is no object with a type. */
export function readLines(text: string): Result<readonly ReadLine[], string> {
  const lines: ReadLine[] = [];
  const parts = text.split("\n");
  for (const [at, part] of parts.entries()) {
    if (part.trim() === "") continue;
    const line = parseLine(part);
    if (line !== undefined) lines.push(line);
    else if (at < parts.length - 1)
      return err(`line ${at + 1}: expected an object with a type, got ${part.slice(0, 60)}`);
  }
  return ok(lines);
}

function parseLine(part: string): ReadLine | undefined {
  const value = jsonValueIn(part) as Partial<ReadLine> | null | undefined;
  return typeof value?.type === "string" ? (value as ReadLine) : undefined;
}

/** Collects the lines; those of other types are left out. O(lines). */
function campaignDataOf(lines: readonly ReadLine[], { title, versions }: PageHeader): CampaignData {
  const ofType = (type: string): readonly ReadLine[] => lines.filter((line) => line.type === type);
  const summary = ofType("summary").at(-1);
  const progress = ofType("progress").map(
    (line): ProgressPoint => ({
      ...numbers(line, "runs", "failed", "distinct", "events", "points"),
      ms: numberOf(line["wall_ms"]),
      by: counts(line["by"]),
    }),
  );
  const counted = summary ?? { type: "summary", ...progress.at(-1) };
  // A campaign of jobs counts worlds.
  const { runs, worlds, ...sums } = numbers(counted, "runs", "worlds", "failed", "events", "operations", "final");
  return {
    ...{ type: "quorumlab campaign", format: 1, title: memberText(counted["name"] ?? title) },
    request: requestIn(counted),
    ...{ runs: Math.max(runs, worlds), ...sums, isWhole: summary !== undefined, progress },
    failures: failuresIn(lines),
    coverage: withMissing(
      ofType("coverage").map((line) => ({
        name: memberText(line["name"]),
        ...numbers(line, "hits", "runs"),
        by: counts(line["by"]),
      })),
    ),
    slowest: ofType("slow").map((line) => ({
      seed: memberText(line["seed"]),
      events: numberOf(line["events"]),
      ms: numberOf(line["wall_ms"]),
    })),
    versions,
  };
}

function requestIn(line: ReadLine): CampaignData["request"] {
  const { profile, bug, first, commit, seeds } = line;
  return namedTexts({
    ...{ Profile: profile, Variant: bug, "First seed": first, "Seeds asked for": seeds, Commit: shortCommit(commit) },
  });
}

function namedTexts(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, memberText(value)]])),
  );
}

function shortCommit(commit: unknown): string | undefined {
  return typeof commit === "string" ? commit.slice(0, 12) : undefined;
}

/** Adds the points of the program that a file leaves out, since no run reached them. Points of other programs stand alone. */
function withMissing(coverage: readonly PointSum[]): readonly PointSum[] {
  const named = new Set(coverage.map(({ name }) => name));
  if (!COVERAGE_POINT_NAMES.some((name) => named.has(name))) return coverage;
  const missing = COVERAGE_POINT_NAMES.filter((name) => !named.has(name));
  return [...coverage, ...missing.map((name) => ({ name, hits: 0, runs: 0, by: {} }))];
}

/** A line of the type `run` is one failing run, one of the type `failure` all with its signature. */
function failuresIn(lines: readonly ReadLine[]): readonly FailureSum[] {
  const found = new Map<string, FailureSum>();
  for (const line of lines) {
    if (line.type !== "run" && line.type !== "failure") continue;
    const signature = memberText(line["failure_signature"] ?? line["signature"]);
    const { runs, worlds } = numbers(line, "runs", "worlds");
    const known = found.get(signature) ?? {
      ...{ signature, runs: 0, seed: memberText(line["seed"]), replay: memberText(line["replay"]) },
    };
    found.set(signature, { ...known, runs: known.runs + (line.type === "run" ? 1 : Math.max(runs, worlds)) });
  }
  return [...found.values()].sort((a, b) => b.runs - a.runs);
}

/** Returns members as numbers, 0 for those that are none. */
function numbers<Name extends string>(line: ReadLine, ...names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name) => [name, numberOf(line[name])])) as Record<Name, number>;
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

/** `rows`: of the variants. `asked`: the summary, or the file as a whole. */
function huntDataOf(
  rows: readonly object[],
  asked: Readonly<Record<string, unknown>>,
  { title, versions }: PageHeader,
): HuntData {
  const number = (name: string): number | undefined => (typeof asked[name] === "number" ? asked[name] : undefined);
  const failures = asked["self_check_failures"];
  const [strategy] = Array.isArray(asked["strategies"]) ? (asked["strategies"] as Partial<ReadLine>[]) : [];
  const program = asked["versions"] as Partial<ReadLine> | undefined;
  return {
    request: namedTexts({
      ...{ Profile: strategy?.["profile"], "First seed": asked["first"], Commit: shortCommit(program?.["commit"]) },
    }),
    ...{ type: "quorumlab hunt", format: 1, title, budget: number("budget"), repeats: number("repeats") },
    selfCheckFailures: Array.isArray(failures) ? failures.map(String) : [],
    bugs: rows as readonly HuntRow[],
    versions,
  };
}
