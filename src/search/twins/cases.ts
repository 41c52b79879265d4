/**
 * Twins in canonical enumeration (Bano et al., "Twins: BFT Systems Made Robust", 2020, adapted to a network without
 * leaders): in each round the network is split in two, and one running program, the round's proposer, is handed an
 * operation on its side. After the rounds everybody hears everybody again: the synchronous tail (scenario-of.ts).
 */
import { INSTANCES_MAX, ROUNDS_MAX } from "./limits.ts";
import { cyclesOf, type Renaming, renamings, type TwinSizes } from "./symmetry.ts";

export interface TwinRound {
  /** The instance that is handed the round's operation. */
  readonly proposer: number;
  /** Who is on its side, itself among them, in order; everybody else is on the other one. */
  readonly side: readonly number[];
}

export type TwinCase = readonly TwinRound[];

/**
 * Each case once up to renaming (symmetry.ts): the first of its kind in the order of rounds, so that a number names the
 * same case for ever. @throws RangeError for sizes that make no network, or one past the limits.
 */
export function* twinCases(sizes: TwinSizes): Generator<TwinCase, undefined> {
  checkSizes(sizes);
  const count = sizes.n + sizes.twins;
  const letters = Array.from({ length: count << count }, (_, letter) => letter).filter((one) => isRound(one, count));
  const images = renamings(sizes).map((renaming) =>
    letters.reduce((to, one) => to.set(one, renamed(one, renaming)), new Map<number, number>()),
  );
  for (const word of canonical([], letters, images, sizes.rounds)) yield word.map((letter) => roundOf(letter, count));
}

/** How many cases there are: by Burnside's lemma, without making one. @throws RangeError as `twinCases` does. */
export function countTwinCases(sizes: TwinSizes): bigint {
  checkSizes(sizes);
  const all = renamings(sizes);
  let sum = 0n;
  for (const renaming of all) {
    const { fixed, cycles } = cyclesOf(renaming);
    // A round stays as it is where its proposer does and its side is made of whole cycles, the proposer's among them.
    sum += (BigInt(fixed) << BigInt(cycles - 1)) ** BigInt(sizes.rounds);
  }
  return sum / BigInt(all.length);
}

/** Words that no renaming makes smaller; `open` are the renamings that leave the word so far as it is. */
function* canonical(
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
    yield* canonical([...word, letter], letters, still, left - 1);
  }
}

/** A round as a number: the side as bits, then the proposer. */
function letterOf(proposer: number, side: number, count: number): number {
  return side * count + proposer;
}

function isRound(letter: number, count: number): boolean {
  return ((Math.floor(letter / count) >> (letter % count)) & 1) === 1;
}

function roundOf(letter: number, count: number): TwinRound {
  const side = Math.floor(letter / count);
  const members = Array.from({ length: count }, (_, instance) => instance);
  return { proposer: letter % count, side: members.filter((instance) => ((side >> instance) & 1) === 1) };
}

function renamed(letter: number, renaming: Renaming): number {
  const count = renaming.length;
  const { proposer, side } = roundOf(letter, count);
  const bits = side.reduce((sum, instance) => sum | (1 << (renaming[instance] as number)), 0);
  return letterOf(renaming[proposer] as number, bits, count);
}

function checkSizes({ n, twins, rounds }: TwinSizes): void {
  demand("n", n, 1, INSTANCES_MAX);
  demand("twins", twins, 0, Math.min(n, INSTANCES_MAX - n));
  demand("rounds", rounds, 0, ROUNDS_MAX);
}

function demand(what: string, value: number, from: number, to: number): void {
  if (Number.isSafeInteger(value) && value >= from && value <= to) return;
  throw new RangeError(`twins: expected ${what} from ${from} to ${to}, got ${value}`);
}
