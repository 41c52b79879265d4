/** What is decided once (design 3), and the values that can be decided there. Plain data. */
import type { Address, Hash, Sequence, Version } from "./ids.ts";
import type { OperationId } from "./operation.ts";

export interface AccountSlot {
  readonly kind: "account";
  readonly address: Address;
  readonly sequence: Sequence;
}

export interface TokenSlot {
  readonly kind: "token";
  readonly token: Address;
  readonly version: Version;
}

/** Checkpoint and epoch slots join this union with design section 6. */
export type Slot = AccountSlot | TokenSlot;

/** A slot as text: a map key that sorts by kind, owner and number. */
export type SlotKey = string;

export function slotKey(slot: Slot): SlotKey {
  const known = keys.get(slot);
  if (known !== undefined) return known;
  const made = makeKey(slot);
  keys.set(slot, made);
  return made;
}

/** Slots are immutable and asked for their keys many times. */
const keys = new WeakMap<Slot, SlotKey>();

function makeKey(slot: Slot): SlotKey {
  return slot.kind === "account"
    ? `account/${slot.address}/${digits(slot.sequence)}`
    : `token/${slot.token}/${digits(slot.version)}`;
}

/** The slot of a key. @throws RangeError for a text that `slotKey` does not make. */
export function parseSlotKey(key: SlotKey): Slot {
  const match = /^(account|token)\/(0x[0-9a-f]{40})\/(\d{16})$/.exec(key);
  if (match === null)
    throw new RangeError(`slot key: expected account/<address>/<number> or token/<address>/<number>, got ${key}`);
  const owner = match[2] as Address;
  const number = Number(match[3]);
  return match[1] === "account"
    ? { kind: "account", address: owner, sequence: number as Sequence }
    : { kind: "token", token: owner, version: number as Version };
}

/** What all slots of one account or token share in their keys. */
export function sequencePrefix(slot: Slot): string {
  return slot.kind === "account" ? `account/${slot.address}/` : `token/${slot.token}/`;
}

/** Sixteen digits hold every safe integer, so that keys sort as numbers do. */
export function digits(count: number): string {
  return String(count).padStart(16, "0");
}

/** The owner's operation takes effect here, or is authorised here for a slot of its token or debited account. */
export interface OperationValue {
  readonly type: "operation";
  readonly id: OperationId;
}

/** A forced burn takes effect in the debited account's slot (design 5). */
export interface BurnValue {
  readonly type: "burn";
  readonly id: OperationId;
  readonly outcome: "burned" | "failed";
}

/** The fee that a skip pays: the full one, else a payment's, else none, as the payer's balance covers (design 4.4). */
export type FeeStep = "full" | "payment" | "zero";

/** The nonce is used up without effect, by cancellation or by recovery (design 3, table). */
export interface SkipValue {
  readonly type: "skip";
  readonly by: "cancellation" | "recovery";
  readonly id: OperationId;
  /** The token of the displaced operation, `undefined` where nothing moves or the token does not exist. */
  readonly feeToken: Address | undefined;
  readonly feeStep: FeeStep;
}

/** An ordered list of authorised operations that take effect next in their token. */
export interface ListValue {
  readonly type: "list";
  readonly ids: readonly OperationId[];
}

export type Value = OperationValue | BurnValue | SkipValue | ListValue;

/** Hash of a value's canonical encoding; what votes and commits name. */
export type ValueHash = Hash;
