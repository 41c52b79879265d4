/** Division of the time of a continuous campaign: rounds at the newest commit, each of slices. */

/** Seeds that one slice may draw at most; no two slices share any. */
export const SLICE_SEEDS = 1_000_000;
/** Parts of a round's time; fresh seeds get the rest, and what the others leave. */
const TENTHS = { kept: 1, explore: 2, guided: 3 } as const;

export type SliceKind = keyof typeof TENTHS | "fresh";

/** State between rounds, and between calls. */
export interface RoundState {
  /** Rounds begun so far. */
  readonly rounds: number;
  readonly commit: string | undefined;
  /** Slices that this commit has finished: they would show the same again. */
  readonly finished: readonly SliceKind[];
}

export const FIRST_ROUND: RoundState = { rounds: 0, commit: undefined, finished: [] };

/** Returns the state in which a round at a commit begins. */
export function nextRound({ rounds, commit, finished }: RoundState, newest: string): RoundState {
  return { rounds: rounds + 1, commit: newest, finished: commit === newest ? finished : [] };
}

/** Returns the kinds of slices of a round, in order. */
export function slicesOf({ finished }: RoundState): readonly SliceKind[] {
  return (["kept", "explore", "guided", "fresh"] as const).filter((kind) => !finished.includes(kind));
}

/** Returns the seconds of a slice, at least one. `left`: seconds until the end of the round. */
export function secondsOf(kind: SliceKind, roundSeconds: number, left: number): number {
  const share = kind === "fresh" ? left : (roundSeconds * TENTHS[kind]) / 10;
  return Math.max(1, Math.floor(Math.min(share, left)));
}

/** Returns the first seed of a slice. */
export function firstSeedIn(kind: SliceKind, { rounds }: RoundState, first: bigint): bigint {
  const slices = BigInt(2 * (rounds - 1) + (kind === "guided" ? 1 : 0));
  return first + slices * BigInt(SLICE_SEEDS);
}

/** Returns true for slices that have an end: the same jobs at each commit. */
export function hasEnd(kind: SliceKind): boolean {
  return kind === "kept" || kind === "explore";
}

/** Returns the name of a slice's campaign. One that has an end goes on under its name. */
export function nameOf(kind: SliceKind, { rounds, commit = "" }: RoundState): string {
  const short = commit.slice(0, 12);
  return hasEnd(kind) ? `${short}-${kind}` : `${short}-${rounds}-${kind}`;
}
