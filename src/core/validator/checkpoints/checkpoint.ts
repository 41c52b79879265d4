/**
 * Checkpoints: due times, the slots that an honest proposer lists, and the application of a final chain link, which
 * prunes the records that it replaces (protocol 6.1, 6.2). These stay: the last checkpoints whole, and the outcomes of the
 * operations they list. Every other record of a nonce that is used up at a checkpoint is pruned: a peer that needs it gets
 * the checkpoint.
 */
import { assert, requireDefined } from "../../base/assert.ts";
import type { CheckpointPolicy, EpochParameters } from "../../base/epoch.ts";
import type { CheckpointNumber, Millis } from "../../base/ids.ts";
import type { SignedOperation } from "../../base/operation.ts";
import {
  type ChainSlot,
  type ChainValue,
  type CheckpointHeader,
  type CheckpointSlot,
  isChainSlot,
  type ListedDecision,
  type Slot,
  slotKey,
} from "../../base/slot.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import { isPastEpochEnd } from "../../ledger/epoch.ts";
import type { LedgerState } from "../../ledger/state.ts";
import { type ChainBase, clockDelay, conflictFault, stateAfter, successionFault } from "../check-chain.ts";
import {
  type ChainContent,
  type Content,
  copiesOf,
  type Decision,
  isCheckpoint,
  isClosing,
  isLedgerContent,
  type LedgerContent,
  type ListedContent,
  listedSlots,
  sizeOf,
} from "../content.ts";
import type { DecisionInputs } from "../decision-inputs.ts";
import { environmentInEpoch } from "../environment.ts";
import { CHECKPOINT_ROUND_MS, CHECKPOINTS_KEPT, CLOCK_POLL_MS } from "../limits.ts";
import { dropOutcomes, dropUsedNonces } from "../mempool/pending.ts";
import { SNAPSHOT_KEY } from "../output.ts";
import { epochSlot, isSettled } from "../slot-position.ts";
import { applyToState, tryToApply } from "../slots/apply-decided.ts";
import { dropRecord, dropSettled, dropSpent, pruneShown } from "../slots/prune.ts";
import { cancelSlotTimers, resetTimer, startTimer } from "../slots/slot-timers.ts";
import { decisionToApply, firstProposal, keepContent } from "../slots/slots.ts";
import { linkTo, slotState, type ValidatorState } from "../state.ts";
import { coverage, halt, type StepContext } from "../step-context.ts";
import { dropListed, dropOldFetches } from "../sync/sync.ts";
import { type Timer, timerName } from "../timer.ts";

/** Returns the slot of the next checkpoint. */
export function nextCheckpoint({ checkpoints: { last: checkpoint } }: ValidatorState): CheckpointSlot {
  return { kind: "checkpoint", number: (checkpoint.header.number + 1) as CheckpointNumber };
}

/**
 * Proposes the next checkpoint if one is due, starts the timer of its proposer, or sets the timer for its due time.
 * Called after an application or a timer.
 */
export function openCheckpoint(context: StepContext): void {
  const { state } = context;
  const { checkpoints: policy } = state.ledger.parameters;
  const slot = nextCheckpoint(state);
  const current = slotState(state, slot);
  if (current.decided !== undefined) {
    context.agenda.push({ do: "apply", slot });
    return;
  }
  if (state.epochs.closed !== undefined || slotState(state, epochSlot(state)).decided !== undefined) {
    context.agenda.push({ do: "closing" });
    return;
  }
  if (policy === undefined) return;
  if (isPastEpochEnd(state.ledger, slot.number)) {
    // The epoch's last checkpoint is applied: its certificate is the cause to close (protocol 6.3).
    const certificate = slotState(state, state.checkpoints.last.slot).decided;
    if (certificate !== undefined) context.agenda.push({ do: "close", cause: { kind: "checkpoint", certificate } });
    return;
  }
  if (!isDue(context, policy)) {
    scheduleCheckpoint(context, policy);
    return;
  }
  const key = slotKey(slot);
  if (current.round === 0) startTimer(context, { kind: "checkpoint", slot: key }, CHECKPOINT_ROUND_MS);
  const task = firstProposal(state, slot);
  if (task !== undefined) context.agenda.push(task);
}

function isDue({ state, at, clock }: StepContext, policy: CheckpointPolicy): boolean {
  const { log } = state.sync;
  if (periodWait(state, clock, policy) > 0) return false;
  if (log.size >= policy.slots) return true;
  return at >= state.checkpoints.last.since + policy.intervalMs && (log.size > 0 || policy.empty);
}

