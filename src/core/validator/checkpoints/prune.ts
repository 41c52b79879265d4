/**
 * Pruning of the records that a final checkpoint replaces (protocol 6.2). These stay: the last checkpoints whole, and
 * the outcomes of the operations they list. Every other record of a nonce that is used up at a checkpoint is pruned: a
 * peer that needs it gets the checkpoint.
 */

import { type ChainSlot, type ChainValue, isChainSlot, type Slot, slotKey } from "../../base/slot.ts";
import { CHECKPOINTS_KEPT } from "../limits.ts";
import { dropOutcomes } from "../mempool/outcomes.ts";
import { dropUsedNonces } from "../mempool/pending.ts";
import { pruneShown } from "../slots/drop-shown.ts";
import { dropRecord, dropSettled, dropSpent } from "../slots/prune.ts";
import type { ValidatorState } from "../state.ts";
import type { StepContext } from "../step-context.ts";
import { dropOldFetches } from "../sync/requests.ts";

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
