/** Slots (protocol 3), and the values that they decide. Plain data. */

import { hex, type Item, text, uint } from "./encoding.ts";
import type { EpochParameters } from "./epoch.ts";
import type { Address, CheckpointNumber, Epoch, Hash, Sequence, Version } from "./ids.ts";
import { MemoTable } from "./memo-table.ts";
import type { OperationId } from "./operation.ts";

export type AccountSlot = Readonly<{ kind: "account"; address: Address; sequence: Sequence }>;

/**
 * Returns the slot of an account. The last one of an account is kept, so that the slots of one position are mostly one
 * object, with one key.
 */
export function accountSlot(address: Address, sequence: Sequence): AccountSlot {
  const lastSlot = lastSlots.get(address);
  if (lastSlot?.sequence === sequence) return lastSlot;
  if (lastSlots.size >= LAST_SLOTS) lastSlots.clear();
  const newSlot: AccountSlot = { kind: "account", address, sequence };
  lastSlots.set(address, newSlot);
  return newSlot;
}

const lastSlots = new Map<Address, AccountSlot>();
const LAST_SLOTS = 4_096;

export type TokenSlot = Readonly<{ kind: "token"; token: Address; version: Version }>;

export type CheckpointSlot = Readonly<{ kind: "checkpoint"; number: CheckpointNumber }>;

/** Slot that decides the closing of an epoch. */
export type EpochSlot = Readonly<{ kind: "epoch"; epoch: Epoch }>;

/** Slots in which operations take effect: a ledger applies them, and a checkpoint lists them. */
export type LedgerSlot = AccountSlot | TokenSlot;

/** Slots that decide a chain link. */
export type ChainSlot = CheckpointSlot | EpochSlot;

export type Slot = LedgerSlot | ChainSlot;

/** Slot as text: a map key that sorts by kind, owner and number. */
export type SlotKey = string;

/** A step asks for the key of one slot a dozen times in a row: the last one is found without a look-up. */
export function slotKey(slot: Slot): SlotKey {
  if (slot !== lastSlot) {
    lastKey = keys.getOrCompute(slot, makeKey);
    lastSlot = slot;
  }
  return lastKey;
}

let lastSlot: Slot | undefined;
let lastKey: SlotKey = "";

/** Slots are immutable and their keys are needed many times. */
const keys = new MemoTable<Slot, SlotKey>();

function makeKey(slot: Slot): SlotKey {
  return sequencePrefix(slot) + paddedNumber(slotNumber(slot));
}

/** Returns the slot of a key. @throws RangeError for a text that `slotKey` does not make. */
export function parseSlotKey(key: SlotKey): Slot {
  const match = /^(?:(account|token)\/(0x[0-9a-f]{40})|checkpoint|(epoch))\/(\d{16})$/.exec(key);
  if (match === null) {
    const shapes = "account/<address>/<number>, token/<address>/<number>, checkpoint/<number> or epoch/<number>";
    throw new RangeError(`slot key: expected ${shapes}, got ${key}`);
  }
  const owner = match[2] as Address;
  const number = Number(match[4]);
  if (match[1] === "account") return { kind: "account", address: owner, sequence: number as Sequence };
  if (match[1] === "token") return { kind: "token", token: owner, version: number as Version };
  if (match[3] === "epoch") return { kind: "epoch", epoch: number as Epoch };
  return { kind: "checkpoint", number: number as CheckpointNumber };
}

/** Returns the common prefix of the keys of one sequence. */
export function sequencePrefix(slot: Slot): string {
  switch (slot.kind) {
    case "account":
      return `account/${slot.address}/`;
    case "token":
      return `token/${slot.token}/`;
    case "checkpoint":
      return "checkpoint/";
    case "epoch":
      return "epoch/";
  }
}

/** Returns the position of a slot in its sequence, from 0. */
export function slotNumber(slot: Slot): number {
  switch (slot.kind) {
    case "account":
      return slot.sequence;
    case "token":
      return slot.version;
    case "checkpoint":
      return slot.number;
    case "epoch":
      return slot.epoch;
  }
}

/** Returns the slot with this number in the same sequence. */
export function slotAt(slot: LedgerSlot, number: number): LedgerSlot;
export function slotAt(slot: Slot, number: number): Slot;
export function slotAt(slot: Slot, number: number): Slot {
  switch (slot.kind) {
    case "account":
      return { ...slot, sequence: number as Sequence };
    case "token":
      return { ...slot, version: number as Version };
    case "checkpoint":
      return { ...slot, number: number as CheckpointNumber };
    case "epoch":
      return { ...slot, epoch: number as Epoch };
  }
}

