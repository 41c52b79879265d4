/** Switch of the instrumented program: at most one guard is off, and a run that loops ends. */

/** Guards whose condition came out true since `start`, by number. */
export const seen: boolean[] = [];

/** A guard that survives scenarios of so much work counts as a survivor of them: about one second of a core. */
export const WORK_MAX = 3_000_000;

/** Returns the work after which a run counts as endless, where the whole program's run does `work`. */
export function budgetFor(work: number): number {
  return 10 * work + 10_000;
}

let off = -1;
let runs = 0;
let work = 0;
let limit = Number.POSITIVE_INFINITY;

/** Starts a run with guard `number` off (-1: none), which throws once it has evaluated more than `budget` guards and turns of loops. */
export function start(number: number, budget: number): void {
  seen.length = 0;
  runs += 1;
  off = number;
  work = 0;
  limit = budget;
}

/** Number of the run: of the last `start`. */
export function run(): number {
  return runs;
}

/** Guards and turns of loops evaluated since `start`. */
export function workDone(): number {
  return work;
}

/** Stands around the condition of each guard. A guard that is off refuses nothing; its condition is evaluated all the same. */
export function guard(number: number, condition: unknown): boolean {
  turn();
  if (!condition) return false;
  seen[number] = true;
  return number !== off;
}

/** Stands in each loop. @throws Error past the budget. */
export function turn(): void {
  if (++work > limit) throw new Error("the run does not end");
}
