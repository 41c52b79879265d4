/** Round changes, and the justification that makes the next proposal safe (protocol 3.2, 3.3). */

import type { Address, Round } from "../base/ids.ts";
import { paddedNumber } from "../base/slot.ts";
import { hasSigned } from "./ballots.ts";
import { ROUNDS_AHEAD } from "./limits.ts";
import type { LockCertificate, Proposal, RoundChange } from "./message.ts";
import type { AgreementContext } from "./rules.ts";
import {
  changeKey,
  changesFor,
  mayName,
  PERSIST,
  type RoundCause,
  report,
  type SlotState,
  type SlotUpdate,
} from "./slot-state.ts";

/** Moves to a higher round: from now on it neither votes nor commits below it, and sends its highest lock (3.2). */
export function changeRound(context: AgreementContext, update: SlotUpdate, round: Round, cause: RoundCause): void {
  const { state, effects } = update;
  if (!context.isOpen || state.decided !== undefined || round <= state.round) return;
  const lock = context.rules.carriedLock(state, round);
  const changed = update.change();
  changed.round = round;
  changed.carried = lock;
  effects.push(PERSIST, { type: "changeRound", round, lock, cause });
}

/**
 * Records a valid lock certificate. One of a higher round moves this validator there first (3.2): recorded before, it
 * would hide the lower lock that the round change has to carry.
 */
export function observeLock(context: AgreementContext, update: SlotUpdate, lock: LockCertificate): void {
  changeRound(context, update, lock.round, "lock");
  const { state } = update;
  if (state.lock === undefined || lock.round > state.lock.round) update.change().lock = lock;
}

/** Handles a round change: it may pull this validator, start the round's timer, or complete a justification. */
export function receiveRoundChange(context: AgreementContext, update: SlotUpdate, change: RoundChange): void {
  const { state } = update;
  if (state.decided !== undefined || change.round < 1) return;
  const fault = context.rules.changeFault(context, change);
  if (fault !== undefined) {
    if (context.committee.index.has(change.signer)) report(update, change.signer, fault);
    return;
  }
  if (change.lock !== undefined) observeLock(context, update, change.lock);
  const key = changeKey(change.round, change.signer);
  const earlierChange = update.state.changes.get(key);
  if (earlierChange === undefined) {
    if (omitsLock(update, change)) report(update, change.signer, "hidden lock");
    const { highest } = update.state;
    const isHigher = change.round > (highest.get(change.signer) ?? 0);
    const changed = update.change();
    changed.changes = withChange(update.state, change);
    if (isHigher) changed.highest = highest.set(change.signer, change.round);
  } else if (lockText(earlierChange) !== lockText(change)) {
    report(update, change.signer, "double round change");
  }
  changeRound(context, update, context.rules.pulledRound(highestRounds(update), context.committee.faulty), "pull");
  startTimer(context, update);
  proposeIfDue(context, update);
}

/**
 * Of rounds far ahead only the highest of each signer is kept: a Byzantine validator can name any number of them, but
 * one that was cut off for long must still learn where f + 1 others are (3.2).
 */
function withChange({ changes, round }: SlotState, change: RoundChange): SlotState["changes"] {
  const far = round + ROUNDS_AHEAD;
  if (change.round <= far) return changes.set(changeKey(change.round, change.signer), change);
  let kept = changes;
  for (const [key, other] of changes.entries()) {
    if (other.signer !== change.signer || other.round <= far) continue;
    if (other.round > change.round) return changes;
    kept = kept.delete(key);
  }
  return kept.set(changeKey(change.round, change.signer), change);
}

/** Starts the timer of the current round at q round changes for it or a higher one (3.2). */
function startTimer(context: AgreementContext, update: SlotUpdate): void {
  const { round } = update.state;
  if (round === 0) return;
  const memberCount = highestRounds(update).filter((highestRound) => highestRound >= round).length;
  if (memberCount >= context.committee.quorum) update.effects.push({ type: "roundTimer", round });
}

/** Requests a proposal, once, if this validator is its round's proposer and holds a justification. */
export function proposeIfDue(context: AgreementContext, update: SlotUpdate): void {
  const { state, effects } = update;
  const { round } = state;
  if (!context.isOpen || state.decided !== undefined || round === 0) return;
  const justification = changesFor(state, round).slice(0, context.committee.quorum);
  if (justification.length < context.committee.quorum) return;
  if (context.rules.proposerOf(context.committee, state.slot, round) !== context.self) return;
  effects.push({ type: "propose", round, forced: context.rules.forcedValue(justification), justification });
}

/** Status of a proposal: not to be voted for, forced by its justification, or a free choice that the caller checks. */
export type ProposalStatus = "ignored" | "forced" | "free";

/** Handles a proposal. A justified one of a higher round moves this validator there (3.2). */
export function receiveProposal(context: AgreementContext, update: SlotUpdate, proposal: Proposal): ProposalStatus {
  const { state } = update;
  const { round, signer } = proposal;
  if (state.decided !== undefined || round < state.round) return "ignored";
  const fault = context.rules.proposalFault(context, proposal);
  if (fault !== undefined) {
    if (context.committee.index.has(signer)) report(update, signer, fault);
    return "ignored";
  }
  noteProposal(update, proposal);
  for (const { lock } of proposal.justification) if (lock !== undefined) observeLock(context, update, lock);
  changeRound(context, update, round, "proposal");
  const proposals = update.state.proposals;
  if (proposals.has(paddedNumber(round))) {
    if (proposals.get(paddedNumber(round))?.value !== proposal.value) return "ignored";
  } else {
    update.change().proposals = proposals.set(paddedNumber(round), proposal);
  }
  return proposalStatus(context, proposal);
}

/** Notes the values that a signer proposes in a round, up to a bound. */
function noteProposal(update: SlotUpdate, { round, signer, value }: Proposal): void {
  const { proposedBy } = update.state;
  const key = changeKey(round, signer);
  const named = proposedBy.get(key) ?? [];
  if (!mayName(update, "proposal", signer, named, value) || named.includes(value)) return;
  update.change().proposedBy = proposedBy.set(key, [...named, value]);
}

/** Returns the status of a justified proposal: forced or free (3.2). */
export function proposalStatus(context: Pick<AgreementContext, "rules">, proposal: Proposal): ProposalStatus {
  return context.rules.forcedValue(proposal.justification) === undefined ? "free" : "forced";
}

/**
 * Returns true if a signer's own commit contradicts its round change: the commit's round is above that of the lock that
 * the round change carries, and below the round that it names.
 */
function omitsLock(update: SlotUpdate, change: RoundChange): boolean {
  const lockRound = change.lock?.round ?? -1;
  return update.state.ballots.some(
    ({ type, round, seals }) =>
      type === "commit" && round < change.round && round > lockRound && hasSigned(seals, change.signer),
  );
}

/** Returns true if a signer's round change to a round above its commit's carries no lock of that round or above. */
export function omittedLock(update: SlotUpdate, signer: Address, round: Round): boolean {
  if (update.state.changes.size === 0) return false;
  for (const change of update.state.changes.values()) {
    if (change.signer === signer && change.round > round && (change.lock?.round ?? -1) < round) return true;
  }
  return false;
}

function lockText({ lock }: RoundChange): string {
  return lock === undefined ? "" : `${lock.round} ${lock.value}`;
}

/** Returns for each validator the highest round that its round changes name. Cost: O(validators). */
function highestRounds({ state }: SlotUpdate): readonly Round[] {
  return state.highest.values();
}
