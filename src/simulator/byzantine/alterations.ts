/**
 * Alterations of one part of a message, chosen by its form: another known part of the same form, a neighbouring number,
 * a changed digit; of a list, an entry dropped, doubled, moved or added, or the list cut short.
 */
import { STATE_PARTS } from "../../core/ledger/roots.ts";
import type { PeerMessage, UnsignedMessage } from "../../core/validator/message.ts";
import { type Field, fieldsOf, mayHold, type Single, withMember } from "./message-fields.ts";

/** Parts of messages that may be altered: all, only lists, or only texts and numbers. */
export type Extent = "all" | "lists" | "members";

export interface Alteration {
  readonly extent: Extent;
  /** Messages from which other parts are taken. */
  readonly known: readonly PeerMessage[];
  choose(bound: number): number;
}

/** Entries of a list that are looked at for known parts. */
const ENTRIES_MAX = 4;

/** Returns the message with one part altered; `undefined` if it has none of this extent. */
export function altered<M extends PeerMessage | UnsignedMessage>(message: M, how: Alteration): M | undefined {
  return alteredMember(message, "message", how) as M | undefined;
}

/** Returns a copy of a part in which one text, number or flag is another one; `undefined` if it has none. */
export function alteredMembers(part: unknown, shape: Single, choose: Alteration["choose"]): unknown {
  return alteredPart(part, shape, { extent: "members", known: [], choose });
}

function alteredField(value: unknown, { single, isList, isOptional }: Field, how: Alteration): unknown {
  if (isList) return alteredList(value as readonly unknown[], single, how);
  if (isOptional && value === undefined) return how.extent === "lists" ? undefined : another(value, single, how);
  return alteredPart(value, single, how);
}

function alteredPart(value: unknown, shape: Single, how: Alteration): unknown {
  if (typeof value !== "object" || value === null || shape === "opaque") return alteredLeaf(value, shape, how);
  // A statement that is to be signed keeps its kind.
  if (shape !== "body" && how.extent === "all" && how.choose(6) === 0)
    return another(value, shape, how) ?? alteredMember(value, shape, how);
  return alteredMember(value, shape, how);
}

/** Alters one field, the first in a rotation that can be altered. An optional one may be left out. */
function alteredMember(value: object, shape: Single, how: Alteration): object | undefined {
  for (const field of inRotation(fieldsOf(shape, value), how)) {
    const { name, isOptional } = field;
    const before = (value as Readonly<Record<string, unknown>>)[name];
    const isAbsent = before === undefined && !isOptional;
    if (isAbsent) continue;
    const isDropped = isOptional && before !== undefined && how.extent !== "lists" && how.choose(4) === 0;
    if (isDropped) return withMember(value, name, undefined);
    const after = alteredField(before, field, how);
    if (after !== undefined) return withMember(value, name, after);
  }
  return undefined;
}

function alteredLeaf(value: unknown, shape: Single, how: Alteration): unknown {
  if (how.extent === "lists") return undefined;
  if (shape === "word") return otherWord(value as string);
  if (typeof value === "boolean") return !value;
  const other = how.choose(3) === 0 ? another(value, shape, how) : undefined;
  if (other !== undefined) return other;
  if (typeof value === "number") return how.choose(2) === 0 && value > 0 ? value - 1 : value + 1;
  if (typeof value === "bigint") return how.choose(2) === 0 && value > 0n ? value - 1n : value + 1n;
  if (typeof value !== "string") return undefined;
  return value.startsWith("0x") ? withOtherDigit(value, how) : `${value}x`;
}

/** Texts of which a field has exactly one: another text is no message. */
const WORDS: readonly (readonly string[])[] = [
  ["burned", "failed"],
  ["cancellation", "recovery"],
  ["full", "payment", "zero"],
  STATE_PARTS,
];

function otherWord(word: string): string | undefined {
  const words = WORDS.find((group) => group.includes(word));
  return words?.[(words.indexOf(word) + 1) % words.length];
}

function withOtherDigit(text: string, { choose }: Alteration): string {
  const at = 2 + choose(Math.max(1, text.length - 2));
  return `${text.slice(0, at)}${text[at] === "1" ? "2" : "1"}${text.slice(at + 1)}`;
}

function alteredList(list: readonly unknown[], shape: Single, how: Alteration): readonly unknown[] | undefined {
  const at = list.length === 0 ? 0 : how.choose(list.length);
  const isInside = list.length > 0 && how.choose(how.extent === "members" ? 1 : 2) === 0;
  const inside = isInside ? alteredPart(list[at], shape, how) : undefined;
  if (inside !== undefined) return list.with(at, inside);
  return how.extent === "members" ? undefined : rearranged(list, at, shape, how);
}

/** Returns the list with entries too few, too many or out of place; `undefined` if there are none to work with. */
function rearranged(
  list: readonly unknown[],
  at: number,
  shape: Single,
  how: Alteration,
): readonly unknown[] | undefined {
  const more = another(undefined, shape, how);
  if (list.length === 0) return more === undefined ? undefined : [more];
  const entry = list[at];
  switch (how.choose(7)) {
    case 0:
      return list.toSpliced(at, 1);
    case 1:
      return list.toSpliced(at, 0, entry);
    case 2:
      return [...list, ...list.slice(at)];
    case 3:
      return rotated(list, 1);
    case 4:
      return list.slice(0, at);
    case 5:
      return list.toSpliced(how.choose(list.length + 1), 0, more ?? entry);
    default:
      return [...list, alteredPart(entry, shape, { ...how, extent: "members" }) ?? entry];
  }
}

/** Returns another known part of this form, from the messages in a rotation; `undefined` if there is none. */
function another(value: unknown, shape: Single, how: Alteration): unknown {
  if (shape === "opaque") return undefined;
  for (const message of inRotation(how.known, how)) {
    const parts: unknown[] = [];
    addParts(message, "message", shape, parts);
    const others = parts.filter((part) => part !== value);
    if (others.length > 0) return others[how.choose(others.length)];
  }
  return undefined;
}

function inRotation<T>(list: readonly T[], { choose }: Alteration): readonly T[] {
  return list.length === 0 ? list : rotated(list, choose(list.length));
}

function rotated<T>(list: readonly T[], by: number): readonly T[] {
  return [...list.slice(by), ...list.slice(0, by)];
}

/** Adds the parts of a form in their order. Most of a message is left aside: it holds none of them. */
function addParts(value: unknown, shape: Single, wanted: Single, found: unknown[]): void {
  if (value === undefined) return;
  if (shape === wanted) {
    found.push(value);
    return;
  }
  if (typeof value !== "object" || value === null || !mayHold(shape, wanted)) return;
  for (const { name, single, isList } of fieldsOf(shape, value)) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (!isList) addParts(member, single, wanted, found);
    else if (member !== undefined)
      for (const entry of (member as readonly unknown[]).slice(0, ENTRIES_MAX)) addParts(entry, single, wanted, found);
  }
}