/** Returns the milliseconds until voters accept the earliest timestamp of the period; at most 0 if they do now. */
function periodWait({ checkpoints }: ValidatorState, clock: Millis, { periodSeconds }: CheckpointPolicy): number {
  return periodSeconds === 0 ? 0 : clockDelay(clock, checkpoints.last) + periodSeconds * 1_000;
}

/** A slot that no checkpoint lists keeps the world awake until one does; an empty checkpoint does not. */
function scheduleCheckpoint(context: StepContext, policy: CheckpointPolicy): void {
  const { state } = context;
  if (state.sync.log.size === 0 && !policy.empty) return;
  const timer: Timer = { kind: "due", slot: slotKey(nextCheckpoint(state)) };
  const isAwake = state.sync.log.size > 0;
  const isFull = state.sync.log.size >= policy.slots;
  if (state.slots.timers.has(timerName(timer)) && !(isAwake && state.sync.log.size === 1) && !isFull) return;
  const interval = isFull ? 0 : state.checkpoints.last.since + policy.intervalMs - context.at;
  const period = Math.min(periodWait(state, context.clock, policy), CLOCK_POLL_MS);
  resetTimer(context, timer, Math.max(0, interval, period), !isAwake);
}

/**
 * Returns the applied slots that no checkpoint lists, oldest first and at most M: in its order of application each is
 * next, authorised and funded.
 */
export function checkpointContent(state: ValidatorState, clock: Millis): Content | undefined {
  const { hashes } = state.environment;
  const { checkpoints: policy } = state.ledger.parameters;
  if (policy === undefined || (state.sync.log.size === 0 && !policy.empty)) return undefined;
  const listed: ListedDecision[] = [];
  const operations: SignedOperation[] = [];
  for (const slot of state.sync.log.values()) {
    if (listed.length === policy.limit) break;
    const { decided } = slotState(state, slot);
    const content = requireDefined(decided && state.slots.contents.get(decided.value), `content of ${slotKey(slot)}`);
    assert(isLedgerContent(content), "the log holds slots that a ledger applies");
    listed.push({ slot, value: content.value, copies: copiesOf(content.operations, hashes.copy) });
    operations.push(...content.operations);
  }
  const { last } = state.checkpoints;
  const timestamp = Math.max(Math.floor(clock / 1_000), last.header.timestamp + policy.periodSeconds);
  const header = buildHeader(state.environment, last, { listed, operations }, timestamp);
  return { value: { type: "checkpoint", header, listed }, operations, certificates: [] };
}

/**
 * Returns the header of a chain link on `base` with slots in an order in which they were applied (protocol 6.1). `next`:
 * the parameters to which a closing leads (protocol 6.3).
 */
export function buildHeader(
  { hashes }: Pick<DecisionInputs, "hashes">,
  base: ChainBase,
  { listed, operations }: Readonly<{ listed: readonly ListedDecision[]; operations: readonly SignedOperation[] }>,
  timestamp: number,
  next?: EpochParameters,
): CheckpointHeader {
  const number = (base.header.number + 1) as CheckpointNumber;
  const replayed = hashes.replay(base.state, listed, operations, next && { number, next });
  assert(replayed.outcome === "replayed", "an order in which each slot was applied does not replay");
  const size = sizeOf(operations, hashes.copy);
  return { number, parentHash: base.hash, ...replayed.roots, timestamp, size, extraData: "" };
}

/** Applies the next checkpoint if it is decided and its content is here. */
export function applyCheckpoint(context: StepContext, slot: CheckpointSlot): void {
  const { state } = context;
  const decision = decisionToApply(context, slot, isCheckpoint);
  if (decision === undefined) return;
  const { certificate, content } = decision;
  const after =
    successionFault(slot, state.checkpoints.last, content) ??
    conflictFault(state, content.value.listed) ??
    stateAfter(state.environment, state.checkpoints.last.state, content);
  if (typeof after === "string") {
    haltAtLink(context, slot, after);
    return;
  }
  if (applyAllListed(context, content, decision)) settleAtLink(context, content, certificate, after);
}

/** Halts at a decided chain link that contradicts what is final here: no honest quorum decides one. */
export function haltAtLink(context: StepContext, slot: ChainSlot, reason: string): void {
  coverage(context, slot.kind === "epoch" ? "closing refused" : "checkpoint refused");
  halt(context, slot, reason);
}

