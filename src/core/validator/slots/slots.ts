/** Runs one slot's agreement and carries out what it asks for: persist before sign, in order (protocol 3.1). */

import { unreachable } from "../../base/assert.ts";
import type { Round } from "../../base/ids.ts";
import { isChainSlot, type Slot, type SlotKey, slotKey } from "../../base/slot.ts";
import { Trie } from "../../base/trie.ts";
import { takeLock } from "../../consensus/agreement.ts";
import type { AgreementContext } from "../../consensus/context.ts";
import {
  type Effect,
  newSlot,
  type SlotMisbehaviour,
  type SlotState,
  type Transition,
} from "../../consensus/slot-state.ts";
import { lastCheckpointOf } from "../../ledger/epoch.ts";
import type { Turn } from "../agenda.ts";
import { BACKOFFS, RELAY_MS, TAKEOVER_MS, TAKEOVER_STAGGER_MS } from "../limits.ts";
import { noteShown } from "../mempool/pending.ts";
import type { Peer, SlotReason } from "../message.ts";
import type { DurableRecord } from "../output.ts";
import { everyone, mark, maySign, report, send, setTimer, sign } from "../speak.ts";
import type { ValidatorState } from "../state.ts";
import type { Content } from "./content.ts";
import { operationsIn } from "./reason-check.ts";

/** What this validator knows about a slot; a fresh one where it knows nothing. */
export function slotState(state: ValidatorState, slot: Slot): SlotState {
  return state.slots.get(slotKey(slot)) ?? newSlot(slot, state.environment.committee.epoch);
}

/**
 * Moves a slot on, carries out the effects, and returns what the move returned. `collector` is who put the question: votes and commits go there.
 */
export function onSlot<T>(
  turn: Turn,
  slot: Slot,
  collector: Peer,
  move: (context: AgreementContext, transition: Transition) => T,
): T {
  const { self, committee, authenticator, rules } = turn.state.environment;
  const isOpen = rules.validator.isOpen(turn.state, slot);
  const context: AgreementContext = { self, committee, authenticator, rules: rules.consensus, isOpen };
  const transition: Transition = { state: slotState(turn.state, slot), effects: [] };
  const before = transition.state;
  const result = move(context, transition);
  if (transition.state !== before) turn.state.slots = turn.state.slots.set(slotKey(slot), transition.state);
  let isPersisted = false;
  for (const effect of transition.effects) {
    if (effect.type === "persist") {
      // One record holds all of a slot, so the first persist covers every effect of this transition.
      if (!isPersisted) persist(turn, slot);
      isPersisted = true;
    } else {
      carryOut(turn, slot, collector, effect);
    }
  }
  return result;
}

/** Makes what this validator has done in a slot durable. */
export function persist(turn: Turn, slot: Slot): void {
  const { state } = turn;
  const { epoch, round, votes, commits, proposed, lock, carried, decided } = slotState(state, slot);
  const contents: Content[] = [];
  for (const named of [...votes, ...commits, proposed, lock, decided]) {
    const content = named === undefined ? undefined : state.contents.get(named.value);
    if (content !== undefined && !contents.includes(content)) contents.push(content);
  }
  const reasons = reasonsOf(state, slot);
  const record: DurableRecord = {
    of: "slot",
    epoch,
    slot,
    round,
    votes,
    commits,
    proposed,
    lock,
    carried,
    decided,
    contents,
    reasons,
  };
  turn.outputs.push({ type: "persist", key: slotKey(slot), record });
}

