/**
 * Letting go of what a final checkpoint stands for (design 6). What stays: the warrants of operations that wait to be
 * executed, the last checkpoints whole, and the endings of what they list. Everything else of a nonce that is used up at
 * a checkpoint goes: whoever needs it takes the checkpoint.
 */
import type { Hash } from "../base/ids.ts";
import type { SignedOperation } from "../base/operation.ts";
import { type CheckpointValue, digits, type SlotKey, slotKey } from "../base/slot.ts";
import { accountOf, findAuthorised, type LedgerState } from "../ledger/state.ts";
import type { Turn } from "./agenda.ts";
import type { Content } from "./content.ts";
import { CHECKPOINTS_KEPT, FETCH_MS } from "./limits.ts";
import type { ValidatorState } from "./state.ts";

/** Forgets what the checkpoint that was just applied makes useless. `before` is its parent's state. */
export function prune(turn: Turn, { header, listed }: CheckpointValue, before: LedgerState): void {
  const { state } = turn;
  const base = state.checkpoint.state;
  const needed = new Set([...base.authorised.values()].map(({ authorisedBy }) => authorisedBy));
  for (const { slot, value } of listed) {
    if (!needed.has(slotKey(slot))) drop(turn, slotKey(slot));
    const executed = value.type === "list" ? value.ids : value.type === "burn" ? [value.id] : [];
    for (const id of executed) {
      const warrant = findAuthorised(before, id)?.authorisedBy;
      if (warrant !== undefined) drop(turn, warrant);
    }
  }
  dropOldCheckpoint(turn, header.number - CHECKPOINTS_KEPT);
  dropSpent(state, base);
  for (const [key, at] of state.fetched.entries()) {
    if (turn.at >= at + FETCH_MS) state.fetched = state.fetched.delete(key);
  }
}

function drop(turn: Turn, key: SlotKey): void {
  const { state } = turn;
  if (!state.slots.has(key)) return;
  state.slots = state.slots.delete(key);
  turn.outputs.push({ type: "erase", key });
}

function dropOldCheckpoint(turn: Turn, number: number): void {
  const { state } = turn;
  if (number < 0) return;
  const oldest = state.bases.get(digits(number));
  drop(turn, `checkpoint/${digits(number)}`);
  state.bases = state.bases.delete(digits(number));
  if (oldest === undefined) return;
  for (const [id, ending] of state.endings.entries()) {
    const { account, nonce } = ending.of;
    if (nonce < accountOf(oldest, account).nonce && !oldest.authorisedKeys.has(id)) {
      state.endings = state.endings.delete(id);
    }
  }
}

/** What was kept for nonces that are used up at this checkpoint, theirs and their rivals'. */
function dropSpent(state: ValidatorState, base: LedgerState): void {
  const { operationId } = state.environment.hashes;
  const isSpent = (signed: SignedOperation): boolean =>
    signed.operation.nonce < accountOf(base, signed.sender).nonce && !base.authorisedKeys.has(operationId(signed));
  const isUseless = ({ value, operations }: Content): boolean =>
    value.type === "checkpoint"
      ? value.header.number <= state.checkpoint.header.number - CHECKPOINTS_KEPT
      : operations.every(isSpent);
  // Decided above the checkpoint: the next one shows them.
  const wanted = new Set([...state.log.values()].map((slot) => state.slots.get(slotKey(slot))?.decided?.value));
  for (const [hash, content] of state.contents.entries()) {
    if (isUseless(content) && !wanted.has(hash as Hash)) state.contents = state.contents.delete(hash);
  }
  const isUsedUp = (key: string): boolean => {
    const [account = "", nonce = ""] = key.split(" ");
    return Number(nonce) < accountOf(base, account as SignedOperation["sender"]).nonce;
  };
  for (const [key] of state.digests.entries()) if (isUsedUp(key)) state.digests = state.digests.delete(key);
  for (const [key] of state.evidence.entries()) if (isUsedUp(key)) state.evidence = state.evidence.delete(key);
}
