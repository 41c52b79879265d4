/** Text of ids, slots and lists of names in descriptions of violations. */

import { unreachable } from "../core/base/assert.ts";
import type { Genesis } from "../core/base/epoch.ts";
import type { Address, Epoch, Sequence, Version } from "../core/base/ids.ts";
import { type ChainValue, type LedgerSlot, type Slot, type SlotKey, slotKey, type Value } from "../core/base/slot.ts";
import { NAMES_SHOWN } from "./limits.ts";
import type { Change } from "./observation.ts";
import { parametersText } from "./reference/epoch.ts";

/** Returns the first digits of a hash or an address. */
export function shortId(id: string): string {
  return id.length > 10 ? `${id.slice(0, 10)}…` : id;
}

/** Returns `a`, `a and b`, `a, b and c`, `a, b and 7 more`; `none` if empty. */
export function joinNames(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const listed = names.length > NAMES_SHOWN ? names.slice(0, NAMES_SHOWN) : names;
  const rest = names.length - listed.length;
  const all = rest > 0 ? [...listed, `${rest} more`] : listed;
  const last = all[all.length - 1] as string;
  return all.length === 1 ? last : `${all.slice(0, -1).join(", ")} and ${last}`;
}

/** Returns `1 vote`, `2 votes`. */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns a token's symbol at genesis, else its short address. */
export function tokenName(genesis: Genesis, token: Address): string {
  return genesis.tokens.find((other) => other.token === token)?.symbol ?? shortId(token);
}

/** Amount, record or operation that a decision changes. */
export interface ChangedSubject {
  readonly of: Change["of"];
  readonly token?: Address;
  readonly address?: Address | undefined;
  readonly id?: string;
}

/** Returns the text of what a decision changes: `the USD balance of 0x1234…`, `the fee pool of USD`, `account 0x1234…`. */
export function subjectName(genesis: Genesis, { of, token, address = ZERO, id = ZERO }: ChangedSubject): string {
  const name = tokenName(genesis, token ?? ZERO);
  switch (of) {
    case "balance":
      return `the ${name} balance of ${shortId(address)}`;
    case "account":
      return `account ${shortId(address)}`;
    case "token":
      return `token ${name}`;
    case "pool":
      return `the fee pool of ${name}`;
    case "burned":
      return `the count of burned ${name}`;
    case "authorised":
      return `operation ${shortId(id)}`;
  }
}

const ZERO = "0x0" as Address;

/** Returns a slot as text: `slot 3 of account 0x1234…`, `version 2 of token 0xabcd…`. */
export function slotName(slot: Slot): string {
  return slotKeyName(slotKey(slot));
}

/** Returns `the closing of epoch 0`. */
export function closingName(epoch: Epoch): string {
  return `the closing of epoch ${epoch}`;
}

/** Returns the text of a slot key; text that is no key stays as it is. */
export function slotKeyName(key: SlotKey): string {
  const [kind, owner, number] = key.split("/");
  if (kind === "checkpoint" && owner !== undefined) return `checkpoint ${Number(owner)}`;
  if (kind === "epoch" && owner !== undefined) return closingName(Number(owner) as Epoch);
  if (owner === undefined || number === undefined) return key;
  const place = String(Number(number));
  return kind === "account"
    ? `slot ${place} of account ${shortId(owner)}`
    : `version ${place} of ${kind} ${shortId(owner)}`;
}

/** Returns the slot of a key, `undefined` if it is not an account's or a token's. */
export function slotOf(key: SlotKey): LedgerSlot | undefined {
  const [kind, owner, number] = key.split("/");
  if (owner === undefined || number === undefined) return undefined;
  if (kind === "account") return { kind, address: owner as Address, sequence: Number(number) as Sequence };
  return kind === "token" ? { kind, token: owner as Address, version: Number(number) as Version } : undefined;
}

/** Returns a value as text, short enough for a list. */
export function valueName(value: Value): string {
  switch (value.type) {
    case "operation":
      return `operation ${shortId(value.id)}`;
    case "burn":
      return `forced burn ${shortId(value.id)} (${value.outcome})`;
    case "skip":
      return `skip ${shortId(value.id)} by ${value.by}`;
    case "list":
      return `the list [${value.ids.map(shortId).join(", ")}]`;
    case "checkpoint":
      return `a checkpoint of ${linkWords(value)}`;
    case "closing":
      return `${closingName(value.epoch)} as checkpoint ${value.header.number} of ${linkWords(value)}`;
    default:
      return unreachable(value);
  }
}

function linkWords({ header, listed }: ChainValue): string {
  return `${countText(listed.length, "slot")} with state root ${shortId(header.stateRoot)}`;
}

/** Returns a value as text; equal texts are equal decisions. */
export function valueText(value: Value): string {
  switch (value.type) {
    case "operation":
      return `operation/${value.id}`;
    case "burn":
      return `burn/${value.id}/${value.outcome}`;
    case "skip":
      return `skip/${value.by}/${value.id}/${value.displaced.join(",")}/${value.feeToken ?? "none"}`;
    case "list":
      return `list/${value.ids.join(",")}`;
    case "checkpoint":
      return ["checkpoint", ...linkTexts(value)].join("/");
    case "closing":
      return ["closing", value.epoch, ...linkTexts(value), parametersText(value.next), value.warrant].join("/");
    default:
      return unreachable(value);
  }
}

function linkTexts({ header, listed: slots }: ChainValue): readonly (string | number)[] {
  const listing = slots.map((slot) => [slotKey(slot.slot), valueText(slot.value), ...slot.copies].join(" "));
  return [...Object.values(header), ...listing];
}