function carryOut(turn: Turn, slot: Slot, collector: Peer, effect: Exclude<Effect, { type: "persist" }>): void {
  const { state } = turn;
  const key = slotKey(slot);
  const { epoch } = state.environment.committee;
  switch (effect.type) {
    case "vote":
      sign(turn, [collector], { type: "vote", epoch, slot, round: effect.round, value: effect.value });
      keepTrying(turn, key, collector === state.environment.self);
      return;
    case "commit":
      raiseBarrier(turn, slot, effect.lock.value);
      sign(turn, [collector], { type: "commit", epoch, slot, round: effect.lock.round, value: effect.lock.value });
      keepTrying(turn, key, collector === state.environment.self);
      return;
    case "changeRound":
      sayRoundChange(turn, slot, everyone(turn));
      if (effect.cause !== "reason") mark(turn, MARK_OF[effect.cause]);
      keepTrying(turn, key, true);
      return;
    case "locked":
      send(turn, state.environment.others, { type: "consensus", body: effect.lock, contents: [], reason: undefined });
      onSlot(turn, slot, state.environment.self, (context, transition) =>
        takeLock(
          context,
          transition,
          effect.lock,
          state.environment.rules.validator.holdsContent(state.contents, effect.lock.value),
        ),
      );
      return;
    case "decided":
      decided(turn, slot, effect);
      return;
    case "propose":
      turn.agenda.push({
        do: "propose",
        slot,
        round: effect.round,
        forced: effect.forced,
        justification: effect.justification,
      });
      return;
    case "roundTimer":
      startRoundTimer(turn, key, effect.round);
      return;
    case "report":
      report(turn, isSigned(effect.misbehaviour) ? effect.signer : turn.from, effect.misbehaviour, key);
      return;
    default:
      unreachable(effect);
  }
}

/** The reasons kept of a slot, one of each kind at most. */
export function reasonsOf({ reasons }: ValidatorState, slot: Slot): readonly SlotReason[] {
  return reasons.get(slotKey(slot)) ?? NO_REASONS;
}

const NO_REASONS: readonly SlotReason[] = [];

/** Says where this validator stands in a slot, with a reason that counts, if it knows one. One that signs nothing shows the reason: others act on it. */
export function sayRoundChange(turn: Turn, slot: Slot, to: readonly Peer[]): void {
  const { state } = turn;
  const { epoch, round, carried: lock } = slotState(state, slot);
  const reasons = reasonsOf(state, slot);
  const counts = (one: SlotReason): boolean => state.environment.rules.validator.reasonCounts(state, slot, one);
  const reason = reasons.find(counts) ?? reasons[0];
  // Disclosed with it, whatever came of it here: its client is never told that nobody has seen it (protocol 4.2).
  if (reason !== undefined) noteShown(turn, operationsIn(reason));
  sign(turn, to, { type: "roundChange", epoch, slot, round, lock }, [], reason);
  if (maySign(state) || reason === undefined) return;
  mark(turn, "reason shown unsigned");
  const others = to.filter((peer) => peer !== state.environment.self);
  send(turn, others, { type: "reason", slot, reason });
}

const MARK_OF = {
  timeout: "round change by timeout",
  pull: "round change by pull",
  proposal: "moved by a proposal",
  lock: "moved by a lock",
} as const;

/**
 * Whether what is wrong was signed by whoever it names. A signature that does not hold says nothing about its signer, and none
 * covers the seals of a certificate or the round changes that justify a proposal: for those whoever sent them answers.
 */
function isSigned(misbehaviour: SlotMisbehaviour): boolean {
  return (
    misbehaviour !== "invalid signature" &&
    misbehaviour !== "invalid certificate" &&
    misbehaviour !== "unjustified proposal"
  );
}

function decided(turn: Turn, slot: Slot, { certificate, assembled }: Extract<Effect, { type: "decided" }>): void {
  const { state } = turn;
  const key = slotKey(slot);
  const content = state.contents.get(certificate.value);
  if (certificate.round > 0) mark(turn, "decided in a later round");
  if (slotState(state, slot).round > certificate.round) mark(turn, "hidden certificate surfaced");
  turn.outputs.push({ type: "event", event: { type: "decided", certificate, content } });
  if (assembled) {
    const contents = content === undefined ? [] : [content];
    send(turn, audienceOf(state, content), { type: "consensus", body: certificate, contents, reason: undefined });
  }
  closeSlot(turn, key);
  turn.agenda.push({ do: "apply", slot });
  // A checkpoint that lists it may have waited for it.
  if (!isChainSlot(slot) && state.waiting.size > 0) turn.agenda.push({ do: "judgeAgain", prefix: "checkpoint/" });
  if (slot.kind === "checkpoint" && slot.number === lastCheckpointOf(state.ledger))
    turn.agenda.push({ do: "close", cause: { kind: "checkpoint", certificate } });
}

