/** Matching of parcels against patterns (plan.ts). */
import { unreachable } from "../../core/base/assert.ts";
import type { CheckpointNumber, Hash } from "../../core/base/ids.ts";
import { MemoTable } from "../../core/base/memo-table.ts";
import type { OperationId } from "../../core/base/operation.ts";
import { BURN_OUTCOMES, slotKey, type Value } from "../../core/base/slot.ts";
import { effectSlotOf, tokenOfOperation } from "../../core/ledger/operations/kinds.ts";
import { valueHash } from "../../core/ledger/value.ts";
import type { Content } from "../../core/validator/content.ts";
import type { PeerMessage } from "../../core/validator/message.ts";
import { isWellFormed } from "../../core/validator/message-form.ts";
import type { Parcel } from "../listener.ts";
import type { MessageKind, MessagePattern } from "../plan.ts";
import { lanesHex } from "../random.ts";
import type { Party } from "../settings.ts";
import { bodyValues, contentsOf, hashOf, messageKind } from "./message-content.ts";

/** Returns the kind of a parcel as patterns name it. */
function kindOf(parcel: Parcel): MessageKind {
  return parcel.type === "peer" ? messageKind(parcel.message) : parcel.type;
}

/** Returns the tag of a message of another protocol. */
function tagOf(parcel: Parcel): string | undefined {
  return parcel.type === "peer" && parcel.message.type === "opaque" ? parcel.message.tag : undefined;
}

/** Returns true if the pattern matches this parcel on this link. */
export function matchesParcel(pattern: MessagePattern, from: Party, to: Party, parcel: Parcel): boolean {
  if (pattern.from !== undefined && !pattern.from.includes(from)) return false;
  if (pattern.to !== undefined && !pattern.to.includes(to)) return false;
  if (pattern.kinds !== undefined && !pattern.kinds.includes(kindOf(parcel))) return false;
  if (pattern.tags !== undefined && !pattern.tags.includes(tagOf(parcel) ?? "")) return false;
  const { slot, round, operation } = pattern;
  if (slot !== undefined && !slotsOf(parcel).some((key) => key.startsWith(slot))) return false;
  if (round !== undefined && roundOf(parcel) !== round) return false;
  return operation === undefined || concernsOperation(parcel, operation);
}

/**
 * Returns true if a value is, or holds, this operation. By hash alone this finds the operation itself and a forced burn
 * of any outcome; skips and lists are found by their contents.
 */
export function isValueOf(value: Hash, operation: OperationId): boolean {
  return valuesOf.getOrCompute(operation, () => hashesOf(operation)).includes(value);
}

/** A pattern asks for its operation in message after message. */
const valuesOf = new MemoTable<string, readonly Hash[]>(256);

function hashesOf(id: OperationId): readonly Hash[] {
  return [
    valueHash({ type: "operation", id }),
    ...BURN_OUTCOMES.map((outcome) => valueHash({ type: "burn", id, outcome })),
  ];
}

/** Returns true if a value names this operation. Chain links do not count: they list what other slots decided. */
export function mentionsOperation(value: Value, operation: OperationId): boolean {
  if (value.type === "checkpoint" || value.type === "closing") return false;
  return value.type === "list" ? value.ids.includes(operation) : value.id === operation;
}

/**
 * Returns a text of what a parcel says and to whom: kind, slots, round and values, without signers, reasons and numbers. Two
 * runs that differ a little have most of these texts in common.
 */
export function parcelText(from: Party, to: Party, parcel: Parcel): string {
  const isOpaque = parcel.type === "peer" && (parcel.message.type === "opaque" || !isWellFormed(parcel.message));
  const about = isOpaque ? [lanesHex(parcel.digest)] : [...slotsOf(parcel), roundOf(parcel) ?? "", ...valuesIn(parcel)];
  return [from, to, kindOf(parcel), ...about].filter((part) => part !== "").join(" ");
}

function valuesIn(parcel: Parcel): readonly string[] {
  if (parcel.type === "submit") return [parcel.id];
  if (parcel.type === "reply") return [parcel.id, parcel.reply.status];
  const { message } = parcel;
  return message.type === "consensus" ? bodyValues(message.body) : contentsOf(message).map(hashOf);
}

function slotsOf(parcel: Parcel): readonly string[] {
  return parcel.type === "peer" ? messageSlots(parcel.message) : [];
}

function messageSlots(message: PeerMessage): readonly string[] {
  switch (message.type) {
    case "consensus":
      return [slotKey(message.body.slot)];
    case "offer":
    case "disclosure":
      return [slotKey(message.slot)];
    case "fetch":
      return message.slots.map(slotKey);
    case "decisions":
      return [
        ...message.decided.map(({ certificate }) => slotKey(certificate.slot)),
        ...message.contents.map(sequenceOf),
      ];
    case "snapshot":
      return [slotKey(message.certificate.slot)];
    case "stateRequest":
    case "statePieces":
      return [slotKey({ kind: "checkpoint", number: message.number as CheckpointNumber })];
    case "status":
    case "opaque":
      return [];
    default:
      return unreachable(message);
  }
}

/**
 * Returns the prefix of all slots of the content's account or token: without a certificate nothing names the slot
 * itself.
 */
function sequenceOf({ value, operations: [first] }: Content): string {
  if (value.type === "checkpoint") return slotKey({ kind: "checkpoint", number: value.header.number });
  if (value.type === "closing") return slotKey({ kind: "epoch", epoch: value.epoch });
  if (first === undefined) return "";
  if (value.type === "list") return `token/${tokenOfOperation(first.operation)}/`;
  const target = effectSlotOf(first);
  const address = value.type === "burn" && target.kind === "account" ? target.address : first.sender;
  return `account/${address}/`;
}

function roundOf(parcel: Parcel): number | undefined {
  if (parcel.type !== "peer") return undefined;
  return parcel.message.type === "consensus" ? parcel.message.body.round : undefined;
}

function concernsOperation(parcel: Parcel, operation: OperationId): boolean {
  if (parcel.type !== "peer") return parcel.id === operation;
  const { message } = parcel;
  const values = message.type === "consensus" ? bodyValues(message.body) : [];
  if (values.some((value) => isValueOf(value, operation))) return true;
  return contentsOf(message).some((content) => mentionsOperation(content.value, operation));
}
