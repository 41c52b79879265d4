/** Hashes of the values that slots decide, and the canonical items that they cover (protocol 3.0, 6; specification 10.4). */
import { unreachable } from "../base/assert.ts";
import { bool, encode, hex, type Item, optional, text, toHex, uint } from "../base/encoding.ts";
import type { CheckpointPolicy, EpochParameters, FeeEntry, FeeSchedule, GovernanceProposal } from "../base/epoch.ts";
import type { Hash } from "../base/ids.ts";
import { MemoTable } from "../base/memo-table.ts";
import {
  type CheckpointHeader,
  type ClosingValue,
  type LedgerValue,
  type ListedDecision,
  type Slot,
  slotItem,
  type Value,
  type ValueHash,
} from "../base/slot.ts";
import { taggedHash } from "../crypto/hash.ts";
import { listRoot } from "../crypto/merkle-list.ts";

/** Returns the hash that votes and commits name: tagged by slot kind, so no value of one kind is read as another kind. */
export function valueHash(value: Value): ValueHash {
  if (value.type === "checkpoint") return checkpointHash(value.header, listedRootOf(value.listed));
  if (value.type === "closing") return closingHash(value, listedRootOf(value.listed));
  return taggedHash("value", text(slotKindOf(value)), ledgerValueItem(value));
}

/** The kind of slot that decides such a value. */
export function slotKindOf({ type }: Value): Slot["kind"] {
  if (type === "checkpoint") return "checkpoint";
  if (type === "closing") return "epoch";
  return type === "list" ? "token" : "account";
}

/** A value as an RLP item, to stand inside a message or a checkpoint. */
export function ledgerValueItem(value: LedgerValue): Item {
  switch (value.type) {
    case "operation":
      return [text("operation"), hex(value.id)];
    case "burn":
      return [text("burn"), hex(value.id), text(value.outcome)];
    case "skip":
      return [
        text("skip"),
        text(value.by),
        hex(value.id),
        value.displaced.map((id) => hex(id)),
        optional(value.feeToken, hex),
      ];
    case "list":
      return [text("list"), value.ids.map((id) => hex(id))];
    default:
      return unreachable(value);
  }
}

/** Returns the digest that the operator signs: nothing else on any chain or in any epoch has the same one. */
export function proposalDigest({ chainId, epoch, next }: GovernanceProposal): Hash {
  return taggedHash("governance", uint(chainId), uint(epoch), parametersItem(next));
}

/** [members, fees, checkpoint policy or none, epoch length or none], made once: each state root covers them. */
export function parametersItem(parameters: EpochParameters): Item {
  return items.getOrCompute(parameters, ({ validators, fees, checkpoints, epochLength }) => {
    const members = validators.map(({ key, reward }) => [hex(key), hex(reward)]);
    return [members, feesItem(fees), optional(checkpoints, policyItem), optional(epochLength, uint)];
  });
}

const items = new MemoTable<EpochParameters, Item>();

/** The canonical bytes, as 0x and hex digits: equal parameters have equal texts. */
export function encodeParameters(parameters: EpochParameters): string {
  return toHex(encode(parametersItem(parameters)));
}

/** The schedule with its tokens in order. */
function feesItem(fees: FeeSchedule): Item {
  const tokens = [...fees.tokens].sort(([a], [b]) => (a < b ? -1 : 1));
  return [feeEntryItem(fees.default), tokens.map(([token, entry]) => [hex(token), feeEntryItem(entry)])];
}

function feeEntryItem({ payment, cancellation, recovery }: FeeEntry): Item {
  return [uint(payment), uint(cancellation), uint(recovery)];
}

function policyItem({ intervalMs, slots, limit, periodSeconds, empty }: CheckpointPolicy): Item {
  return [uint(intervalMs), uint(slots), uint(limit), uint(periodSeconds), bool(empty)];
}

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

/**
 * Returns the bytes of a checkpoint in its wire form: RLP of header and listed slots, and the copies that it fixes
 * (specification 10.4). Cost: O(list).
 */
export function checkpointBytes({ header, listed: decisions }: Pick<ClosingValue, "header" | "listed">): number {
  return encode([headerItem(header), decisions.map(listedItem)]).length + header.size;
}

/** The root of the listed slots in their order. */
export function listedRootOf(listed: readonly ListedDecision[]): Hash {
  return listRoot(listed.map((decision) => encode(listedItem(decision))));
}

function headerItem(header: CheckpointHeader): Item {
  const { number, parentHash, stateRoot, transactionsRoot, receiptsRoot, timestamp, size, extraData } = header;
  const roots = [parentHash, stateRoot, transactionsRoot, receiptsRoot].map(hex);
  return [uint(number), ...roots, uint(timestamp), uint(size), text(extraData)];
}

function listedItem({ slot, value, copies }: ListedDecision): Item {
  return [slotItem(slot), ledgerValueItem(value), copies.map(hex)];
}
