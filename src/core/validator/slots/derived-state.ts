/**
 * State that follows from the ledger and from slot records: due operations (protocol 4.1), and after a restart or a
 * state transfer barriers, pending operations, cancellations and equivocation proofs (protocol 11.2; 4.2).
 */
import type { OperationId, SignedOperation } from "../../base/operation.ts";
import type { SlotState } from "../../consensus/slot-state.ts";
import { effectSlotOf } from "../../ledger/operations/kinds.ts";
import { addPending } from "../mempool/pending.ts";
import { isSettled } from "../slot-position.ts";
import { type StepContext, wake } from "../step-context.ts";
import { reasonsOf } from "./reason-check.ts";
import { awaitProof, storeCancellationPair } from "./round-change-reasons.ts";
import { raiseBarrier } from "./slots.ts";

/** Marks an authorised operation as due, in the next slot of its token or of the account that it debits. */
export function setDue(context: StepContext, id: OperationId, signed: SignedOperation): void {
  const { state, agenda } = context;
  const target = effectSlotOf(signed);
  if (target.where === "own") return;
  if (!state.slots.dueSince.has(id)) state.slots.dueSince.set(id, context.at);
  if (target.where === "token") agenda.push({ do: "token", token: target.token });
  else wake(context, target.address);
}

/**
 * Continues with all due operations of the state, after a restart, a state transfer or an epoch's end. A token that
 * waits for its issue is among them, and is in no list of tokens.
 */
export function openDueSlots(context: StepContext): void {
  for (const { id, signed } of context.state.ledger.authorised.values()) setDue(context, id, signed);
}

/**
 * Derives what the records of unapplied slots imply, before anything is applied or answered. A token slot that is
 * decided and not applied has its barrier too: at least q - f honest validators committed to it, each of them holds the
 * barrier until it applies that version, and the remaining ones are fewer than a quorum.
 */
export function deriveState(context: StepContext): void {
  const { state } = context;
  for (const known of state.slots.records.values()) {
    if (known.epoch !== state.ledger.epoch || isSettled(state, known.slot)) continue;
    for (const { value } of known.commits) raiseBarrier(context, known.slot, value);
    if (known.decided === undefined) deriveOpenSlot(context, known);
  }
}

/** Its operations are pending again, and its reasons to leave round 0 still count. */
function deriveOpenSlot(context: StepContext, { slot, votes, commits, lock }: SlotState): void {
  const { state } = context;
  for (const named of [...votes, ...commits, lock]) {
    const content = named && state.slots.contents.get(named.value);
    const [signed] = content?.value.type === "operation" ? content.operations : [];
    if (signed !== undefined) addPending(context, signed, { disclosed: true, isEntry: false });
  }
  for (const reason of reasonsOf(state, slot)) {
    if (reason.kind === "cancellation") storeCancellationPair(context, reason);
    if (reason.kind === "equivocation") awaitProof(context, slot);
  }
}
