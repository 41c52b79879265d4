/**
 * Application of a final chain link: applies its missing slots and prunes the records that it replaces (protocol 6.1,
 * 6.2).
 */
import { required } from "../../base/assert.ts";
import { type CheckpointSlot, type LedgerSlot, paddedNumber, slotKey } from "../../base/slot.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import type { LedgerState } from "../../ledger/state.ts";
import {
  type ChainContent,
  isCheckpoint,
  isClosing,
  type LedgerContent,
  type ListedContent,
  listedSlots,
} from "../content.ts";
import { SNAPSHOT_KEY } from "../output.ts";
import { isNext, isSettled } from "../slot-position.ts";
import { applyToState, tryToApply } from "../slots/apply-decided.ts";
import { cancelSlotTimers, slotState } from "../slots/slots.ts";
import { type FinalProof, linkTo } from "../state.ts";
import { coverage, halt, type StepContext } from "../step-context.ts";
import { contentOfDecision, dropListed } from "../sync/sync.ts";
import { conflictFault, stateAfter, successionFault } from "./check-checkpoint.ts";
import { prune } from "./prune.ts";

/** Applies the next checkpoint if it is decided and its content is here. */
export function applyCheckpoint(context: StepContext, slot: CheckpointSlot): void {
  const { state } = context;
  const certificate = slotState(state, slot).decided;
  if (certificate === undefined || !isNext(state, slot)) return;
  const content = contentOfDecision(context, certificate);
  if (content === undefined) return;
  if (!isCheckpoint(content)) {
    halt(context, slot, `it decides a ${content.value.type}`);
    return;
  }
  const after =
    successionFault(slot, state.checkpoint, content) ??
    conflictFault(state, content.value.listed) ??
    stateAfter(state.environment, state.checkpoint.state, content);
  if (typeof after === "string") {
    coverage(context, "checkpoint refused");
    halt(context, slot, after);
    return;
  }
  if (applyAllListed(context, content, { certificate, content })) settleAt(context, content, certificate, after);
}

/** Applies the listed slots that are not applied here. Returns true on success; else the validator has halted. */
export function applyAllListed(context: StepContext, { value, operations }: ChainContent, proof: FinalProof): boolean {
  const parts = required(listedSlots(value.listed, operations), "operations of a link that has proved itself");
  return parts.every((part) => applyListed(context, part, proof));
}

/**
 * Applies a listed slot that is not applied here: credits and authorisations before it in the list are applied by now.
 */
function applyListed(
  context: StepContext,
  { slot, value, operations }: ListedContent,
  checkpoint: FinalProof,
): boolean {
  const { state } = context;
  if (isSettled(state, slot)) return true;
  coverage(context, "checkpoint adopted");
  const content: LedgerContent = { value, operations, certificates: [] };
  const hash = state.environment.hashes.value(value);
  if (!state.contents.has(hash)) state.contents = state.contents.set(hash, content);
  const own = slotState(state, slot).decided;
  cancelSlotTimers(context, slotKey(slot));
  const applied = tryToApply(state, slot, content);
  if (applied.outcome !== "applied") {
    halt(
      context,
      slot,
      applied.outcome === "waiting" ? `its checkpoint lists it before ${applied.missing.code}` : applied.reason,
    );
    return false;
  }
  applyToState(context, slot, content, own === undefined ? checkpoint : { certificate: own, content }, applied);
  return true;
}

/**
 * Makes a chain link this validator's snapshot: durable first, then the records of the slots that it lists are erased.
 * `certificate` decides it, or the closing that builds on it; `after` is the state after it.
 */
export function settleAt(
  context: StepContext,
  content: ChainContent,
  certificate: FinalityCertificate,
  after: LedgerState,
): void {
  const { state } = context;
  const before = state.checkpoint.state;
  const { header, listed } = content.value;
  const hash = state.environment.hashes.value(content.value);
  state.checkpoint = { ...linkTo(hash, content.value), state: after, since: context.at };
  state.checkpointStates = state.checkpointStates.set(paddedNumber(header.number), after);
  context.outputs.push({
    type: "persist",
    key: SNAPSHOT_KEY,
    record: { of: "snapshot", certificate, content, state: after },
  });
  const slots: readonly LedgerSlot[] = listed.map(({ slot }) => slot);
  dropListed(context, slots);
  prune(context, content.value, before);
  if (isClosing(content))
    context.outputs.push({ type: "event", event: { type: "closed", certificate, content, state: after } });
  if (isCheckpoint(content))
    context.outputs.push({ type: "event", event: { type: "checkpointed", certificate, content, state: after } });
  context.agenda.push({ do: "checkpoint" });
}
