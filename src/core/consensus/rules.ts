/**
 * Decision functions of the agreement as one record (architecture law 6), and the context in which they decide. Known-bad
 * variants replace one of the functions; the core holds only the real ones.
 */
import type { Address, Hash, Round } from "../base/ids.ts";
import type { Authenticator } from "./authenticator.ts";
import { certificateFault } from "./certificate.ts";
import { closeFault, closingEvidenceOf } from "./close.ts";
import { type Committee, faultyOf, proposerOf, quorumOf } from "./committee.ts";
import { changeFault, proposalFault } from "./justification.ts";
import { roundLength } from "./limits.ts";
import type { LockCertificate, RoundChange } from "./message.ts";
import { roundValueIn, type SlotState } from "./slot-state.ts";

/** Inputs of the agreement besides the slot. */
export interface AgreementContext {
  readonly self: Address;
  readonly committee: Committee;
  readonly authenticator: Authenticator;
  readonly rules: ConsensusRules;
  /**
   * True if this validator still signs in this slot: after a close it signs only in the epoch's slot (protocol 6.3).
   */
  readonly isOpen: boolean;
}

/** Allows one vote per round, in the current round, and never in a decided slot (protocol 3.1, 1). */
export function mayVote(state: SlotState, round: Round): boolean {
  return state.decided === undefined && state.round === round && roundValueIn(state.votes, round) === undefined;
}

/**
 * Allows one commit on a lock certificate of the current round, with the value's content (protocol 3.1, 3), and only on
 * the recorded one: of two locks of one round the first is kept, and a round change has to carry what was committed on.
 */
export function mayCommit(state: SlotState, lock: LockCertificate, holdsContent: boolean): boolean {
  const isRecorded = state.lock?.round === lock.round && state.lock.value === lock.value;
  return (
    holdsContent && isRecorded && state.round === lock.round && roundValueIn(state.commits, lock.round) === undefined
  );
}

/**
 * Returns true if a vote or commit of this round may be sent again: in the current round only. A crash between its
 * record and its signature may have left it unsigned, and below the current round it would contradict the round change
 * (3.2).
 */
export function mayRepeat(state: SlotState, round: Round): boolean {
  return state.round === round;
}

/** Returns the lock that a round change carries: the highest of a lower round (protocol 3.2). */
export function carriedLock(state: SlotState, round: Round): LockCertificate | undefined {
  return state.lock !== undefined && state.lock.round < round ? state.lock : undefined;
}

/**
 * Returns the value that a justification forces: that of its highest lock, none if it carries no lock (protocol 3.2).
 */
export function forcedValue(justification: readonly RoundChange[]): Hash | undefined {
  let highest: LockCertificate | undefined;
  for (const { lock } of justification) {
    if (lock !== undefined && (highest === undefined || lock.round > highest.round)) highest = lock;
  }
  return highest?.value;
}

/**
 * Returns the (f + 1)-th highest round that distinct validators' round changes name: at least one of those is honest,
 * so Byzantine validators alone pull no one (protocol 3.2, 8).
 */
export function pulledRound(highestRounds: readonly Round[], faulty: number): Round {
  const sorted = [...highestRounds].sort((a, b) => b - a);
  return sorted[faulty] ?? (0 as Round);
}

/** The real rules, the only value of this type in the core. */
export const consensusRules = {
  quorumOf,
  faultyOf,
  proposerOf,
  certificateFault,
  roundLength,
  mayVote,
  mayCommit,
  mayRepeat,
  carriedLock,
  forcedValue,
  pulledRound,
  changeFault,
  proposalFault,
  closeFault,
  closingEvidenceOf,
};
export type ConsensusRules = Readonly<typeof consensusRules>;
