/**
 * Decision functions of the agreement as one record (architecture law 6), the context in which they decide, and the faults
 * of round changes and of the proposals that they justify (protocol 3.2). Known-bad variants replace one of the functions;
 * the core holds only the real ones.
 */
import type { Address, Hash, Round } from "../base/ids.ts";
import { slotKey } from "../base/slot.ts";
import type { Authenticator } from "./authenticator.ts";
import { certificateFault } from "./certificate.ts";
import { closeFault, closingEvidenceOf } from "./close.ts";
import { type Committee, faultyOf, proposerOf, quorumOf } from "./committee.ts";
import { roundLength } from "./limits.ts";
import type { LockCertificate, Proposal, RoundChange } from "./message.ts";
import { roundValueIn, type SlotMisbehaviour, type SlotState } from "./slot-state.ts";

/** Inputs of the agreement besides the slot. */
export interface AgreementContext {
  readonly self: Address;
  readonly committee: Committee;
  readonly authenticator: Authenticator;
  readonly rules: ConsensusRules;
  /** True if this validator still signs in this slot: after a close only in the epoch's slot (protocol 6.3). */
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

/** Returns the value that a justification forces: that of its highest lock, if it carries any (protocol 3.2). */
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

/** Committee and rules that verify a round change and its lock. */
interface ChangeVerifier {
  readonly committee: Committee;
  readonly authenticator: Authenticator;
  readonly rules: { readonly certificateFault: typeof certificateFault };
}

/** The same for a proposal and its justification. */
interface ProposalVerifier extends ChangeVerifier {
  readonly rules: ChangeVerifier["rules"] & {
    readonly changeFault: typeof changeFault;
    readonly proposerOf: typeof proposerOf;
    readonly forcedValue: (justification: readonly RoundChange[]) => Hash | undefined;
  };
}

/** Returns `undefined` for a round change that a member signed, with a lock of its slot and of a lower round, if any. */
export function changeFault(context: ChangeVerifier, change: RoundChange): SlotMisbehaviour | undefined {
  const { signer, signature, lock } = change;
  if (!context.committee.index.has(signer) || change.epoch !== context.committee.epoch) return "invalid signature";
  if (!context.authenticator.verifies(change, signer, signature)) return "invalid signature";
  if (lock === undefined) return undefined;
  const fits = lock.type === "lock" && lock.round < change.round && slotKey(lock.slot) === slotKey(change.slot);
  return fits && context.rules.certificateFault(context.committee, context.authenticator, lock) === undefined
    ? undefined
    : "invalid certificate";
}

/**
 * Returns `undefined` for a proposal that its round's proposer signed, justified by round changes of q members to this
 * round, with the value that they force, if any.
 */
export function proposalFault(context: ProposalVerifier, proposal: Proposal): SlotMisbehaviour | undefined {
  const { signer, signature, justification } = proposal;
  if (!context.authenticator.verifies(proposal, signer, signature)) return "invalid signature";
  if (context.rules.proposerOf(context.committee, proposal.slot, proposal.round) !== signer)
    return "unjustified proposal";
  if (proposal.round === 0)
    return justification.length === 0 && proposal.slot.kind !== "account" ? undefined : "unjustified proposal";
  const { quorum } = context.committee;
  if (justification.length !== quorum || new Set(justification.map((change) => change.signer)).size !== quorum)
    return "unjustified proposal";
  const slot = slotKey(proposal.slot);
  for (const change of justification) {
    const fits =
      change.type === "roundChange" &&
      change.round === proposal.round &&
      change.epoch === proposal.epoch &&
      slotKey(change.slot) === slot;
    if (!fits || context.rules.changeFault(context, change) !== undefined) return "unjustified proposal";
  }
  const forced = context.rules.forcedValue(justification);
  return forced === undefined || forced === proposal.value ? undefined : "unjustified proposal";
}
