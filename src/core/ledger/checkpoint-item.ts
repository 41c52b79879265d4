/** Canonical items of checkpoints, which their hash covers (specification 10.4; protocol 6). */
import type { CheckpointHeader } from "../base/checkpoint.ts";
import { encode, hex, type Item, text, uint } from "../base/encoding.ts";
import { type Hash, toCount } from "../base/ids.ts";
import type { CheckpointValue, ClosingValue, LedgerSlot, Listed } from "../base/slot.ts";
import { slotItem } from "../base/slot-item.ts";
import { taggedHash } from "../crypto/hash.ts";
import { listRoot } from "../crypto/merkle-list.ts";
import { parametersItem, readParameters } from "./epoch-item.ts";
import { readAddress, readCount, readHash, readList, readText, readWord } from "./items.ts";
import { ledgerValueItem, readLedgerValue } from "./ledger-value.ts";

/**
 * Returns the hash of a checkpoint: over its header and the root of its listed slots, so that a proof of one operation
 * or one balance needs only these two.
 */
export function checkpointHash(header: CheckpointHeader, listedRoot: Hash): Hash {
  return taggedHash("value", text("checkpoint"), headerItem(header), hex(listedRoot));
}

/**
 * Members of a closing that its hash covers besides its listed slots: enough to know the next committee (protocol 6.1).
 */
export type ClosingHead = Pick<ClosingValue, "epoch" | "header" | "next" | "warrant">;

/** Returns the hash of a closing: over its head and the root of its listed slots. */
export function closingHash({ epoch, header, next, warrant }: ClosingHead, listedRoot: Hash): Hash {
  const parts = [headerItem(header), hex(listedRoot), parametersItem(next), hex(warrant)];
  return taggedHash("value", text("closing"), uint(epoch), ...parts);
}

/** Returns the root of the listed slots in their order. */
export function listedRootOf(listed: readonly Listed[]): Hash {
  return listRoot(listed.map((one) => encode(listedItem(one))));
}

/** [checkpoint, header, listed slots]. */
export function checkpointItem({ header, listed }: CheckpointValue): Item {
  return [text("checkpoint"), headerItem(header), listed.map(listedItem)];
}

/** Reads a checkpoint. @throws Error, naming the field, on anything not canonical. */
export function readCheckpoint(list: readonly Item[]): CheckpointValue {
  readList(list, "checkpoint value", 3);
  const listed = readList(list[2], "listed slots").map(readListed);
  return { type: "checkpoint", header: readHeader(list[1]), listed };
}

/** [closing, epoch, header, listed slots, next parameters, warrant]. */
export function closingItem({ epoch, header, listed, next, warrant }: ClosingValue): Item {
  const slots = listed.map(listedItem);
  return [text("closing"), uint(epoch), headerItem(header), slots, parametersItem(next), hex(warrant)];
}

/** Reads a closing. @throws Error, naming the field, on anything not canonical. */
export function readClosing(list: readonly Item[]): ClosingValue {
  const [, epoch, header, listed, next, warrant] = readList(list, "closing value", 6);
  return {
    type: "closing",
    epoch: toCount(readCount(epoch, "epoch")),
    header: readHeader(header),
    listed: readList(listed, "listed slots").map(readListed),
    next: readParameters(next),
    warrant: readHash(warrant, "warrant"),
  };
}

function headerItem(header: CheckpointHeader): Item {
  const { number, parentHash, stateRoot, transactionsRoot, receiptsRoot, timestamp, size, extraData } = header;
  const roots = [parentHash, stateRoot, transactionsRoot, receiptsRoot].map(hex);
  return [uint(number), ...roots, uint(timestamp), uint(size), text(extraData)];
}

function readHeader(item: Item | undefined): CheckpointHeader {
  const [number, parentHash, stateRoot, transactionsRoot, receiptsRoot, timestamp, size, extraData] = readList(
    item,
    "checkpoint header",
    8,
  );
  return {
    number: toCount(readCount(number, "number")),
    parentHash: readHash(parentHash, "parent hash"),
    stateRoot: readHash(stateRoot, "state root"),
    transactionsRoot: readHash(transactionsRoot, "transactions root"),
    receiptsRoot: readHash(receiptsRoot, "receipts root"),
    timestamp: readCount(timestamp, "timestamp"),
    size: readCount(size, "size"),
    extraData: readText(extraData, "extra data"),
  };
}

function listedItem({ slot, value, copies }: Listed): Item {
  return [slotItem(slot), ledgerValueItem(value), copies.map(hex)];
}

function readListed(item: Item): Listed {
  const [slot, value, copies] = readList(item, "listed slot", 3);
  return {
    slot: readSlot(slot),
    value: readLedgerValue(value),
    copies: readList(copies, "copies").map((copy) => readHash(copy, "copy")),
  };
}

function readSlot(item: Item | undefined): LedgerSlot {
  const [kind, owner, number] = readList(item, "slot", 3);
  const address = readAddress(owner, "slot owner");
  const count = readCount(number, "slot number");
  return readWord(kind, "slot kind", ["account", "token"] as const) === "account"
    ? { kind: "account", address, sequence: toCount(count) }
    : { kind: "token", token: address, version: toCount(count) };
}