/** Everybody else; a closing goes to those of the next committee, too. */
function audienceOf({ environment }: ValidatorState, content: Content | undefined): readonly Peer[] {
  if (content?.value.type !== "closing") return environment.others;
  const next = content.value.next.validators.map(({ key }) => key);
  return [...new Set([...environment.others, ...next])].filter((key) => !environment.keys.includes(key));
}

/** Stops the timers of a slot that is decided. */
export function closeSlot(turn: Turn, key: SlotKey): void {
  const { state } = turn;
  if (state.retries.has(key)) {
    state.retries = state.retries.delete(key);
    turn.outputs.push({ type: "cancelTimer", name: `retry ${key}` });
  }
  for (const [name] of state.roundTimers.within(`round ${key} `)) {
    state.roundTimers = state.roundTimers.delete(name);
    turn.outputs.push({ type: "cancelTimer", name });
  }
}

/** Stops the timers of all slots: their epoch is closed, or over. */
export function silence({ state, outputs }: Turn): void {
  for (const [key] of state.retries.entries()) outputs.push({ type: "cancelTimer", name: `retry ${key}` });
  for (const [name] of state.roundTimers.entries()) outputs.push({ type: "cancelTimer", name });
  state.retries = Trie.empty();
  state.roundTimers = Trie.empty();
}

/**
 * From the commit on this validator votes by the restrictions of the list, before they are applied (protocol 4.2). The
 * list of a later round stands for all: it was locked, so what an earlier lock was for is not decided (protocol 3.3).
 */
export function raiseBarrier(turn: Turn, slot: Slot, value: string): void {
  const { state } = turn;
  if (slot.kind !== "token") return;
  const content = state.contents.get(value);
  if (content === undefined) return;
  const restrictions = state.environment.rules.ledger.restrictionsOf(content.operations);
  if (restrictions.length === 0) return;
  state.barriers = state.barriers.set(slotKey(slot), restrictions);
  mark(turn, "barrier raised");
}

/**
 * Sets the timer after which this validator asks again about a slot, or takes its relay over (protocol 3.1). A relay
 * asks sooner than those that only voted, and they one after the other.
 */
export function keepTrying(turn: Turn, key: SlotKey, isRelay: boolean): void {
  const { state } = turn;
  if (state.retries.has(key)) return;
  state.retries = state.retries.set(key, 0);
  setTimer(turn, `retry ${key}`, isRelay ? RELAY_MS : TAKEOVER_MS + stagger(state));
}

/** Sets the next retry of a slot, each pause twice the one before up to a bound. Returns how many there were. */
export function tryAgain(turn: Turn, key: SlotKey): number {
  const { state } = turn;
  const count = (state.retries.get(key) ?? 0) + 1;
  state.retries = state.retries.set(key, count);
  setTimer(turn, `retry ${key}`, (TAKEOVER_MS << Math.min(count - 1, BACKOFFS)) + stagger(state));
  return count;
}

function stagger({ environment }: ValidatorState): number {
  return TAKEOVER_STAGGER_MS * (environment.committee.index.get(environment.self) ?? 0);
}

function startRoundTimer(turn: Turn, key: SlotKey, round: Round): void {
  const { state } = turn;
  const name = `round ${key} ${round}`;
  if (state.roundTimers.has(name)) return;
  state.roundTimers = state.roundTimers.set(name, true);
  setTimer(turn, name, state.environment.rules.consensus.roundLength(round));
}
