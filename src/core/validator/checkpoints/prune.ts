/**
 * Letting go of what a final checkpoint stands for (protocol 6.2). What stays: the warrants of operations that wait to be
 * executed, the last checkpoints whole, and the endings of what they list. Everything else of a nonce that is used up at
 * a checkpoint goes: whoever needs it takes the checkpoint.
 */
import type { Hash } from "../../base/ids.ts";
import type { SignedOperation } from "../../base/operation.ts";
import {
  type ChainSlot,
  type ChainValue,
  digits,
  isChainSlot,
  parseSlotKey,
  type SlotKey,
  slotKey,
} from "../../base/slot.ts";
import { accountOf, findAuthorised, type LedgerState } from "../../ledger/state.ts";
import type { Turn } from "../agenda.ts";
import { CHECKPOINTS_KEPT, EVICTED_ACCOUNTS, FETCH_MS } from "../limits.ts";
import { type Content, isChainContent } from "../slots/content.ts";
import { isSettled } from "../slots/place.ts";
import type { ValidatorState } from "../state.ts";

/** Forgets what the checkpoint that was just applied makes useless. `before` is its parent's state. */
export function prune(turn: Turn, { header, listed }: ChainValue, before: LedgerState): void {
  const { state } = turn;
  const base = state.checkpoint.state;
  for (const { slot, value } of listed) {
    const isWarrant = value.type === "operation" && base.authorisedKeys.has(value.id);
    if (!isWarrant) drop(turn, slotKey(slot));
    const executed = value.type === "list" ? value.ids : value.type === "burn" ? [value.id] : [];
    for (const id of executed) {
      const warrant = findAuthorised(before, id)?.authorisedBy;
      if (warrant !== undefined) drop(turn, warrant);
    }
  }
  dropOldCheckpoints(turn, header.number - CHECKPOINTS_KEPT);
  dropSpent(state, base);
  dropSettled(turn);
  for (const [key, at] of state.fetched.entries()) {
    if (turn.at >= at + FETCH_MS) state.fetched = state.fetched.delete(key);
  }
}

/** Lets go of a slot's record, here and on the disk. */
export function drop(turn: Turn, key: SlotKey): void {
  const { state } = turn;
  if (!state.slots.has(key)) return;
  state.slots = state.slots.delete(key);
  turn.outputs.push({ type: "erase", key });
}

/** What waits in slots that are settled by now, decided here or not, and the timers that would ask for them again. */
export function dropSettled({ state, outputs }: Turn): void {
  const isPast = (key = ""): boolean => isSettled(state, parseSlotKey(key));
  for (const [key] of state.stalled.entries()) if (isPast(key)) state.stalled = state.stalled.delete(key);
  for (const [key] of state.barriers.entries()) if (isPast(key)) state.barriers = state.barriers.delete(key);
  for (const [key] of state.reasons.entries()) if (isPast(key)) state.reasons = state.reasons.delete(key);
  for (const [key, slot] of state.wanted.entries()) if (isSettled(state, slot)) state.wanted = state.wanted.delete(key);
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

/** The checkpoints up to this number. A restart or a taken-over state may have left gaps among them. */
function dropOldCheckpoints(turn: Turn, number: number): void {
  const { state } = turn;
  for (const [key, { slot }] of state.slots.entries()) {
    if (isChainSlot(slot) && (numberOf(state, slot) ?? number + 1) <= number) drop(turn, key);
  }
  const oldest = state.bases.get(digits(number));
  state.bases = state.bases.delete(digits(number));
  if (oldest === undefined) return;
  for (const [id, ending] of state.endings.entries()) {
    const { account, nonce } = ending.of;
    if (nonce < accountOf(oldest, account).nonce && !oldest.authorisedKeys.has(id)) {
      state.endings = state.endings.delete(id);
    }
  }
}

/** The number of the checkpoint that a slot of the chain has decided; `undefined` where it is still open. */
function numberOf({ links }: ValidatorState, slot: ChainSlot): number | undefined {
  return slot.kind === "checkpoint" ? slot.number : links.get(digits(slot.epoch))?.head.header.number;
}

/** What was kept for nonces that are used up at this checkpoint, theirs and their rivals'. */
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
  forgetEvicted(state, base);
  for (const [key] of state.digests.entries()) if (isUsedUp(key)) state.digests = state.digests.delete(key);
  for (const [key] of state.evidence.entries()) if (isUsedUp(key)) state.evidence = state.evidence.delete(key);
  for (const [key] of state.voided.entries()) if (isUsedUp(key)) state.voided = state.voided.delete(key);
}

/** A nonce that is used up needs no memory of what was evicted; a full memory stands for every account, and stays. */
function forgetEvicted(state: ValidatorState, base: LedgerState): void {
  if (state.evicted.size >= EVICTED_ACCOUNTS) return;
  for (const [account, nonce] of state.evicted.entries()) {
    if (nonce < accountOf(base, account as SignedOperation["sender"]).nonce)
      state.evicted = state.evicted.delete(account);
  }
}
