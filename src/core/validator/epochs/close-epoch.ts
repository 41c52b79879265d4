/** Closing of an epoch: receives a cause, signs one close, and collects the closes of others (protocol 6.3). */

import { entryOf } from "../../base/entry.ts";
import type { Round } from "../../base/ids.ts";
import { slotAt, slotKey } from "../../base/slot.ts";
import { receiveFinality } from "../../consensus/agreement.ts";
import { claimKey, statementKey } from "../../consensus/authenticator.ts";
import type { Close, FinalityCertificate, Seal } from "../../consensus/message.ts";
import type { Cause } from "../content.ts";
import { CLOSING_ROUND_MS } from "../limits.ts";
import type { Peer } from "../message.ts";
import { CLOSE_RECORD_KEY, type CloseRecord } from "../output.ts";
import { epochSlot, isSettled } from "../slot-position.ts";
import { cancelAllTimers, resetTimer, scheduleRetry } from "../slots/slot-timers.ts";
import { onSlot } from "../slots/slots.ts";
import { slotState } from "../state.ts";
import { allPeers, coverage, isMember, report, type StepContext, send, sign } from "../step-context.ts";
import { requestMissing } from "../sync/requests.ts";
import { causeFault } from "./check-closing.ts";

/** Handles a cause of closing the epoch: closes on a valid one and sends it to all. */
export function receiveCause(context: StepContext, cause: Cause): void {
  const { state } = context;
  if (state.epochs.closed !== undefined) return;
  if (causeFault(state, cause) === undefined) {
    if (cause.kind === "checkpoint") takeFinal(context, cause.certificate);
    closeEpoch(context, cause);
  } else if (cause.kind === "proposal") coverage(context, "governance refused");
}

/** From here on the validator signs nothing in this epoch except about its closing: durable before it is sent. */
function closeEpoch(context: StepContext, cause: Cause): void {
  const { state } = context;
  const slot = epochSlot(state);
  const claims = state.environment.rules.validator.claimsOf(state);
  state.epochs.closed = { close: { type: "close", epoch: state.ledger.epoch, slot, round: 0 as Round, claims }, cause };
  context.outputs.push({ type: "persist", key: CLOSE_RECORD_KEY, record: { of: "closed", ...state.epochs.closed } });
  coverage(context, "epoch closed");
  cancelAllTimers(context);
  continueClosing(context);
}

/**
 * Sends the close and starts the timer of the first proposer. After a restart: the same close, with the same claims.
 */
function continueClosing(context: StepContext): void {
  const { state } = context;
  const slot = epochSlot(state);
  sendClose(context);
  scheduleRetry(context, slotKey(slot), true);
  if (slotState(state, slot).round === 0) {
    resetTimer(context, { kind: "closing", slot: slotKey(slot) }, CLOSING_ROUND_MS);
  }
  context.agenda.push({ do: "closing" });
}

/** Resends this validator's close and its cause to all. */
export function sendClose(context: StepContext): void {
  const { closed } = context.state.epochs;
  if (closed === undefined) return;
  const reason = { kind: "closing", cause: closed.cause } as const;
  if (isMember(context.state)) sign(context, allPeers(context), closed.close, [], reason);
  else send(context, context.state.environment.others, { type: "disclosure", slot: closed.close.slot, reason });
}

/**
 * Stores a peer's close of this epoch, the first of each signer, if its signature and all its certificates are valid.
 */
export function receiveClose(context: StepContext, from: Peer, body: Close): void {
  const { epochs, environment } = context.state;
  const { committee, authenticator, rules } = environment;
  const known = epochs.closes.get(body.signer);
  if (known !== undefined && statementKey(withoutSeal(known)) === statementKey(withoutSeal(body))) return;
  const fault = rules.consensus.closeFault({ committee, authenticator, rules: rules.consensus }, body);
  if (fault !== undefined) {
    report(context, from, fault, slotKey(body.slot));
    return;
  }
  if (known !== undefined) {
    report(context, body.signer, "double close", slotKey(body.slot));
    return;
  }
  const claims = body.claims.map((claim) => entryOf(epochs.claimed, claimKey(claim), () => claim));
  epochs.closes.set(body.signer, { ...body, claims });
  learnCheckpoints(context, body);
  context.agenda.push({ do: "closing" });
}

/**
 * A final checkpoint that a close shows is needed to check any closing that builds on it. Its certificate is taken from the
 * close itself: no other validator need hold it, and the signer of the close need not answer.
 */
function learnCheckpoints(context: StepContext, { signer, claims }: Close): void {
  for (const claim of claims) {
    if (claim.slot.kind !== "checkpoint" || claim.type !== "finality") continue;
    takeFinal(context, claim);
    requestMissing(context, signer, slotAt(claim.slot, claim.slot.number + 1));
  }
}

/** The certificate of a final checkpoint, shown with something else: it decides the slot as if it had come by itself (protocol 3.1, 4). */
function takeFinal(context: StepContext, certificate: FinalityCertificate): void {
  const { slot } = certificate;
  if (isSettled(context.state, slot)) return;
  onSlot(context, slot, context.state.environment.self, receiveFinality, certificate, false);
}

function withoutSeal({ signer: _, signature: __, ...body }: Close): Omit<Close, keyof Seal> {
  return body;
}

/** Restores the close of an epoch that it has not left: it signs nothing else there, and sends the same close again. */
export function resumeClosing(context: StepContext, { close, cause }: CloseRecord): void {
  const { state } = context;
  if (close.epoch !== state.ledger.epoch) {
    context.outputs.push({ type: "erase", key: CLOSE_RECORD_KEY });
    return;
  }
  state.epochs.closed = { close, cause };
  continueClosing(context);
}
