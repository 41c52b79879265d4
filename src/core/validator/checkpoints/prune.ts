/**
 * Pruning of the records that a final checkpoint replaces (protocol 6.2). These stay: the warrants of operations that
 * wait to be executed, the last checkpoints whole, and the outcomes of the operations they list. Every other record of
 * a nonce that is used up at a checkpoint is pruned: a peer that needs it gets the checkpoint.
 */
import type { Hash } from "../../base/ids.ts";
import type { SignedOperation } from "../../base/operation.ts";
import {
  type ChainSlot,
  type ChainValue,
  isChainSlot,
  paddedNumber,
  parseSlotKey,
  type SlotKey,
  slotKey,
} from "../../base/slot.ts";
import { accountOf, findAuthorised, type LedgerState } from "../../ledger/state.ts";
import { type Content, isChainContent } from "../content.ts";
import { CHECKPOINTS_KEPT, EVICTED_ACCOUNTS, FETCH_MS } from "../limits.ts";
import { isSettled } from "../slot-position.ts";
import type { ValidatorState } from "../state.ts";
import type { StepContext } from "../step-context.ts";

/** Prunes after the checkpoint that was just applied. `before` is its parent's state. */
export function prune(context: StepContext, { header, listed }: ChainValue, before: LedgerState): void {
  const { state } = context;
  const base = state.checkpoint.state;
  for (const { slot, value } of listed) {
    const isWarrant = value.type === "operation" && base.authorisedKeys.has(value.id);
    if (!isWarrant) drop(context, slotKey(slot));
    const executed = value.type === "list" ? value.ids : value.type === "burn" ? [value.id] : [];
    for (const id of executed) {
      const warrant = findAuthorised(before, id)?.authorisedBy;
      if (warrant !== undefined) drop(context, warrant);
    }
  }
  dropOldCheckpoints(context, header.number - CHECKPOINTS_KEPT);
  dropSpent(state, base);
  dropSettled(context);
  for (const [key, at] of state.fetched.entries()) {
    if (context.at >= at + FETCH_MS) state.fetched = state.fetched.delete(key);
  }
}

/** Drops a slot's record, from memory and disk. */
export function drop(context: StepContext, key: SlotKey): void {
  const { state } = context;
  if (!state.slots.has(key)) return;
  state.slots = state.slots.delete(key);
  context.outputs.push({ type: "erase", key });
}

/** Drops waiting values in settled slots, decided here or not, and the timers that would request them again. */
export function dropSettled({ state, outputs }: StepContext): void {
  const isPast = (key = ""): boolean => isSettled(state, parseSlotKey(key));
  for (const [key] of state.stalled.entries()) if (isPast(key)) state.stalled = state.stalled.delete(key);
  for (const [key] of state.barriers.entries()) if (isPast(key)) state.barriers = state.barriers.delete(key);
  for (const [key] of state.reasons.entries()) if (isPast(key)) state.reasons = state.reasons.delete(key);
  for (const [key, slot] of state.missingContents.entries())
    if (isSettled(state, slot)) state.missingContents = state.missingContents.delete(key);
  for (const [key] of state.retries.entries()) {
    if (!isPast(key)) continue;
    state.retries = state.retries.delete(key);
    outputs.push({ type: "cancelTimer", name: `retry ${key}` });
  }
  for (const [name] of state.roundTimers.entries()) {
    if (!isPast(name.split(" ")[1])) continue;
    state.roundTimers = state.roundTimers.delete(name);
    outputs.push({ type: "cancelTimer", name });
  }
}

/** Drops the checkpoints up to this number. A restart or a state transfer may have left gaps among them. */
function dropOldCheckpoints(context: StepContext, number: number): void {
  const { state } = context;
  for (const [key, { slot }] of state.slots.entries()) {
    if (isChainSlot(slot) && (numberOf(state, slot) ?? number + 1) <= number) drop(context, key);
  }
  const oldest = state.checkpointStates.get(paddedNumber(number));
  state.checkpointStates = state.checkpointStates.delete(paddedNumber(number));
  if (oldest === undefined) return;
  for (const [id, ending] of state.outcomes.entries()) {
    const { account, nonce } = ending.of;
    if (nonce < accountOf(oldest, account).nonce && !oldest.authorisedKeys.has(id)) {
      state.outcomes = state.outcomes.delete(id);
    }
  }
}

/** Returns the number of the checkpoint that a slot of the chain has decided; `undefined` if it is still open. */
function numberOf({ links }: ValidatorState, slot: ChainSlot): number | undefined {
  return slot.kind === "checkpoint" ? slot.number : links.get(paddedNumber(slot.epoch))?.head.header.number;
}

/** Drops the records of nonces that are used up at this checkpoint, including those of conflicting operations. */
function dropSpent(state: ValidatorState, base: LedgerState): void {
  const { operationId } = state.environment.hashes;
  const isSpent = (signed: SignedOperation): boolean =>
    signed.operation.nonce < accountOf(base, signed.sender).nonce && !base.authorisedKeys.has(operationId(signed));
  const isUseless = (content: Content): boolean =>
    isChainContent(content)
      ? content.value.header.number <= state.checkpoint.header.number - CHECKPOINTS_KEPT
      : content.operations.every(isSpent);
  // Decided above the checkpoint: the next one shows them.
  const wanted = new Set([...state.log.values()].map((slot) => state.slots.get(slotKey(slot))?.decided?.value));
  for (const [hash, content] of state.contents.entries()) {
    if (isUseless(content) && !wanted.has(hash as Hash)) state.contents = state.contents.delete(hash);
  }
  const isUsedUp = (key: string): boolean => {
    const [account = "", nonce = ""] = key.split(" ");
    return Number(nonce) < accountOf(base, account as SignedOperation["sender"]).nonce;
  };
  dropEvicted(state, base);
  for (const [key] of state.digests.entries()) if (isUsedUp(key)) state.digests = state.digests.delete(key);
  for (const [key] of state.evidence.entries()) if (isUsedUp(key)) state.evidence = state.evidence.delete(key);
  for (const [key] of state.voided.entries()) if (isUsedUp(key)) state.voided = state.voided.delete(key);
}

/** Drops eviction records of used nonces; a full record stands for every account, and stays. */
function dropEvicted(state: ValidatorState, base: LedgerState): void {
  if (state.evicted.size >= EVICTED_ACCOUNTS) return;
  for (const [account, nonce] of state.evicted.entries()) {
    if (nonce < accountOf(base, account as SignedOperation["sender"]).nonce)
      state.evicted = state.evicted.delete(account);
  }
}
