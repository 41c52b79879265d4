/**
 * Agreement of one slot, input by input (protocol 3.1, 3.2). Pure: each function extends a `Transition`. The caller
 * decides on the validity of values; this folder knows only their hashes.
 */

import type { Hash, Round } from "../base/ids.ts";
import { finalityOf, lockOf } from "./certificate.ts";
import type { AgreementContext } from "./context.ts";
import { ROUNDS_AHEAD } from "./limits.ts";
import type { Commit, FinalityCertificate, LockCertificate, Seal, Vote } from "./message.ts";
import { changeRound, hidLock, proposeIfDue, seeLock } from "./round-change.ts";
import { ballotPrefix, changed, settled, type Transition } from "./slot-state.ts";
import { claim, report } from "./transition.ts";

/** Votes for a value that the caller found valid, or that a justification forces, if the rules allow (3.1, 1). */
export function castVote(context: AgreementContext, transition: Transition, round: Round, value: Hash): void {
  const { state, effects } = transition;
  if (!context.isOpen || !context.rules.mayVote(state, round)) return;
  transition.state = changed(state, { votes: state.votes.concat({ round, value }) });
  effects.push({ type: "persist" }, { type: "vote", round, value });
}

/** Stores a vote or commit, and forms a certificate from q of them. */
export function takeBallot(context: AgreementContext, transition: Transition, ballot: Vote | Commit): void {
  const { state } = transition;
  const { signer, signature } = ballot;
  if (state.decided !== undefined || !context.committee.index.has(signer)) return;
  if (ballot.round > state.round + ROUNDS_AHEAD) return;
  const prefix = ballotPrefix(ballot.type, ballot.round, ballot.value);
  if (state.ballots.has(prefix + signer)) return;
  if (!context.authenticator.holds(ballot, signer, signature)) {
    report(transition, signer, "invalid signature");
    return;
  }
  if (!claim(transition, ballot.type, ballot.round, signer, ballot.value)) return;
  if (ballot.type === "commit" && hidLock(transition, signer, ballot.round)) report(transition, signer, "hidden lock");
  const count = (transition.state.tallies.get(prefix) ?? 0) + 1;
  const ballots = transition.state.ballots.set(prefix + signer, { signer, signature });
  transition.state = changed(transition.state, { ballots, tallies: transition.state.tallies.set(prefix, count) });
  // Exactly q: later ones change nothing, and one certificate has one form at its collector.
  if (count !== context.committee.quorum) return;
  const seals = sealsOf(transition, prefix);
  if (ballot.type === "vote") transition.effects.push({ type: "locked", lock: lockOf(ballot, seals) });
  else takeFinality(context, transition, finalityOf(ballot, seals), true);
}

/**
 * Handles a lock certificate: records it if it is the highest, and commits if it is of the current round and the
 * content is here (3.1, 3). One of a higher round moves this validator there first (3.2).
 */
export function takeLock(
  context: AgreementContext,
  transition: Transition,
  lock: LockCertificate,
  holdsContent: boolean,
): void {
  if (transition.state.decided !== undefined) return;
  if (context.rules.certificateFault(context.committee, context.authenticator, lock) !== undefined) return;
  seeLock(context, transition, lock);
  const { state } = transition;
  if (!context.isOpen || !context.rules.mayCommit(state, lock, holdsContent)) return;
  transition.state = changed(state, { commits: state.commits.concat({ round: lock.round, value: lock.value }) });
  transition.effects.push({ type: "persist" }, { type: "commit", lock });
}

/** Decides the slot by a finality certificate of any round, at once (3.1, 4). */
export function takeFinality(
  context: AgreementContext,
  transition: Transition,
  certificate: FinalityCertificate,
  assembled: boolean,
): void {
  // The type of a received record may be false: q votes decide nothing.
  if (certificate.type !== "finality" || transition.state.decided !== undefined) return;
  if (context.rules.certificateFault(context.committee, context.authenticator, certificate) !== undefined) return;
  transition.state = settled(transition.state, certificate);
  transition.effects.push({ type: "persist" }, { type: "decided", certificate, assembled });
}

/** Handles an expired round timer: changes to the next round (3.2). */
export function roundTimedOut(context: AgreementContext, transition: Transition, round: Round): void {
  changeRound(context, transition, (round + 1) as Round, "timeout");
  proposeIfDue(context, transition);
}

function sealsOf(transition: Transition, prefix: string): readonly Seal[] {
  return transition.state.ballots.within(prefix).map(([, seal]) => seal);
}
