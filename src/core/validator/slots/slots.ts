/** Runs one slot's agreement and carries out its effects: persist before sign, in order (protocol 3.1). */

import { unreachable } from "../../base/assert.ts";
import type { Round } from "../../base/ids.ts";
import { isChainSlot, type Slot, type SlotKey, slotKey } from "../../base/slot.ts";
import { Trie } from "../../base/trie.ts";
import { receiveLock } from "../../consensus/agreement.ts";
import type { AgreementContext } from "../../consensus/rules.ts";
import {
  type Effect,
  newSlot,
  type SlotMisbehaviour,
  type SlotState,
  type SlotUpdate,
} from "../../consensus/slot-state.ts";
import { lastCheckpointOf } from "../../ledger/epoch.ts";
import type { Content } from "../content.ts";
import { BACKOFFS, RELAY_MS, TAKEOVER_MS, TAKEOVER_STAGGER_MS } from "../limits.ts";
import { setDisclosed } from "../mempool/pending.ts";
import type { Peer, SlotReason } from "../message.ts";
import type { DurableRecord } from "../output.ts";
import type { ValidatorState } from "../state.ts";
import { allPeers, coverage, maySign, report, type StepContext, send, setTimer, sign } from "../step-context.ts";
import { operationsIn } from "./reason-check.ts";

/** Returns this validator's record of a slot, or a fresh one. */
export function slotState(state: ValidatorState, slot: Slot): SlotState {
  return state.slots.get(slotKey(slot)) ?? newSlot(slot, state.environment.committee.epoch);
}

/**
 * Applies a transition to a slot, carries out its effects, and returns its result. `collector` is the sender of the
 * request: votes and commits go there.
 */
export function onSlot<T>(
  stepContext: StepContext,
  slot: Slot,
  collector: Peer,
  move: (context: AgreementContext, transition: SlotUpdate) => T,
): T {
  const { self, committee, authenticator, rules } = stepContext.state.environment;
  const isOpen = rules.validator.isOpen(stepContext.state, slot);
  const context: AgreementContext = { self, committee, authenticator, rules: rules.consensus, isOpen };
  const transition: SlotUpdate = { state: slotState(stepContext.state, slot), effects: [] };
  const before = transition.state;
  const result = move(context, transition);
  if (transition.state !== before)
    stepContext.state.slots = stepContext.state.slots.set(slotKey(slot), transition.state);
  let isPersisted = false;
  for (const effect of transition.effects) {
    if (effect.type === "persist") {
      // One record holds all of a slot, so the first persist covers every effect of this transition.
      if (!isPersisted) persist(stepContext, slot);
      isPersisted = true;
    } else {
      carryOut(stepContext, slot, collector, effect);
    }
  }
  return result;
}

/** Makes this validator's record of a slot durable. */
export function persist(context: StepContext, slot: Slot): void {
  const { state } = context;
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
  context.outputs.push({ type: "persist", key: slotKey(slot), record });
}

function carryOut(
  stepContext: StepContext,
  slot: Slot,
  collector: Peer,
  effect: Exclude<Effect, { type: "persist" }>,
): void {
  const { state } = stepContext;
  const key = slotKey(slot);
  const { epoch } = state.environment.committee;
  switch (effect.type) {
    case "vote":
      sign(stepContext, [collector], { type: "vote", epoch, slot, round: effect.round, value: effect.value });
      scheduleRetry(stepContext, key, collector === state.environment.self);
      return;
    case "commit":
      raiseBarrier(stepContext, slot, effect.lock.value);
      sign(stepContext, [collector], {
        type: "commit",
        epoch,
        slot,
        round: effect.lock.round,
        value: effect.lock.value,
      });
      scheduleRetry(stepContext, key, collector === state.environment.self);
      return;
    case "changeRound":
      sendRoundChange(stepContext, slot, allPeers(stepContext));
      if (effect.cause !== "reason") coverage(stepContext, MARK_OF[effect.cause]);
      scheduleRetry(stepContext, key, true);
      return;
    case "locked":
      send(stepContext, state.environment.others, {
        type: "consensus",
        body: effect.lock,
        contents: [],
        reason: undefined,
      });
      onSlot(stepContext, slot, state.environment.self, (context, transition) =>
        receiveLock(
          context,
          transition,
          effect.lock,
          state.environment.rules.validator.hasContent(state.contents, effect.lock.value),
        ),
      );
      return;
    case "decided":
      decided(stepContext, slot, effect);
      return;
    case "propose":
      stepContext.agenda.push({
        do: "propose",
        slot,
        round: effect.round,
        forced: effect.forced,
        justification: effect.justification,
      });
      return;
    case "roundTimer":
      startRoundTimer(stepContext, key, effect.round);
      return;
    case "report":
      report(stepContext, isSigned(effect.misbehaviour) ? effect.signer : stepContext.from, effect.misbehaviour, key);
      return;
    default:
      unreachable(effect);
  }
}

/** Returns the reasons kept of a slot, at most one of each kind. */
export function reasonsOf({ reasons }: ValidatorState, slot: Slot): readonly SlotReason[] {
  return reasons.get(slotKey(slot)) ?? NO_REASONS;
}

const NO_REASONS: readonly SlotReason[] = [];

/**
 * Sends its round change of a slot, with a valid reason if it knows one. A validator that signs nothing sends the
 * reason alone: others act on it.
 */
