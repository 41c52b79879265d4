/**
 * Application of a final chain link: applies its missing slots and prunes the records that it replaces (protocol 6.1,
 * 6.2). These stay: the last checkpoints whole, and the outcomes of the operations they list. Every other record of a
 * nonce that is used up at a checkpoint is pruned: a peer that needs it gets the checkpoint.
 */

import { requireDefined } from "../../base/assert.ts";
import type { Millis } from "../../base/ids.ts";
import {
  type ChainSlot,
  type ChainValue,
  type CheckpointSlot,
  isChainSlot,
  type Slot,
  slotKey,
} from "../../base/slot.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import type { LedgerState } from "../../ledger/state.ts";
import {
  type ChainContent,
  type Decision,
  isCheckpoint,
  isClosing,
  type LedgerContent,
  type ListedContent,
  listedSlots,
} from "../content.ts";
import { environmentInEpoch } from "../environment.ts";
import { CHECKPOINTS_KEPT } from "../limits.ts";
import { dropOutcomes } from "../mempool/outcomes.ts";
import { dropUsedNonces } from "../mempool/pending.ts";
import { SNAPSHOT_KEY } from "../output.ts";
import { isSettled } from "../slot-position.ts";
import { applyToState, tryToApply } from "../slots/apply-decided.ts";
import { dropRecord, dropSettled, dropSpent, pruneShown } from "../slots/prune.ts";
import { cancelSlotTimers } from "../slots/slot-timers.ts";
import { decisionToApply, keepContent } from "../slots/slots.ts";
import { linkTo, slotState, type ValidatorState } from "../state.ts";
import { coverage, halt, type StepContext } from "../step-context.ts";
import { dropOldFetches } from "../sync/requests.ts";
import { dropListed } from "../sync/status.ts";
import { conflictFault, stateAfter, successionFault } from "./check-checkpoint.ts";

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
    coverage(context, "checkpoint refused");
    halt(context, slot, after);
    return;
  }
  if (applyAllListed(context, content, decision)) settleAtLink(context, content, certificate, after);
}

/** Applies the listed slots that are not applied here. Returns true on success; else the validator has halted. */
export function applyAllListed(context: StepContext, { value, operations }: ChainContent, proof: Decision): boolean {
  const parts = requireDefined(listedSlots(value.listed, operations), "operations of a link that has proved itself");
  return parts.every((part) => applyListed(context, part, proof));
}

/**
 * Applies a listed slot that is not applied here: credits and authorisations before it in the list are applied by now.
 */
function applyListed(context: StepContext, { slot, value, operations }: ListedContent, checkpoint: Decision): boolean {
  const { state } = context;
  if (isSettled(state, slot)) return true;
  coverage(context, "checkpoint adopted");
  const content: LedgerContent = { value, operations, certificates: [] };
  const hash = state.environment.hashes.value(value);
  if (!state.slots.contents.has(hash)) keepContent(state, content);
  const own = slotState(state, slot).decided;
  cancelSlotTimers(context, slotKey(slot));
  const applied = tryToApply(state, slot, content);
  if (applied.outcome !== "applied") {
    const isEarly = applied.outcome === "waiting";
    halt(context, slot, isEarly ? `its checkpoint lists it before ${applied.missing.code}` : applied.reason);
    return false;
  }
  applyToState(context, slot, content, own === undefined ? checkpoint : { certificate: own, content }, applied);
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
  prune(context, content.value);
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

/** Prunes after the checkpoint that was just applied. */
export function prune(context: StepContext, { listed }: ChainValue): void {
  for (const { slot } of listed) dropRecord(context, slotKey(slot));
  dropReplaced(context);
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
