/** The harness of the micro-benchmarks: tinybench runs each row of a group, and a table tells of it. */
import { Bench } from "tinybench";
import type { Effort } from "../page/rounds.ts";
import { digits } from "../page/statistics.ts";
import { table } from "../page/table.ts";

/** Something small whose time is asked. */
export interface MicroRow {
  readonly name: string;
  /** Row of the same group that it is compared with; default: the first one. */
  readonly reference?: string;
  /** Does its work once and returns how many operations that was. If it uses the stopwatch, only what it brackets counts. */
  readonly run: (watch: Stopwatch) => number;
}

export interface MicroGroup {
  readonly name: string;
  /** One operation of its rows, in words. */
  readonly about: string;
  readonly rows: () => readonly MicroRow[] | Promise<readonly MicroRow[]>;
}

export interface MicroResult {
  readonly name: string;
  /** Median of the samples: microseconds of one operation. */
  readonly us: number;
  /** As many times the median of its reference. */
  readonly ratio: number;
  readonly samples: number;
  /** Margin of error of the mean, in percent: with 95 % confidence. */
  readonly margin: number;
}

/** In milliseconds, with what one reading takes. */
type Clock = Pick<Bench, "now" | "timerOverhead">;

/** Time of the parts of a run, less what reading the clock takes. */
export class Stopwatch {
  readonly #clock: Clock;
  #since = 0;
  #ms: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  start(): void {
    this.#since = this.#clock.now();
  }

  stop(): void {
    this.#ms = (this.#ms ?? 0) + this.#clock.now() - this.#since - (this.#clock.timerOverhead ?? 0);
  }

  /** Returns the milliseconds so far and begins anew; `undefined` if it was not used. */
  take(): number | undefined {
    const ms = this.#ms;
    this.#ms = undefined;
    return ms;
  }
}

/** Calls between two readings of the clock, at least: one reading takes as long as the shortest call. */
const CALLS = 20;

/** Returns a row that makes some calls in turn; an operation is one of them. @throws RangeError for no calls */
export function callsRow(name: string, calls: readonly (() => unknown)[], reference?: string): MicroRow {
  if (calls.length === 0) throw new RangeError(`${name}: expected a call at least`);
  const times = Math.ceil(CALLS / calls.length);
  const run = (): number => {
    for (let time = 0; time < times; time++) for (const call of calls) call();
    return times * calls.length;
  };
  return { name, run, ...(reference === undefined ? {} : { reference }) };
}

/** A page has dozens of rows: each has this part of the work of a figure. */
const SHARE = 12;

/** Measures the rows one after the other. @throws RangeError for a row that does nothing, or has no reference */
export function measured(rows: readonly MicroRow[], { rounds, ms }: Effort): readonly MicroResult[] {
  const time = (rounds * ms) / SHARE;
  const least = { iterations: rounds, warmupIterations: 1 };
  const bench = new Bench({ time, warmupTime: time / 3, ...least, subtractTimerOverhead: true, throws: true });
  for (const row of rows) bench.add(row.name, () => sample(bench, row), { async: false });
  const found = bench.runSync().map(({ name, result }) => {
    if (!("latency" in result)) throw new Error(`${name} was not measured: ${result.state}`);
    const { p50, samplesCount: samples, rme: margin } = result.latency;
    return { name, us: 1_000 * p50, samples, margin };
  });
  return found.map((one, at) => {
    const reference = rows[at]?.reference ?? found[0]?.name;
    const other = found.find(({ name }) => name === reference);
    if (other === undefined) throw new RangeError(`${one.name}: no row is called ${reference}`);
    return { ...one, ratio: one.us / other.us };
  });
}

/** One sample in the form of tinybench: the time of one operation, and what all of it took of the budget. */
function sample(bench: Bench, { name, run }: MicroRow) {
  const watch = new Stopwatch(bench);
  const before = bench.now();
  const operations = run(watch);
  const ms = bench.now() - before;
  if (operations === 0) throw new RangeError(`${name} did nothing`);
  return { overriddenDuration: Math.max(0, watch.take() ?? ms) / operations, overriddenIterationCost: ms };
}

const COLUMNS = ["", "us each, median", "a second", "of the reference", "samples", "± % of the mean"];

/** The table of a group. */
export function groupText({ name, about }: MicroGroup, results: readonly MicroResult[]): string {
  const rows = results.map((result) => [
    result.name,
    digits(result.us),
    digits(1e6 / result.us),
    ratioText(result.ratio),
    String(result.samples),
    digits(result.margin),
  ]);
  return `**${name}**: ${about}\n\n${table(COLUMNS, rows)}`;
}

/** As `digits`, and two digits of a small ratio, wherever they begin. */
function ratioText(ratio: number): string {
  return ratio < 0.1 ? ratio.toPrecision(2) : digits(ratio);
}
