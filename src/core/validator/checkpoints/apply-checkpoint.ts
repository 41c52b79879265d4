/** A final link of the chain: brings what is not applied here yet, and lets go of what it stands for from now on (protocol 6.1, 6.2). */
import { present } from "../../base/assert.ts";
import { type CheckpointSlot, digits, type LedgerSlot, slotKey } from "../../base/slot.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import type { LedgerState } from "../../ledger/state.ts";
import type { Turn } from "../agenda.ts";
import { rivalFault, stateAfter } from "../epochs/judge-link.ts";
import { halt } from "../halt.ts";
import { SNAPSHOT_KEY } from "../output.ts";
import { takeEffect, tryToApply } from "../slots/apply-decided.ts";
import { type ChainContent, isCheckpoint, isClosing, type LedgerContent } from "../slots/content.ts";
import { isNextHere, isSettled } from "../slots/place.ts";
import { closeSlot, slotState } from "../slots/slots.ts";
import { mark } from "../speak.ts";
import { type FinalProof, linkTo } from "../state.ts";
import { contentOfDecision, forgetListed } from "../sync/sync.ts";
import { type ListedContent, partsOf } from "./checkpoint-content.ts";
import { prune } from "./prune.ts";

/** Applies the next checkpoint if it is decided and its content is here. */
export function applyCheckpoint(turn: Turn, slot: CheckpointSlot): void {
  const { state } = turn;
  const certificate = slotState(state, slot).decided;
  if (certificate === undefined || !isNextHere(state, slot)) return;
  const content = contentOfDecision(turn, certificate);
  if (content === undefined) return;
  if (!isCheckpoint(content)) {
    halt(turn, slot, `it decides a ${content.value.type}`);
    return;
  }
  const after =
    rivalFault(state, content.value.listed) ?? stateAfter(state.environment, state.checkpoint.state, content);
  if (typeof after === "string") {
    mark(turn, "checkpoint refused");
    halt(turn, slot, after);
    return;
  }
  if (bringAll(turn, content, { certificate, content })) settleAt(turn, content, certificate, after);
}

/** Applies what a link lists and is not applied here. Returns whether it went; else the validator has halted. */
export function bringAll(turn: Turn, { value, operations }: ChainContent, proof: FinalProof): boolean {
  const parts = present(partsOf(value.listed, operations), "operations of a link that has proved itself");
  return parts.every((part) => bringAbout(turn, part, proof));
}

/** Applies a listed slot that is not applied here: credits and authorisations before it in the list are here by now. */
function bringAbout(turn: Turn, { slot, value, operations }: ListedContent, checkpoint: FinalProof): boolean {
  const { state } = turn;
  if (isSettled(state, slot)) return true;
  mark(turn, "checkpoint adopted");
  const content: LedgerContent = { value, operations, certificates: [] };
  const hash = state.environment.hashes.value(value);
  if (!state.contents.has(hash)) state.contents = state.contents.set(hash, content);
  const own = slotState(state, slot).decided;
  closeSlot(turn, slotKey(slot));
  const applied = tryToApply(state, slot, content);
  if (applied.outcome !== "applied") {
    halt(
      turn,
      slot,
      applied.outcome === "waiting" ? `its checkpoint lists it before ${applied.missing.code}` : applied.reason,
    );
    return false;
  }
  takeEffect(turn, slot, content, own === undefined ? checkpoint : { certificate: own, content }, applied);
  return true;
}

/**
 * The link stands for what it lists: durable first, then the records of it go. `certificate` decides it, or the closing that
 * builds on it; `after` is the state after it.
 */
export function settleAt(
  turn: Turn,
  content: ChainContent,
  certificate: FinalityCertificate,
  after: LedgerState,
): void {
  const { state } = turn;
  const before = state.checkpoint.state;
  const { header, listed } = content.value;
  const hash = state.environment.hashes.value(content.value);
  state.checkpoint = { ...linkTo(hash, content.value), state: after, since: turn.at };
  state.bases = state.bases.set(digits(header.number), after);
  turn.outputs.push({
    type: "persist",
    key: SNAPSHOT_KEY,
    record: { of: "snapshot", certificate, content, state: after },
  });
  const slots: readonly LedgerSlot[] = listed.map(({ slot }) => slot);
  forgetListed(turn, slots);
  prune(turn, content.value, before);
  if (isClosing(content))
    turn.outputs.push({ type: "event", event: { type: "closed", certificate, content, state: after } });
  if (isCheckpoint(content))
    turn.outputs.push({ type: "event", event: { type: "checkpointed", certificate, content, state: after } });
  turn.agenda.push({ do: "checkpoint" });
}
