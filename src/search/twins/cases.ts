/**
 * Canonical enumeration of twins (Bano et al., "Twins: BFT Systems Made Robust", 2020, adapted to a network without
 * leaders): in each round the network is split in two, and one instance, the round's proposer, receives an operation on
 * its side. After the rounds the network heals: the synchronous tail (scenario-of.ts).
 */
import { INSTANCES_MAX, ROUNDS_MAX } from "./limits.ts";
import { cyclesOf, type Renaming, renamings, type TwinSizes } from "./symmetry.ts";

export interface TwinRound {
  /** Instance that receives the round's operation. */
  readonly proposer: number;
  /** Instances on the proposer's side in order, itself included; all others are on the other side. */
  readonly side: readonly number[];
}

export type TwinCase = readonly TwinRound[];

/**
 * Yields each case once up to renaming (symmetry.ts): the lexicographically first of its class, so that a case's number
 * is stable. @throws RangeError for invalid sizes, or for one beyond the limits.
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

/** Returns the number of cases by Burnside's lemma, without enumeration. @throws RangeError as `twinCases` does. */
export function countTwinCases(sizes: TwinSizes): bigint {
  checkSizes(sizes);
  const all = renamings(sizes);
  let sum = 0n;
  for (const renaming of all) {
    const { fixed, cycles } = cyclesOf(renaming);
    // A renaming fixes a round if it fixes the proposer and the side is a union of cycles, the proposer's among them.
    sum += (BigInt(fixed) << BigInt(cycles - 1)) ** BigInt(sizes.rounds);
  }
  return sum / BigInt(all.length);
}

/** Yields words that no renaming makes smaller; `open` are the renamings that fix the prefix. */
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

/** Returns a round as a number: the side as bits, then the proposer. */
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