/** Sixteen digits hold every safe integer, so that keys sort as numbers do. */
export function paddedNumber(count: number): string {
  const text = String(count);
  return ZEROS.slice(text.length) + text;
}

const ZEROS = "0000000000000000";

/** The owner's operation takes effect here, or is authorised here for a slot of its token or debited account. */
export type OperationValue = Readonly<{ type: "operation"; id: OperationId }>;

/** A forced burn takes effect in the debited account's slot (protocol 5). */
export type BurnValue = Readonly<{ type: "burn"; id: OperationId; outcome: BurnOutcome }>;

/** End of a forced burn or clawback: without the funds, or with its token paused, it moves nothing (protocol 5). */
export type BurnOutcome = (typeof BURN_OUTCOMES)[number];

export const BURN_OUTCOMES = ["burned", "failed", "paused"] as const;

/** Uses the nonce up without effect, by cancellation or by recovery (protocol 3, table). */
export interface SkipValue {
  readonly type: "skip";
  readonly by: "cancellation" | "recovery";
  readonly id: OperationId;
  /** The operation that a cancellation displaces, or the two of a recovery's proof by id: the fee follows from them. */
  readonly displaced: readonly OperationId[];
  /** Token of the displaced operation, `undefined` if it names none or the token does not exist. */
  readonly feeToken: Address | undefined;
}

/** Ordered list of authorised operations that take effect next in their token. */
export type ListValue = Readonly<{ type: "list"; ids: readonly OperationId[] }>;

/** Value that a ledger applies. */
export type LedgerValue = OperationValue | BurnValue | SkipValue | ListValue;

/** Decided slot in a checkpoint, with the hashes of the fixed copies of its operations (protocol 6.1). */
export type ListedDecision = Readonly<{ slot: LedgerSlot; value: LedgerValue; copies: readonly Hash[] }>;

/** All fields of the Checkpoint resource except `hash`, which is the hash of the value, and `transactions`. */
export interface CheckpointHeader {
  readonly number: CheckpointNumber;
  readonly parentHash: Hash;
  /** Root of the state after this checkpoint. */
  readonly stateRoot: Hash;
  /** Root over the ids of the operations whose effect it lists, in its order. */
  readonly transactionsRoot: Hash;
  /** Root over their receipts, in the same order. */
  readonly receiptsRoot: Hash;
  /** Seconds: the proposer's clock, and at least the parent's timestamp plus the period. */
  readonly timestamp: number;
  /** Bytes of the copies of operations that it fixes. */
  readonly size: number;
  readonly extraData: string;
}

/** Snapshot of the state after everything that it and its ancestors list (specification 10.1; protocol 6). */
export interface CheckpointValue {
  readonly type: "checkpoint";
  readonly header: CheckpointHeader;
  /** In an order in which each is next in its sequence, authorised and funded. */
  readonly listed: readonly ListedDecision[];
}

/** Last checkpoint of an epoch with the parameters of the next epoch, which begins at once (protocol 6.1). */
export interface ClosingValue {
  readonly type: "closing";
  /** Epoch that ends. */
  readonly epoch: Epoch;
  /** Its state root covers the state after the fees are shared, with the next epoch's parameters. */
  readonly header: CheckpointHeader;
  /** All slots that are final in the epoch and listed in no earlier checkpoint. */
  readonly listed: readonly ListedDecision[];
  readonly next: EpochParameters;
  /** Hash of the cause and the closes that justify it: one value has one warrant, never another. */
  readonly warrant: Hash;
}

/** Chain link. */
export type ChainValue = CheckpointValue | ClosingValue;

/** Returns the slot that decides a chain link. */
export function chainSlotOf(value: ChainValue): ChainSlot {
  return value.type === "closing"
    ? { kind: "epoch", epoch: value.epoch }
    : { kind: "checkpoint", number: value.header.number };
}

/** Returns true if a slot decides a chain link, and no operation. */
export function isChainSlot(slot: Slot): slot is ChainSlot {
  return slot.kind === "checkpoint" || slot.kind === "epoch";
}

export type Value = LedgerValue | ChainValue;

/** Hash of a value's canonical encoding, which votes and commits name. */
export type ValueHash = Hash;

/** Returns a slot as a canonical item: [kind, owner, number], and for a checkpoint or an epoch [kind, number]. */
export function slotItem(slot: Slot): Item {
  switch (slot.kind) {
    case "account":
      return [text("account"), hex(slot.address), uint(slot.sequence)];
    case "token":
      return [text("token"), hex(slot.token), uint(slot.version)];
    case "checkpoint":
      return [text("checkpoint"), uint(slot.number)];
    case "epoch":
      return [text("epoch"), uint(slot.epoch)];
  }
}
