/**
 * Canonical enumeration of twins (Bano et al., "Twins: BFT Systems Made Robust", 2020, adapted to a network without
 * leaders): in each round the network is split in two, and one instance, the round's proposer, receives an operation on
 * its side. After the rounds the network heals: the synchronous tail (scenarios.ts).
 */

/** Instances of one case, twins included: symmetry tables grow with their factorial. */
export const INSTANCES_MAX = 9;
/** Validators of one case that may have a twin. */
export const TWINS_MAX: number = Math.floor(INSTANCES_MAX / 2);
/** Rounds of one case. */
export const ROUNDS_MAX = 6;

export interface TwinRound {
  /** Instance that receives the round's operation. */
  readonly proposer: number;
  /** Instances on the proposer's side in order, itself included; all others are on the other side. */
  readonly side: readonly number[];
}

export type TwinCase = readonly TwinRound[];

/**
 * Yields each case once up to renaming: the lexicographically first of its class, so that a case's number
 * is stable. @throws RangeError for invalid sizes, or for one beyond the limits.
 */
export function* twinCases(sizes: TwinSizes): Generator<TwinCase, undefined> {
  checkSizes(sizes);
  const count = sizes.n + sizes.twins;
  const letters = Array.from({ length: count << count }, (_, letter) => letter).filter((one) => isRound(one, count));
  const images = instancePermutations(sizes).map((renaming) =>
    letters.reduce((to, one) => to.set(one, renameLetter(one, renaming)), new Map<number, number>()),
  );
  for (const word of canonicalWords([], letters, images, sizes.rounds))
    yield word.map((letter) => roundOf(letter, count));
}

/** Returns the number of cases by Burnside's lemma, without enumeration. @throws RangeError as `twinCases` does. */
export function countTwinCases(sizes: TwinSizes): bigint {
  checkSizes(sizes);
  const all = instancePermutations(sizes);
  let sum = 0n;
  for (const renaming of all) {
    const { fixed, cycles } = cyclesOf(renaming);
    // A renaming fixes a round if it fixes the proposer and the side is a union of cycles, the proposer's among them.
    sum += (BigInt(fixed) << BigInt(cycles - 1)) ** BigInt(sizes.rounds);
  }
  return sum / BigInt(all.length);
}

/** Yields words that no renaming makes smaller; `open` are the renamings that fix the prefix. */
function* canonicalWords(
  word: readonly number[],
  letters: readonly number[],
  open: readonly ReadonlyMap<number, number>[],
  left: number,
): Generator<readonly number[], undefined> {
  if (left === 0) {
    yield word;
    return;
  }
  for (const letter of letters) {
    if (open.some((images) => (images.get(letter) as number) < letter)) continue;
    const still = open.filter((images) => images.get(letter) === letter);
    yield* canonicalWords([...word, letter], letters, still, left - 1);
  }
}

/** A letter is a round as a number: the side as bits, then the proposer. */
function isRound(letter: number, count: number): boolean {
  return ((Math.floor(letter / count) >> (letter % count)) & 1) === 1;
}

function roundOf(letter: number, count: number): TwinRound {
  const side = Math.floor(letter / count);
  const members = Array.from({ length: count }, (_, instance) => instance);
  return { proposer: letter % count, side: members.filter((instance) => ((side >> instance) & 1) === 1) };
}

function renameLetter(letter: number, renaming: InstancePermutation): number {
  const count = renaming.length;
  const { proposer, side } = roundOf(letter, count);
  const bits = side.reduce((sum, instance) => sum | (1 << (renaming[instance] as number)), 0);
  return bits * count + (renaming[proposer] as number);
}

function checkSizes({ n, twins, rounds }: TwinSizes): void {
  requireRange("n", n, 1, INSTANCES_MAX);
  requireRange("twins", twins, 0, Math.min(n, INSTANCES_MAX - n));
  requireRange("rounds", rounds, 0, ROUNDS_MAX);
}

function requireRange(name: string, value: number, from: number, to: number): void {
  if (Number.isSafeInteger(value) && value >= from && value <= to) return;
  throw new RangeError(`twins: expected ${name} from ${from} to ${to}, got ${value}`);
}

export interface TwinSizes {
  /** Validators, each with its own key. */
  readonly n: number;
  /** Number of validators with a twin: the last ones. */
  readonly twins: number;
  readonly rounds: number;
}

/**
 * Renaming that changes no property of a network: of validators without a twin, of those with one, and of the two
 * instances of one key. Holds the image of each instance: the n validators first, then the twins of the last of them.
 */
export type InstancePermutation = readonly number[];

/** Returns all renamings, the identity first: (n - t)! t! 2^t. */
export function instancePermutations({ n, twins }: TwinSizes): readonly InstancePermutation[] {
  const single = n - twins;
  const pairs = Array.from({ length: twins }, (_, pair) => [single + pair, n + pair] as const);
  const found: InstancePermutation[] = [];
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
function cyclesOf(renaming: InstancePermutation): { readonly fixed: number; readonly cycles: number } {
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
