/** Closing an epoch: a cause is seen, what is known is said once and for all, and closes are gathered (design 6). */
import type { Round } from "../base/ids.ts";
import { type EpochSlot, slotAt, slotKey } from "../base/slot.ts";
import { Trie } from "../base/trie.ts";
import { closeFault } from "../consensus/close.ts";
import type { Close, Seal } from "../consensus/message.ts";
import { changeRound } from "../consensus/round-change.ts";
import { statementKey } from "../consensus/statement.ts";
import type { Turn } from "./agenda.ts";
import { causeFault, epochSlot } from "./closing-rules.ts";
import type { Cause } from "./content.ts";
import { CLOSING_ROUND_MS } from "./limits.ts";
import type { Peer } from "./message.ts";
import { CLOSED_KEY } from "./output.ts";
import { keepTrying, onSlot, slotState } from "./slots.ts";
import { everyone, mark, maySign, report, send, setTimer, sign } from "./speak.ts";
import { askFor } from "./sync.ts";

/** Why the epoch should close: whoever sees a cause that counts acts on it, and shows it to all. */
export function takeCause(turn: Turn, cause: Cause): void {
  const { state } = turn;
  if (state.closed !== undefined) return;
  if (causeFault(state, cause) === undefined) close(turn, cause);
  else if (cause.kind === "proposal") mark(turn, "governance refused");
}

/** From here on nothing is said in this epoch but about its closing: durable before it is said. */
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

/** Says it, and gives the first proposer a bounded time. Again after a restart: the same close, with the same claims. */
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

/** Tells everybody again what this validator closed its epoch with, and why. */
export function sayClose(turn: Turn): void {
  const { closed, environment } = turn.state;
  if (closed === undefined) return;
  if (maySign(turn.state)) sign(turn, everyone(turn), closed.close, [], { kind: "closing", cause: closed.cause });
  else send(turn, environment.others, { type: "cause", cause: closed.cause });
}

/** Nothing is asked again in a closed epoch: its timers end. */
function silence({ state, outputs }: Turn): void {
  for (const [key] of state.retries.entries()) outputs.push({ type: "cancelTimer", name: `retry ${key}` });
  for (const [name] of state.roundTimers.entries()) outputs.push({ type: "cancelTimer", name });
  state.retries = Trie.empty();
  state.roundTimers = Trie.empty();
}

/** A peer has closed this epoch: kept, the first of each, once its signature and all its certificates hold. */
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

/** A final checkpoint that a close shows is needed to judge any closing that builds on it. */
function learnCheckpoints(turn: Turn, { signer, claims }: Close): void {
  for (const claim of claims) {
    if (claim.slot.kind === "checkpoint" && claim.type === "finality")
      askFor(turn, signer, slotAt(claim.slot, claim.slot.number + 1));
  }
}

function unsigned({ signer: _, signature: __, ...body }: Close): Omit<Close, keyof Seal> {
  return body;
}

/** Round 0 ended without a closing: the next proposer's turn (design 3.2). */
export function endClosingRound(turn: Turn, name: string, slot: EpochSlot): void {
  const { state } = turn;
  state.roundTimers = state.roundTimers.delete(name);
  const { round, decided } = slotState(state, slot);
  if (slot.epoch !== state.ledger.epoch || decided !== undefined || round > 0) return;
  onSlot(turn, slot, state.environment.self, (context, transition) =>
    changeRound(context, transition, 1 as Round, "timeout"),
  );
}
