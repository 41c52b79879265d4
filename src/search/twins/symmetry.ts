/**
 * Symmetries of a network with twins: renamings of validators without a twin, of those with one, and of the two
 * instances of one key. Instances are numbered: the n validators first, then the twins of the last of them.
 */

export interface TwinSizes {
  /** Validators, each with its own key. */
  readonly n: number;
  /** Number of validators with a twin: the last ones. */
  readonly twins: number;
  readonly rounds: number;
}

/** Image of each instance. */
export type Renaming = readonly number[];

/** Returns all renamings, the identity first: (n - t)! t! 2^t. */
export function renamings({ n, twins }: TwinSizes): readonly Renaming[] {
  const single = n - twins;
  const pairs = Array.from({ length: twins }, (_, pair) => [single + pair, n + pair] as const);
  const found: Renaming[] = [];
  for (const places of permutations(single)) {
    for (const order of permutations(twins)) {
      for (let swaps = 0; swaps < 1 << twins; swaps++) {
        const renaming = [...places, ...new Array<number>(2 * twins).fill(0)];
        for (const [pair, [first, second]] of pairs.entries()) {
          const [low, high] = pairs[order[pair] as number] as readonly [number, number];
          const isSwapped = ((swaps >> pair) & 1) === 1;
          renaming[first] = isSwapped ? high : low;
          renaming[second] = isSwapped ? low : high;
        }
        found.push(renaming);
      }
    }
  }
  return found;
}

/** Returns the fixed points and the number of cycles of a renaming. */
export function cyclesOf(renaming: Renaming): { readonly fixed: number; readonly cycles: number } {
  const seen = new Set<number>();
  let cycles = 0;
  for (const start of renaming.keys()) {
    if (seen.has(start)) continue;
    cycles += 1;
    for (let at = start; !seen.has(at); at = renaming[at] as number) seen.add(at);
  }
  return { fixed: renaming.filter((to, from) => to === from).length, cycles };
}

function permutations(count: number): readonly (readonly number[])[] {
  if (count === 0) return [[]];
  const last = count - 1;
  return permutations(last).flatMap((shorter) =>
    Array.from({ length: count }, (_, at) => [...shorter.slice(0, last - at), last, ...shorter.slice(last - at)]),
  );
}
