/** Rounds in which targets take turns, so that what slows a shared machine down meets all of them. */

/** A target: measures itself once, for about `ms` milliseconds of work at least. */
export interface Target<T = number> {
  readonly name: string;
  readonly measure: (ms: number) => T | Promise<T>;
  /** Called once before the first round: code is compiled, caches are filled. */
  readonly warmUp?: (ms: number) => unknown;
}

export interface Effort {
  /** Rounds of each figure. */
  readonly rounds: number;
  /** Least work of a target in a round, in ms. */
  readonly ms: number;
  /** Shortened: smaller sizes, too. */
  readonly quick: boolean;
}

/** The order of the targets in a round: every other one is reversed, so that none always goes first. */
export function orderOf<T>(targets: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? targets : [...targets].reverse();
}

/** Measures each target once in each round; returns the values of each in the order of rounds. */
export async function interleaved<T>(
  targets: readonly Target<T>[],
  { rounds, ms }: Pick<Effort, "rounds" | "ms">,
): Promise<ReadonlyMap<string, readonly T[]>> {
  const values = new Map<string, T[]>(targets.map(({ name }) => [name, []]));
  for (const { warmUp } of targets) await warmUp?.(ms);
  for (let round = 0; round < rounds; round++)
    for (const { name, measure } of orderOf(targets, round)) values.get(name)?.push(await measure(ms));
  return values;
}

/** The values of a target. @throws RangeError for another name */
export function valuesOf<T>(values: ReadonlyMap<string, readonly T[]>, name: string): readonly T[] {
  const found = values.get(name);
  if (found === undefined) throw new RangeError(`nothing called ${name} was measured`);
  return found;
}
