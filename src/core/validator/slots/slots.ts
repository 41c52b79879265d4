/**
 * Runs one slot's agreement and carries out its effects: persist before sign, in order (protocol 3.1). Keeps contents
 * that prove themselves: a commit needs one (protocol 3.1, 3).
 */
import { append } from "../../base/append.ts";
import { unreachable } from "../../base/assert.ts";
import type { Hash, Round } from "../../base/ids.ts";
import { MemoTable } from "../../base/memo-table.ts";
import { isChainSlot, type Slot, slotKey } from "../../base/slot.ts";
import { receiveLock } from "../../consensus/agreement.ts";
import type { AgreementContext } from "../../consensus/rules.ts";
import {
  newSlot,
  type SlotEffect,
  type SlotMisbehaviour,
  type SlotState,
  SlotUpdate,
} from "../../consensus/slot-state.ts";
import { lastCheckpointOf } from "../../ledger/epoch.ts";
import { type Content, type Decision, isLedgerContent } from "../content.ts";
import type { DecisionInputs } from "../decision-inputs.ts";
import { charge, contentSize } from "../mempool/budget.ts";
import { receiveDisclosed, setDisclosed } from "../mempool/pending.ts";
import type { Peer } from "../message.ts";
import type { SlotRecord } from "../output.ts";
import { isNext } from "../slot-position.ts";
import { slotState, type ValidatorState } from "../state.ts";
import {
  allPeers,
  coverage,
  halt,
  isMember,
  type ProposeTask,
  report,
  type StepContext,
  send,
  sign,
} from "../step-context.ts";
import { requestContent } from "../sync/sync.ts";
import { operationsIn, reasonsOf } from "./reason-check.ts";
import { cancelSlotTimers, scheduleRetry, startTimer } from "./slot-timers.ts";

/**
 * Applies a transition to a slot, `move` with its last arguments, carries out its effects, and returns its result.
 * `collector` is the sender of the request: votes and commits go there.
 */
export function onSlot<T, Last extends readonly unknown[]>(
  context: StepContext,
  slot: Slot,
  collector: Peer,
  move: (context: AgreementContext, transition: SlotUpdate, ...last: Last) => T,
  ...last: Last
): T {
  const { self, committee, authenticator, rules } = context.state.environment;
  const isOpen = rules.validator.isOpen(context.state, slot);
  const agreement: AgreementContext = { self, committee, authenticator, rules: rules.consensus, isOpen };
  const before = slotState(context.state, slot);
  const transition = new SlotUpdate(before);
  const result = move(agreement, transition, ...last);
  if (transition.state !== before) setRecord(context.state, transition.state);
  let isPersisted = false;
  for (const effect of transition.effects) {
    if (effect.type === "persist") {
      // One record holds all of a slot, so the first persist covers every effect of this transition.
      if (!isPersisted) persist(context, slot);
      isPersisted = true;
    } else {
      carryOut(context, slot, collector, effect);
    }
  }
  return result;
}

/** Replaces this validator's record of a slot. */
export function setRecord({ slots }: ValidatorState, record: SlotState): void {
  slots.records.set(slotKey(record.slot), record);
}

/** Restores a slot from its durable record, with its contents and reasons. */
export function restoreRecord(state: ValidatorState, record: SlotRecord): void {
  const { epoch, slot, round, votes, commits, proposed, lock, carried, decided, contents, reasons } = record;
  for (const content of contents) keepContent(state, content);
  pin(state, record);
  setRecord(state, { ...newSlot(slot, epoch), round, votes, commits, proposed, lock, carried, decided });
  if (reasons.length > 0) state.slots.reasons.set(slotKey(slot), reasons);
}

/** Keeps a verified content by the hash of its value. */
export function keepContent({ slots, environment }: ValidatorState, content: Content): void {
  slots.contents.set(environment.hashes.value(content.value), content);
}

/** Makes this validator's record of a slot durable. */
export function persist(context: StepContext, slot: Slot): void {
  const { state } = context;
  const record = durableRecord(state, slotState(state, slot));
  pin(state, record);
  context.outputs.push({ type: "persist", key: slotKey(slot), record });
}

function pin({ slots, environment }: ValidatorState, { contents }: SlotRecord): void {
  for (const { value } of contents) slots.pinned.set(environment.hashes.value(value), true);
}

