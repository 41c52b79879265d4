/** Closing of an epoch: receives a cause, signs one close, and collects the closes of others (protocol 6.3). */
import type { Round } from "../../base/ids.ts";
import { slotAt, slotKey } from "../../base/slot.ts";
import { takeFinality } from "../../consensus/agreement.ts";
import { closeFault } from "../../consensus/close.ts";
import type { Close, FinalityCertificate, Seal } from "../../consensus/message.ts";
import { statementKey } from "../../consensus/statement.ts";
import type { Turn } from "../agenda.ts";
import { CLOSING_ROUND_MS } from "../limits.ts";
import type { Peer } from "../message.ts";
import { CLOSED_KEY } from "../output.ts";
import type { Cause } from "../slots/content.ts";
import { isSettled } from "../slots/place.ts";
import { keepTrying, onSlot, silence, slotState } from "../slots/slots.ts";
import { everyone, mark, maySign, report, send, setTimer, sign } from "../speak.ts";
import { askFor } from "../sync/sync.ts";
import { causeFault, epochSlot } from "./closing-rules.ts";

/** Handles a cause of closing the epoch: closes on a valid one and sends it to all. */
export function takeCause(turn: Turn, cause: Cause): void {
  const { state } = turn;
  if (state.closed !== undefined) return;
  if (causeFault(state, cause) === undefined) {
    if (cause.kind === "checkpoint") takeFinal(turn, cause.certificate);
    close(turn, cause);
  } else if (cause.kind === "proposal") mark(turn, "governance refused");
}

/** From here on the validator signs nothing in this epoch except about its closing: durable before it is sent. */
function close(turn: Turn, cause: Cause): void {
  const { state } = turn;
  const slot = epochSlot(state);
  const claims = state.environment.rules.validator.claimsOf(state);
  state.closed = { close: { type: "close", epoch: state.ledger.epoch, slot, round: 0 as Round, claims }, cause };
  turn.outputs.push({ type: "persist", key: CLOSED_KEY, record: { of: "closed", ...state.closed } });
  mark(turn, "epoch closed");
  silence(turn);
  goOnClosing(turn);
}

/**
 * Sends the close and starts the timer of the first proposer. After a restart: the same close, with the same claims.
 */
export function goOnClosing(turn: Turn): void {
  const { state } = turn;
  const slot = epochSlot(state);
  sayClose(turn);
  keepTrying(turn, slotKey(slot), true);
  if (slotState(state, slot).round === 0) {
    const timer = `closing ${slotKey(slot)}`;
    state.roundTimers = state.roundTimers.set(timer, true);
    setTimer(turn, timer, CLOSING_ROUND_MS);
  }
  turn.agenda.push({ do: "closing" });
}

/** Resends this validator's close and its cause to all. */
export function sayClose(turn: Turn): void {
  const { closed, environment } = turn.state;
  if (closed === undefined) return;
  if (maySign(turn.state)) sign(turn, everyone(turn), closed.close, [], { kind: "closing", cause: closed.cause });
  else send(turn, environment.others, { type: "cause", cause: closed.cause });
}

/**
 * Stores a peer's close of this epoch, the first of each signer, if its signature and all its certificates are valid.
 */
export function takeClose(turn: Turn, from: Peer, body: Close): void {
  const { state } = turn;
  const { committee, authenticator, rules } = state.environment;
  const known = state.closes.get(body.signer);
  if (known !== undefined && statementKey(unsigned(known)) === statementKey(unsigned(body))) return;
  const fault = closeFault({ committee, authenticator, rules: rules.consensus }, body);
  if (fault !== undefined) {
    report(turn, from, fault, slotKey(body.slot));
    return;
  }
  if (known !== undefined) {
    report(turn, body.signer, "double close", slotKey(body.slot));
    return;
  }
  state.closes = state.closes.set(body.signer, body);
  learnCheckpoints(turn, body);
  turn.agenda.push({ do: "closing" });
}

/**
 * A final checkpoint that a close shows is needed to check any closing that builds on it. Its certificate is taken from the
 * close itself: no other validator need hold it, and the signer of the close need not answer.
 */
function learnCheckpoints(turn: Turn, { signer, claims }: Close): void {
  for (const claim of claims) {
    if (claim.slot.kind !== "checkpoint" || claim.type !== "finality") continue;
    takeFinal(turn, claim);
    askFor(turn, signer, slotAt(claim.slot, claim.slot.number + 1));
  }
}

/** The certificate of a final checkpoint, shown with something else: it decides the slot as if it had come by itself (protocol 3.1, 4). */
function takeFinal(turn: Turn, certificate: FinalityCertificate): void {
  const { slot } = certificate;
  if (isSettled(turn.state, slot)) return;
  onSlot(turn, slot, turn.state.environment.self, (context, transition) =>
    takeFinality(context, transition, certificate, false),
  );
}

function unsigned({ signer: _, signature: __, ...body }: Close): Omit<Close, keyof Seal> {
  return body;
}
