/**
 * Agreement of one slot, input by input (protocol 3.1, 3.2). Pure: each function extends a `Transition`. The caller
 * decides on the validity of values; this folder knows only their hashes.
 */

import { append } from "../base/append.ts";
import type { Hash, Round } from "../base/ids.ts";
import { hasSigned, sealsFor, valuesOf, withBallot } from "./ballots.ts";
import { finalityOf, lockOf } from "./certificate.ts";
import { ROUNDS_AHEAD } from "./limits.ts";
import type { Commit, FinalityCertificate, LockCertificate, Vote } from "./message.ts";
import { changeRound, observeLock, omittedLock, proposeIfDue } from "./round-change.ts";
import type { AgreementContext } from "./rules.ts";
import {
  decidedRecord,
  EQUIVOCATIONS,
  mayName,
  PERSIST,
  report,
  type SlotState,
  type SlotUpdate,
} from "./slot-state.ts";

/** Votes for a value that the caller found valid, or that a justification forces, if the rules allow (3.1, 1). */
export function castVote(context: AgreementContext, update: SlotUpdate, round: Round, value: Hash): void {
  const { state, effects } = update;
  if (!context.isOpen || !context.rules.mayVote(state, round)) return;
  update.change().votes = append(state.votes, { round, value });
  effects.push(PERSIST, { type: "vote", round, value });
}

/**
 * Stores a vote or commit, and forms a certificate from q of them. One that comes after the decision is evidence only.
 */
export function receiveBallot(context: AgreementContext, update: SlotUpdate, ballot: Vote | Commit): void {
  const { state } = update;
  const { signer, signature } = ballot;
  const { decided } = state;
  if (decided?.value === ballot.value || !context.committee.index.has(signer)) return;
  if (ballot.round > state.round + ROUNDS_AHEAD) return;
  const seals = sealsFor(state.ballots, ballot);
  if (hasSigned(seals, signer)) return;
  if (!context.authenticator.verifies(ballot, signer, signature)) {
    report(update, signer, "invalid signature");
    return;
  }
  const named = namedValues(state, ballot);
  if (!mayName(update, ballot.type, signer, named, ballot.value) || decided !== undefined) return;
  if (ballot.type === "commit" && omittedLock(update, signer, ballot.round)) report(update, signer, "hidden lock");
  const ballots = withBallot(state.ballots, ballot);
  update.change().ballots = ballots;
  // Exactly q: later ones change nothing, and one certificate has one form at its collector.
  if (seals.length + 1 !== context.committee.quorum) return;
  const enough = sealsFor(ballots, ballot);
  if (ballot.type === "vote") update.effects.push({ type: "locked", lock: lockOf(ballot, enough) });
  else receiveFinality(context, update, finalityOf(ballot, enough), true);
}

/** Returns the values that the signer of a ballot named in its round, by other ballots and by the certificates here. */
function namedValues({ ballots, lock, decided }: SlotState, { type, round, signer }: Vote | Commit): readonly Hash[] {
  const named = valuesOf(ballots, type, round, signer);
  const shown = type === "vote" ? lock : decided;
  if (shown?.round !== round || !hasSigned(shown.seals, signer) || named.includes(shown.value)) return named;
  return [...named, shown.value];
}

/**
 * Handles a lock certificate: records it if it is the highest, and commits if it is of the current round and the
 * content is here (3.1, 3). One of a higher round moves this validator there first (3.2).
 */
export function receiveLock(
  context: AgreementContext,
  update: SlotUpdate,
  lock: LockCertificate,
  holdsContent: boolean,
): void {
  if (update.state.decided !== undefined) return;
  if (context.rules.certificateFault(context.committee, context.authenticator, lock) !== undefined) return;
  reportConflicts(update, lock);
  observeLock(context, update, lock);
  const { state } = update;
  if (!context.isOpen || !context.rules.mayCommit(state, lock, holdsContent)) return;
  update.change().commits = append(state.commits, { round: lock.round, value: lock.value });
  update.effects.push(PERSIST, { type: "commit", lock });
}

/** Decides the slot by a finality certificate of any round, at once (3.1, 4). */
export function receiveFinality(
  context: AgreementContext,
  update: SlotUpdate,
  certificate: FinalityCertificate,
  assembled: boolean,
): void {
  // The type of a received record may be false: q votes decide nothing.
  if (certificate.type !== "finality" || update.state.decided !== undefined) return;
  if (context.rules.certificateFault(context.committee, context.authenticator, certificate) !== undefined) return;
  reportConflicts(update, certificate);
  update.replace(decidedRecord(update.state, certificate));
  update.effects.push(PERSIST, { type: "decided", certificate, assembled });
}

/**
 * Reports each signer of a valid certificate that signed another value of its round, which a vote or commit here shows, or
 * the lock that is recorded (7.11). One whose two ballots are both here was reported when the second came.
 */
function reportConflicts(update: SlotUpdate, certificate: LockCertificate | FinalityCertificate): void {
  const { ballots, lock } = update.state;
  const { round, value, seals } = certificate;
  const type = certificate.type === "lock" ? "vote" : "commit";
  if (type === "vote" && lock?.round === round && lock.value === value) return;
  const rivals = type === "vote" && lock?.round === round ? lock.seals : [];
  if (ballots.length === 0 && rivals.length === 0) return;
  const valueSeals = sealsFor(ballots, { type, round, value });
  for (const { signer } of seals) {
    if (hasSigned(valueSeals, signer)) continue;
    if (hasSigned(rivals, signer) || valuesOf(ballots, type, round, signer).length > 0)
      report(update, signer, EQUIVOCATIONS[type]);
  }
}

/** Handles an expired round timer: changes to the next round (3.2). */
export function roundTimedOut(context: AgreementContext, update: SlotUpdate, round: Round): void {
  changeRound(context, update, (round + 1) as Round, "timeout");
  proposeIfDue(context, update);
}
