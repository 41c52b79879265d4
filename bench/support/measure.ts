/** Measures and prints: every cost stands beside the bare primitive that was measured in the same run. */
import { Bench } from "tinybench";

/** Something to measure. `prepare` runs before each call and is not counted. */
export interface Question {
  readonly name: string;
  readonly run: () => void;
  readonly prepare?: () => void;
}

/** Microseconds a call by name: medians, since a shared machine has outliers to one side only. */
export type Costs = ReadonlyMap<string, number>;

/** Runs each question for about `ms` milliseconds, one after the other. */
export async function measure(questions: readonly Question[], ms: number): Promise<Costs> {
  const bench = new Bench({ time: ms, warmupTime: ms / 4, iterations: 5, warmupIterations: 2 });
  for (const { name, run, prepare } of questions)
    bench.add(name, run, prepare === undefined ? {} : { beforeEach: () => prepare() });
  const tasks = await bench.run();
  return new Map(
    tasks.map(({ name, result }) => {
      if (!("latency" in result)) throw new Error(`${name} was not measured: ${result.state}`);
      return [name, result.latency.p50 * 1_000];
    }),
  );
}

/** The cost of a question that was measured. @throws RangeError for another name. */
export function costOf(costs: Costs, name: string): number {
  const cost = costs.get(name);
  if (cost === undefined) throw new RangeError(`nothing called ${name} was measured`);
  return cost;
}

/** A line: what, how many times the bare cost, and the absolute cost. */
export function line(name: string, cost: number, bare: number, bareName: string): void {
  const ratio = (cost / bare).toFixed(2).padStart(9);
  console.log(`  ${name.padEnd(46)}${ratio} x ${bareName.padEnd(40)}${micros(cost).padStart(12)}`);
}

export function title(text: string): void {
  console.log(`\n${text}`);
}

/** Microseconds in the unit that suits them. */
export function micros(cost: number): string {
  if (cost < 1) return `${(cost * 1_000).toFixed(0)} ns`;
  return cost < 1_000 ? `${cost.toFixed(1)} us` : `${(cost / 1_000).toFixed(2)} ms`;
}