/** Returns the durable record of a slot; of one that validators share, the one that they share. */
function durableRecord(state: ValidatorState, current: SlotState): SlotRecord {
  const { epoch, slot, round, votes, commits, proposed, lock, carried, decided } = current;
  let contents = NO_CONTENTS;
  for (const vote of votes) contents = withNamedContent(state, contents, vote);
  for (const commit of commits) contents = withNamedContent(state, contents, commit);
  contents = withNamedContent(
    state,
    withNamedContent(state, withNamedContent(state, contents, proposed), lock),
    decided,
  );
  const reasons = reasonsOf(state, slot);
  const stored = decided === undefined ? undefined : decidedRecords.get(current);
  if (stored !== undefined && stored.contents[0] === contents[0] && reasons.length === 0) return stored;
  const record: SlotRecord = {
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
  if (decided !== undefined && slot.kind === "account" && reasons.length === 0) decidedRecords.set(current, record);
  return record;
}

const decidedRecords = new MemoTable<SlotState, SlotRecord>();

const NO_CONTENTS: readonly Content[] = [];

/** Returns the contents with that of a value that a record names, each once. */
function withNamedContent(
  { slots }: ValidatorState,
  contents: readonly Content[],
  named: { readonly value: Hash } | undefined,
): readonly Content[] {
  const content = named === undefined ? undefined : slots.contents.get(named.value);
  return content === undefined || contents.includes(content) ? contents : append(contents, content);
}

function carryOut(
  context: StepContext,
  slot: Slot,
  collector: Peer,
  effect: Exclude<SlotEffect, { type: "persist" }>,
): void {
  const { state } = context;
  const key = slotKey(slot);
  const { committee, rules, self, peers } = state.environment;
  const { epoch } = committee;
  switch (effect.type) {
    case "vote":
      sign(context, [collector], { type: "vote", epoch, slot, round: effect.round, value: effect.value });
      scheduleRetry(context, key, collector === self);
      // A proof that is kept begins to wait (protocol 3.2, b).
      if (effect.round === 0 && state.slots.reasons.has(key)) context.agenda.push({ do: "judgeAgain", prefix: key });
      return;
    case "commit":
      raiseBarrier(context, slot, effect.lock.value);
      sign(context, [collector], { type: "commit", epoch, slot, round: effect.lock.round, value: effect.lock.value });
      scheduleRetry(context, key, collector === self);
      return;
    case "changeRound":
      sendRoundChange(context, slot, allPeers(context));
      if (effect.cause !== "reason") coverage(context, COVERAGE_POINTS[effect.cause]);
      scheduleRetry(context, key, true);
      return;
    case "locked": {
      const { lock } = effect;
      send(context, peers, { type: "consensus", body: lock, contents: [], reason: undefined });
      const holdsContent = rules.validator.hasContent(state.slots.contents, lock.value);
      onSlot(context, slot, self, receiveLock, lock, holdsContent);
      return;
    }
    case "decided":
      handleDecision(context, slot, effect);
      return;
    case "propose": {
      const { round, forced, justification } = effect;
      context.agenda.push({ do: "propose", slot, round, forced, justification });
      return;
    }
    case "roundTimer":
      startTimer(context, { kind: "round", slot: key, round: effect.round }, rules.consensus.roundLength(effect.round));
      return;
    case "report":
      report(context, isSigned(effect.misbehaviour) ? effect.signer : context.from, effect.misbehaviour, key);
      return;
    default:
      unreachable(effect);
  }
}

/**
 * Sends its round change of a slot, with a valid reason if it knows one. A validator that signs nothing sends the
 * reason alone: others act on it.
 */
export function sendRoundChange(context: StepContext, slot: Slot, to: readonly Peer[]): void {
  const { state } = context;
  const { epoch, round, carried: lock } = slotState(state, slot);
  const [reason] = state.environment.rules.validator.countingReasons(state, slot);
  // Disclosed with it, even if it was dropped here: its client never receives "refused undisclosed" (protocol 4.2).
  if (reason !== undefined) setDisclosed(context, operationsIn(reason));
  sign(context, to, { type: "roundChange", epoch, slot, round, lock }, [], reason);
  if (isMember(state) || reason === undefined) return;
  coverage(context, "reason disclosed unsigned");
  const receivers = to.filter((peer) => peer !== state.environment.self);
  send(context, receivers, { type: "disclosure", slot, reason });
}

const COVERAGE_POINTS = {
  timeout: "round change by timeout",
  pull: "round change by pull",
  proposal: "round advanced by a proposal",
  lock: "round advanced by a lock",
} as const;

/**
 * Returns true if the named signer signed the misbehaviour. An invalid signature proves nothing about its signer, and
 * no signature covers the seals of a certificate or the round changes that justify a proposal: for those the sender is
 * responsible.
 */
function isSigned(misbehaviour: SlotMisbehaviour): boolean {
  return !UNSIGNED.has(misbehaviour);
}

const UNSIGNED = new Set<SlotMisbehaviour>(["invalid signature", "invalid certificate", "unjustified proposal"]);

function handleDecision(
  context: StepContext,
  slot: Slot,
  { certificate, assembled }: Extract<SlotEffect, { type: "decided" }>,
): void {
  const { state } = context;
  const key = slotKey(slot);
  const content = state.slots.contents.get(certificate.value);
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
  if (!isChainSlot(slot) && state.slots.waiting.size > 0)
    context.agenda.push({ do: "judgeAgain", prefix: "checkpoint/", lacking: key });
  if (slot.kind === "checkpoint" && slot.number === lastCheckpointOf(state.ledger))
    context.agenda.push({ do: "close", cause: { kind: "checkpoint", certificate } });
}

/** Returns all other members; for a closing also those of the next committee. */
function audienceOf({ environment }: ValidatorState, content: Content | undefined): readonly Peer[] {
  if (content?.value.type !== "closing") return environment.peers;
  const next = content.value.next.validators.map(({ key }) => key);
  return [...new Set([...environment.peers, ...next])].filter((key) => !environment.keys.includes(key));
}

/** Returns the task of this validator's own proposal in round 0 of a slot; `undefined` if it is another's, or was made. */
export function firstProposal({ slots, environment }: ValidatorState, slot: Slot): ProposeTask | undefined {
  const record = slots.records.get(slotKey(slot));
  if (record !== undefined && (record.round > 0 || record.proposed !== undefined)) return undefined;
  const { rules, committee, self } = environment;
  const isOwn = rules.consensus.proposerOf(committee, slot, 0 as Round) === self;
  return isOwn ? { do: "propose", slot, round: 0 as Round, forced: undefined, justification: [] } : undefined;
}

/**
 * From the commit on this validator votes under the restrictions of the list, before they are applied (protocol 4.2).
 * The list of a later round replaces the earlier ones: it was locked, so the value of an earlier lock is not decided
 * (protocol 3.3).
 */
export function raiseBarrier(context: StepContext, slot: Slot, value: Hash): void {
  const { state } = context;
  if (slot.kind !== "token") return;
  const content = state.slots.contents.get(value);
  if (content === undefined) return;
  const restrictions = state.environment.rules.ledger.restrictionsOf(content.operations, state.ledger.policies);
  if (restrictions.length === 0) return;
  state.slots.barriers.set(slotKey(slot), restrictions);
  coverage(context, "barrier raised");
}

/**
 * Returns the decision of a slot that can be applied now: it is the next one, and its content is here, durable from here
 * on, since it may have come after the certificate. Requests a missing content from the signers. Halts at a content of a
 * kind that the slot cannot decide.
 */
export function decisionToApply<Kind extends Content>(
  context: StepContext,
  slot: Slot,
  isOfKind: (content: Content) => content is Kind,
): Decision<Kind> | undefined {
  const { state } = context;
  const certificate = slotState(state, slot).decided;
  if (certificate === undefined || !isNext(state, slot)) return undefined;
  const { value, seals } = certificate;
  const content = state.slots.contents.get(value);
  if (content === undefined) {
    coverage(context, "decision waited for content");
    const signers = seals.map(({ signer }) => signer);
    // By its slot, too: a peer whose content is pruned responds with the checkpoint that replaces it.
    requestContent(context, signers, slot, value, [slot]);
    return undefined;
  }
  if (!state.slots.pinned.has(value)) persist(context, slot);
  if (isOfKind(content)) return { certificate, content };
  halt(context, slot, `it decides a ${content.value.type}`);
  return undefined;
}

/**
 * Keeps a content that proves itself, and returns the one stored under its value: the first, never the new one, of
 * which only the value is known to be equal. Returns `undefined` for one that proves nothing, or for which the budget of
 * the peer that shows it has no room; one of the chain needs none, since what names it has been proved (protocol 9.2).
 * `slot` is the one that needs it.
 */
export function receiveContent(context: StepContext, from: Peer, slot: Slot, content: Content): Content | undefined {
  const { state } = context;
  const { environment } = state;
  const value = environment.hashes.value(content.value);
  const stored = state.slots.contents.get(value);
  if (stored !== undefined) return recordDisclosed(context, from, stored);
  if (environment.rules.validator.contentFault(state, content) !== undefined) {
    // A sender that has applied less or more is not misbehaving.
    if (!mayProveElsewhere(environment, content)) report(context, from, "malformed content", "");
    return undefined;
  }
  const item = { of: "content", value, slot: slotKey(slot) } as const;
  if (isLedgerContent(content) && !charge(context, item, contentSize(content), from)) return undefined;
  keepContent(state, content);
  context.agenda.push({ do: "content", value });
  return recordDisclosed(context, from, content);
}

/** Operations that others disclose are seen by others: none is ever answered as refused undisclosed (protocol 4.2). */
function recordDisclosed(context: StepContext, from: Peer, content: Content): Content {
  if (from === context.state.environment.self) return content;
  if (content.value.type === "operation") setDisclosed(context, content.operations);
  for (const signed of content.value.type === "skip" ? content.operations : []) receiveDisclosed(context, signed);
  return content;
}

/** Returns true if a content may prove itself to its sender, by the sender's epoch or by its state. */
function mayProveElsewhere({ committee }: DecisionInputs, { value, operations, certificates }: Content): boolean {
  if (value.type === "closing") return value.epoch !== committee.epoch;
  if (value.type !== "list" && value.type !== "burn") return false;
  return certificates.length < operations.length || certificates.some(({ epoch }) => epoch !== committee.epoch);
}
