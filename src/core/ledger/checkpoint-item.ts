/** Canonical items of checkpoints: what their hash covers (specification 10.4; protocol 6). */
import { encode, hex, type Item, text, uint } from "../base/encoding.ts";
import type { Hash } from "../base/ids.ts";
import { type CheckpointHeader, type ClosingValue, type Listed, slotItem } from "../base/slot.ts";
import { taggedHash } from "../crypto/hash.ts";
import { listRoot } from "../crypto/merkle-list.ts";
import { parametersItem } from "./epoch-item.ts";
import { ledgerValueItem } from "./ledger-value.ts";

/**
 * What a checkpoint's hash is made of: its header, and the root of what it lists, so that a proof of one operation or one
 * balance shows no more of it than these two.
 */
export function checkpointHash(header: CheckpointHeader, listedRoot: Hash): Hash {
  return taggedHash("value", text("checkpoint"), headerItem(header), hex(listedRoot));
}

/** Part of a closing that its hash covers beside the listed slots: enough to know the next committee (protocol 6.1). */
export type ClosingHead = Pick<ClosingValue, "epoch" | "header" | "next" | "warrant">;

/** Returns the hash of a closing, over its head and the root of the listed slots. */
export function closingHash({ epoch, header, next, warrant }: ClosingHead, listedRoot: Hash): Hash {
  const parts = [headerItem(header), hex(listedRoot), parametersItem(next), hex(warrant)];
  return taggedHash("value", text("closing"), uint(epoch), ...parts);
}

/** The root of the listed slots in their order. */
export function listedRootOf(listed: readonly Listed[]): Hash {
  return listRoot(listed.map((one) => encode(listedItem(one))));
}

function headerItem(header: CheckpointHeader): Item {
  const { number, parentHash, stateRoot, transactionsRoot, receiptsRoot, timestamp, size, extraData } = header;
  const roots = [parentHash, stateRoot, transactionsRoot, receiptsRoot].map(hex);
  return [uint(number), ...roots, uint(timestamp), uint(size), text(extraData)];
}

function listedItem({ slot, value, copies }: Listed): Item {
  return [slotItem(slot), ledgerValueItem(value), copies.map(hex)];
}