export function sendRoundChange(context: StepContext, slot: Slot, to: readonly Peer[]): void {
  const { state } = context;
  const { epoch, round, carried: lock } = slotState(state, slot);
  const reasons = reasonsOf(state, slot);
  const counts = (one: SlotReason): boolean => state.environment.rules.validator.isReasonValid(state, slot, one);
  const reason = reasons.find(counts) ?? reasons[0];
  // Disclosed with it, even if it was dropped here: its client never receives "refused undisclosed" (protocol 4.2).
  if (reason !== undefined) setDisclosed(context, operationsIn(reason));
  sign(context, to, { type: "roundChange", epoch, slot, round, lock }, [], reason);
  if (maySign(state) || reason === undefined) return;
  coverage(context, "reason shown unsigned");
  const others = to.filter((peer) => peer !== state.environment.self);
  send(context, others, { type: "reason", slot, reason });
}

const MARK_OF = {
  timeout: "round change by timeout",
  pull: "round change by pull",
  proposal: "moved by a proposal",
  lock: "moved by a lock",
} as const;

/**
 * Returns true if the named signer signed the misbehaviour. An invalid signature proves nothing about its signer, and
 * no signature covers the seals of a certificate or the round changes that justify a proposal: for those the sender is
 * responsible.
 */
function isSigned(misbehaviour: SlotMisbehaviour): boolean {
  return (
    misbehaviour !== "invalid signature" &&
    misbehaviour !== "invalid certificate" &&
    misbehaviour !== "unjustified proposal"
  );
}

function decided(
  context: StepContext,
  slot: Slot,
  { certificate, assembled }: Extract<Effect, { type: "decided" }>,
): void {
  const { state } = context;
  const key = slotKey(slot);
  const content = state.contents.get(certificate.value);
  if (certificate.round > 0) coverage(context, "decided in a later round");
  if (slotState(state, slot).round > certificate.round) coverage(context, "hidden certificate surfaced");
  context.outputs.push({ type: "event", event: { type: "decided", certificate, content } });
  if (assembled) {
    const contents = content === undefined ? [] : [content];
    send(context, audienceOf(state, content), { type: "consensus", body: certificate, contents, reason: undefined });
  }
  cancelSlotTimers(context, key);
  context.agenda.push({ do: "apply", slot });
  // A checkpoint that lists it may have waited for it.
  if (!isChainSlot(slot) && state.waiting.size > 0) context.agenda.push({ do: "judgeAgain", prefix: "checkpoint/" });
  if (slot.kind === "checkpoint" && slot.number === lastCheckpointOf(state.ledger))
    context.agenda.push({ do: "close", cause: { kind: "checkpoint", certificate } });
}

/** Returns all other members; for a closing also those of the next committee. */
function audienceOf({ environment }: ValidatorState, content: Content | undefined): readonly Peer[] {
  if (content?.value.type !== "closing") return environment.others;
  const next = content.value.next.validators.map(({ key }) => key);
  return [...new Set([...environment.others, ...next])].filter((key) => !environment.keys.includes(key));
}

/** Cancels the timers of a decided slot. */
export function cancelSlotTimers(context: StepContext, key: SlotKey): void {
  const { state } = context;
  if (state.retries.has(key)) {
    state.retries = state.retries.delete(key);
    context.outputs.push({ type: "cancelTimer", name: `retry ${key}` });
  }
  for (const [name] of state.roundTimers.within(`round ${key} `)) {
    state.roundTimers = state.roundTimers.delete(name);
    context.outputs.push({ type: "cancelTimer", name });
  }
}

/** Cancels the timers of all slots: their epoch is closed, or over. */
export function cancelAllTimers({ state, outputs }: StepContext): void {
  for (const [key] of state.retries.entries()) outputs.push({ type: "cancelTimer", name: `retry ${key}` });
  for (const [name] of state.roundTimers.entries()) outputs.push({ type: "cancelTimer", name });
  state.retries = Trie.empty();
  state.roundTimers = Trie.empty();
}

/**
 * From the commit on this validator votes under the restrictions of the list, before they are applied (protocol 4.2).
 * The list of a later round replaces the earlier ones: it was locked, so the value of an earlier lock is not decided
 * (protocol 3.3).
 */
export function raiseBarrier(context: StepContext, slot: Slot, value: string): void {
  const { state } = context;
  if (slot.kind !== "token") return;
  const content = state.contents.get(value);
  if (content === undefined) return;
  const restrictions = state.environment.rules.ledger.restrictionsOf(content.operations);
  if (restrictions.length === 0) return;
  state.barriers = state.barriers.set(slotKey(slot), restrictions);
  coverage(context, "barrier raised");
}

/**
 * Sets the timer for a retry, or for a takeover of the relay (protocol 3.1). A relay retries sooner than validators
 * that only voted, and those one after the other.
 */
export function scheduleRetry(context: StepContext, key: SlotKey, isRelay: boolean): void {
  const { state } = context;
  if (state.retries.has(key)) return;
  state.retries = state.retries.set(key, 0);
  setTimer(context, `retry ${key}`, isRelay ? RELAY_MS : TAKEOVER_MS + stagger(state));
}

/**
 * Sets the next retry of a slot, each pause twice the one before up to a bound. Returns the number of earlier retries.
 */
export function retry(context: StepContext, key: SlotKey): number {
  const { state } = context;
  const count = (state.retries.get(key) ?? 0) + 1;
  state.retries = state.retries.set(key, count);
  setTimer(context, `retry ${key}`, (TAKEOVER_MS << Math.min(count - 1, BACKOFFS)) + stagger(state));
  return count;
}

function stagger({ environment }: ValidatorState): number {
  return TAKEOVER_STAGGER_MS * (environment.committee.index.get(environment.self) ?? 0);
}

function startRoundTimer(context: StepContext, key: SlotKey, round: Round): void {
  const { state } = context;
  const name = `round ${key} ${round}`;
  if (state.roundTimers.has(name)) return;
  state.roundTimers = state.roundTimers.set(name, true);
  setTimer(context, name, state.environment.rules.consensus.roundLength(round));
}
