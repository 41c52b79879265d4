/**
 * Volatile memory derived again from the records of slots, by one function after a restart and after a state was taken
 * over: barriers, pending operations, cancellations and equivocation proofs (protocol 11.2; 4.2).
 */
import type { SlotState } from "../../consensus/slot-state.ts";
import type { Turn } from "../agenda.ts";
import { keep } from "../mempool/pending.ts";
import { isSettled } from "../slots/place.ts";
import { keepPair, noteEvidence } from "../slots/rounds.ts";
import { raiseBarrier, reasonsOf } from "../slots/slots.ts";

/**
 * Derives what the records of unapplied slots imply, before anything is applied or answered. A token slot that is decided
 * and not applied has its barrier too: at least q - f honest validators committed to it, each of them holds the barrier
 * until it applies that version, and those that are left are fewer than a quorum.
 */
export function recall(turn: Turn): void {
  const { state } = turn;
  for (const known of state.slots.values()) {
    if (known.epoch !== state.ledger.epoch || isSettled(state, known.slot)) continue;
    for (const { value } of known.commits) raiseBarrier(turn, known.slot, value);
    if (known.decided === undefined) recallOpen(turn, known);
  }
}

/** Its operations are pending again, and what led out of round 0 still does. */
function recallOpen(turn: Turn, { slot, votes, commits, lock }: SlotState): void {
  const { state } = turn;
  for (const named of [...votes, ...commits, lock]) {
    const content = named && state.contents.get(named.value);
    const [signed] = content?.value.type === "operation" ? content.operations : [];
    if (signed !== undefined) keep(turn, signed, { shown: true, asked: false });
  }
  for (const reason of reasonsOf(state, slot)) {
    if (reason.kind === "cancellation") keepPair(turn, reason);
    if (reason.kind === "equivocation") noteEvidence(turn, reason);
  }
}
