/**
 * Votes and commits of others for the values of one slot: certificates are made of them. Immutable, and the same for
 * every order of arrival. Cost: linear in the values that were named and in the signers of one of them.
 */
import { append } from "../base/append.ts";
import type { Address, Hash, Round } from "../base/ids.ts";
import type { Commit, Seal, Vote } from "./message.ts";

/** Votes or commits of distinct signers for one value in one round. */
export interface Tally {
  readonly type: "vote" | "commit";
  readonly round: Round;
  readonly value: Hash;
  /** Ascending by signer. */
  readonly seals: readonly Seal[];
}

/** Ascending by type, round and value. */
export type Ballots = readonly Tally[];

export const NO_BALLOTS: Ballots = [];

type BallotKey = Pick<Tally, "type" | "round" | "value">;

/** Returns the votes or commits for one value in one round. */
export function sealsFor(ballots: Ballots, { type, round, value }: BallotKey): readonly Seal[] {
  for (const tally of ballots)
    if (tally.value === value && tally.round === round && tally.type === type) return tally.seals;
  return [];
}

/** Returns true if the signer is among these. */
export function hasSigned(seals: readonly Seal[], signer: Address): boolean {
  for (const seal of seals) if (seal.signer === signer) return true;
  return false;
}

/** Returns the values for which a signer voted or committed in one round. */
export function valuesOf(ballots: Ballots, type: Tally["type"], round: Round, signer: Address): readonly Hash[] {
  const values: Hash[] = [];
  for (const tally of ballots)
    if (tally.round === round && tally.type === type && hasSigned(tally.seals, signer)) values.push(tally.value);
  return values;
}

/** Returns the ballots with one more, of a signer that is not among them for its value and round. */
export function withBallot(ballots: Ballots, ballot: Vote | Commit): Ballots {
  const { type, round, value, signer, signature } = ballot;
  const seal: Seal = { signer, signature };
  const at = ballots.findIndex((tally) => compareBallots(tally, ballot) >= 0);
  const tally = ballots[at];
  if (tally === undefined) return append(ballots, { type, round, value, seals: [seal] });
  if (compareBallots(tally, ballot) > 0) return ballots.toSpliced(at, 0, { type, round, value, seals: [seal] });
  return ballots.with(at, { type, round, value, seals: withSeal(tally.seals, seal) });
}

function withSeal(seals: readonly Seal[], seal: Seal): readonly Seal[] {
  const at = seals.findIndex(({ signer }) => signer > seal.signer);
  return at < 0 ? append(seals, seal) : seals.toSpliced(at, 0, seal);
}

function compareBallots(a: BallotKey, b: BallotKey): number {
  if (a.type !== b.type) return a.type < b.type ? -1 : 1;
  if (a.round !== b.round) return a.round - b.round;
  if (a.value === b.value) return 0;
  return a.value < b.value ? -1 : 1;
}
