/** Replay of a checkpoint's listed slots, and the roots of the result (protocol 6.1). */
import { bool, encode, fromHex, hex, optional, text, uint } from "../base/encoding.ts";
import type { EpochParameters } from "../base/epoch.ts";
import type { Address, CheckpointNumber, Hash } from "../base/ids.ts";
import type { SignedOperation } from "../base/operation.ts";
import type { Receipt } from "../base/refusal.ts";
import {
  type ChainValue,
  type CheckpointHeader,
  type CheckpointValue,
  type LedgerSlot,
  type LedgerValue,
  type ListedDecision,
  slotKey,
} from "../base/slot.ts";
import { listRoot } from "../crypto/merkle-list.ts";
import type { ApplyRules, apply } from "./apply.ts";
import type { beginNextEpoch } from "./epoch.ts";
import { stateRoot } from "./roots.ts";
import { isNext, type LedgerState } from "./state.ts";

/** Decided slot to replay; `operation` is the content of an operation value. */
export type SlotToReplay = Readonly<{ slot: LedgerSlot; value: LedgerValue; operation: SignedOperation | undefined }>;

/** Number of an epoch's last checkpoint, and the parameters of the next epoch. */
export type ClosingTransition = Readonly<{ number: CheckpointNumber; next: EpochParameters }>;

/** Returns the closing of a chain link, `undefined` for a checkpoint. */
export function closingTransitionOf(value: ChainValue): ClosingTransition | undefined {
  return value.type === "closing" ? { number: value.header.number, next: value.next } : undefined;
}

export type LedgerReplay =
  | {
      readonly outcome: "replayed";
      readonly state: LedgerState;
      readonly receipts: readonly Receipt[];
      readonly roots: ReplayRoots;
    }
  /** The list cannot be replayed on this state. */
  | { readonly outcome: "broken"; readonly reason: string };

/** Rules that a replay calls, of the record of all rules. */
export interface ReplayRules extends ApplyRules {
  readonly apply: typeof apply;
  readonly openNext: typeof beginNextEpoch;
}

/**
 * Applies decided slots in this order, and closes the epoch after them if `closing` is given. Each must be next in its
 * sequence, authorised and funded (protocol 6.1).
 */
export function replayLedger(
  base: LedgerState,
  slots: readonly SlotToReplay[],
  rules: ReplayRules,
  closing?: ClosingTransition,
): LedgerReplay {
  let state = base;
  const receipts: Receipt[] = [];
  for (const { slot, value, operation } of slots) {
    if (!isNext(state, slot)) return brokenReplay(slot, "is not the next of its sequence");
    const applied = rules.apply(state, slot, value, operation, rules);
    if (applied.outcome === "waiting") return brokenReplay(slot, `lacks ${applied.missing.code}`);
    if (applied.outcome === "impossible") return brokenReplay(slot, `contradicts the base: ${applied.reason}`);
    state = applied.state;
    receipts.push(...applied.receipts);
  }
  const after = closing === undefined ? state : rules.openNext(state, closing.next, closing.number);
  return { outcome: "replayed", state: after, receipts, roots: rootsOf(after, receipts) };
}

function brokenReplay(slot: LedgerSlot, reason: string): LedgerReplay {
  return { outcome: "broken", reason: `${slotKey(slot)} ${reason}` };
}

/** Roots after a replay. */
export type ReplayRoots = Pick<CheckpointHeader, "stateRoot" | "transactionsRoot" | "receiptsRoot">;

/** Over ids only, so that equal lists have equal roots for any copies (protocol 3.0, 6.1). */
function rootsOf(state: LedgerState, receipts: readonly Receipt[]): ReplayRoots {
  return {
    stateRoot: stateRoot(state),
    transactionsRoot: listRoot(receipts.map(({ id }) => fromHex(id))),
    receiptsRoot: listRoot(receipts.map(receiptBytes)),
  };
}

/** [id, success, fee, fee token, error code, slot]: equal at every validator. */
export function receiptBytes({ id, success, fee, feeToken, error, slot }: Receipt): Uint8Array {
  const token = optional(feeToken, (address: Address) => hex(address));
  const code = optional(error, ({ code: name }) => text(name));
  return encode([hex(id), bool(success), uint(fee), token, code, text(slot)]);
}

/** Number 0: the state before the first operation, which needs no signature. */
export function genesisCheckpoint(genesis: LedgerState): CheckpointValue {
  const header: CheckpointHeader = {
    number: 0 as CheckpointNumber,
    parentHash: `0x${"00".repeat(32)}` as Hash,
    ...rootsOf(genesis, []),
    timestamp: 0,
    size: 0,
    extraData: "",
  };
  return { type: "checkpoint", header, listed: [] satisfies readonly ListedDecision[] };
}