/** Applies the listed slots that are not applied here. Returns true on success; else the validator has halted. */
export function applyAllListed(context: StepContext, { value, operations }: ChainContent, proof: Decision): boolean {
  const parts = requireDefined(listedSlots(value.listed, operations), "operations of a link that has proved itself");
  return parts.every((part) => applyListed(context, part, proof));
}

/** Applies a listed slot that is not applied here: earlier credits and authorisations of the list are by now. */
function applyListed(context: StepContext, { slot, value, operations }: ListedContent, checkpoint: Decision): boolean {
  const { state } = context;
  if (isSettled(state, slot)) return true;
  coverage(context, "checkpoint adopted");
  const content: LedgerContent = { value, operations, certificates: [] };
  const hash = state.environment.hashes.value(value);
  if (!state.slots.contents.has(hash)) keepContent(state, content);
  const certificate = slotState(state, slot).decided;
  cancelSlotTimers(context, slotKey(slot));
  const applied = tryToApply(state, slot, content);
  if (applied.outcome !== "applied") {
    const isEarly = applied.outcome === "waiting";
    halt(context, slot, isEarly ? `its checkpoint lists it before ${applied.missing.code}` : applied.reason);
    return false;
  }
  applyToState(context, slot, content, certificate === undefined ? checkpoint : { certificate, content }, applied);
  return true;
}

/**
 * Makes a chain link this validator's snapshot: durable first, then the records of the slots that it lists are erased.
 * `certificate` decides it, or the closing that builds on it; `after` is the state after it.
 */
export function settleAtLink(
  context: StepContext,
  content: ChainContent,
  certificate: FinalityCertificate,
  after: LedgerState,
): void {
  const { state } = context;
  setLast(state, context.at, content.value, after);
  context.outputs.push({
    type: "persist",
    key: SNAPSHOT_KEY,
    record: { of: "snapshot", certificate, content, state: after },
  });
  dropListed(context, content.value.listed);
  for (const { slot } of content.value.listed) dropRecord(context, slotKey(slot));
  dropReplaced(context);
  if (isClosing(content))
    context.outputs.push({ type: "event", event: { type: "closed", certificate, content, state: after } });
  if (isCheckpoint(content))
    context.outputs.push({ type: "event", event: { type: "checkpointed", certificate, content, state: after } });
  context.agenda.push({ do: "checkpoint" });
}

/** Resets a validator to the state after a chain link and to its epoch, without the slots that led there. */
export function resetToChainLink(state: ValidatorState, at: Millis, value: ChainValue, base: LedgerState): void {
  state.checkpoints.states.clear();
  setLast(state, at, value, base);
  state.ledger = base;
  state.environment = environmentInEpoch(state.environment, base);
}

function setLast(state: ValidatorState, at: Millis, value: ChainValue, after: LedgerState): void {
  const hash = state.environment.hashes.value(value);
  state.checkpoints.last = { ...linkTo(hash, value), state: after, since: at };
  state.checkpoints.states.set(value.header.number, after);
}

/** Drops all that the last checkpoint replaces beside the records of its slots, applied here or received with its state. */
export function dropReplaced(context: StepContext): void {
  const { state } = context;
  const { header, state: base } = state.checkpoints.last;
  dropOldCheckpoints(context, header.number - CHECKPOINTS_KEPT);
  dropSpent(state);
  dropUsedNonces(state, base);
  dropSettled(context);
  pruneShown(state);
  dropOldFetches(context);
}

/** Drops the checkpoints up to this number. A restart or a state transfer may have left gaps among them. */
function dropOldCheckpoints(context: StepContext, number: number): void {
  const { state } = context;
  const isOld = (slot: Slot): boolean => isChainSlot(slot) && (numberOf(state, slot) ?? number + 1) <= number;
  for (const key of state.slots.records.keysWhere((_, { slot }) => isOld(slot))) dropRecord(context, key);
  const oldest = state.checkpoints.states.get(number);
  state.checkpoints.states.delete(number);
  if (oldest !== undefined) dropOutcomes(state, oldest);
}

/** Returns the number of the checkpoint that a slot of the chain has decided; `undefined` if it is still open. */
function numberOf({ epochs: { links } }: ValidatorState, slot: ChainSlot): number | undefined {
  return slot.kind === "checkpoint" ? slot.number : links.get(slot.epoch)?.head.header.number;
}
