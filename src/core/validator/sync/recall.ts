/**
 * Derivation of volatile state from slot records after a restart or a state transfer: barriers, pending operations,
 * cancellations and equivocation proofs (protocol 11.2; 4.2).
 */
import type { SlotState } from "../../consensus/slot-state.ts";
import { addPending } from "../mempool/pending.ts";
import { noteEvidence, storeCancellationPair } from "../slots/round-change-reasons.ts";
import { isSettled } from "../slots/slot-position.ts";
import { raiseBarrier, reasonsOf } from "../slots/slots.ts";
import type { StepContext } from "../step-context.ts";

/**
 * Derives what the records of unapplied slots imply, before anything is applied or answered. A token slot that is
 * decided and not applied has its barrier too: at least q - f honest validators committed to it, each of them holds the
 * barrier until it applies that version, and the remaining ones are fewer than a quorum.
 */
export function recall(context: StepContext): void {
  const { state } = context;
  for (const known of state.slots.values()) {
    if (known.epoch !== state.ledger.epoch || isSettled(state, known.slot)) continue;
    for (const { value } of known.commits) raiseBarrier(context, known.slot, value);
    if (known.decided === undefined) recallOpen(context, known);
  }
}

/** Its operations are pending again, and its reasons to leave round 0 still count. */
function recallOpen(context: StepContext, { slot, votes, commits, lock }: SlotState): void {
  const { state } = context;
  for (const named of [...votes, ...commits, lock]) {
    const content = named && state.contents.get(named.value);
    const [signed] = content?.value.type === "operation" ? content.operations : [];
    if (signed !== undefined) addPending(context, signed, { disclosed: true, isEntry: false });
  }
  for (const reason of reasonsOf(state, slot)) {
    if (reason.kind === "cancellation") storeCancellationPair(context, reason);
    if (reason.kind === "equivocation") noteEvidence(context, reason);
  }
}
