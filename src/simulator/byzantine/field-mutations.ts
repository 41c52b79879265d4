/** Mutations of one field of a message. */
import { AMOUNT_MAX } from "../../core/base/amount.ts";
import { BURN_OUTCOMES } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import { STATE_PARTS } from "../../core/ledger/roots.ts";
import type { PeerMessage, UnsignedMessage } from "../../core/validator/message.ts";
import { messageKind } from "../network/message-content.ts";
import {
  addPlaces,
  type Choose,
  type Form,
  formsAt,
  isAt,
  type Message,
  type Place,
  placesOf,
  TYPES,
} from "./field-places.ts";
import { fieldsOf, isKind, withMember } from "./message-fields.ts";

/** Mutations with their meanings. */
export const MUTATIONS = {
  changed: "a digit, a word or a flag is another one",
  next: "a number is one higher",
  previous: "a number is one lower",
  far: "a number is a thousand higher",
  "next-turn": "a number is higher by the number of validators: a round that has the same proposer",
  zero: "a number is 0",
  largest: "a number is the largest that its field can hold",
  malformed: "a text or number has another form: letters in upper case, a blank, too short, negative, no integer",
  other: "it is that of another message of this kind, of another slot, epoch or time",
  foreign: "it is another part of the same form, of any message",
  absent: "an optional part is left out",
  retyped: "a vote is called a commit, a lock a finality certificate, and the other way round",
  dropped: "a list lacks an entry before its last one",
  truncated: "a list ends early",
  emptied: "a list has no entry",
  doubled: "an entry of a list stands there twice in a row",
  repeated: "an entry of a list stands in place of the next one too",
  "doubled-tail": "the end of a list follows once more",
  swapped: "the first entry of a list comes last",
  padded: "a list ends with an entry of another message",
  inserted: "a list begins with an entry of another message",
  forged: "before an entry of a list stands a copy of it in which a text or number is another one",
} as const;

export type Mutation = keyof typeof MUTATIONS;

/** Sources of a mutation. */
export interface MutationSource {
  /** Messages from which other parts are taken, the latest last. */
  readonly known: readonly PeerMessage[];
  /** Number of validators. */
  readonly members: number;
  choose(bound: number): number;
}

/** Returns the mutations that a form allows, whatever stands there. */
export function mutationsOf({ single, isList, isOptional }: Form): readonly Mutation[] {
  if (isList) return LIST_MUTATIONS;
  if (single === "body") return ["retyped"];
  return [
    ...(isOptional ? (["absent"] as const) : []),
    "other",
    ...(single === "opaque" ? [] : (["foreign"] as const)),
    ...(LEAVES.has(single) ? (["changed"] as const) : []),
    ...(single === "number" || single === "amount" ? NUMBER_MUTATIONS : []),
    ...(FORMED.has(single) ? (["malformed"] as const) : []),
    ...(single === "certificate" || single === "statement" ? (["retyped"] as const) : []),
  ];
}

const LIST_MUTATIONS = [
  "dropped",
  "truncated",
  "emptied",
  "doubled",
  "repeated",
  "doubled-tail",
  "swapped",
  "padded",
  "inserted",
  "forged",
  "other",
] as const;

const NUMBER_MUTATIONS = ["next", "previous", "far", "next-turn", "zero", "largest"] as const;

/** Forms of which a digit, a word or a flag may be another one. */
const LEAVES: ReadonlySet<string> = new Set(["hash", "address", "signature", "text", "word", "flag", "opaque"]);

/** Forms of which a text or number can have another form; one of a signature, a free text or a word has none. */
const FORMED: ReadonlySet<string> = new Set(["hash", "address", "number", "amount"]);

/** Returns the mutations that some field at a path allows; empty if no message has such a field. */
export function mutationsAt(path: string): readonly Mutation[] {
  return [...new Set(formsAt(path).flatMap(mutationsOf))];
}

/**
 * Returns the message with one field mutated, at this path and in this way, or at any place and in any way if none is
 * given; `undefined` if it has no such place.
 */
export function mutateMessage<M extends Message>(
  message: M,
  path: string | undefined,
  mutation: Mutation | undefined,
  source: MutationSource,
): M | undefined {
  const [kind = ""] = path?.split(".") ?? [];
  if (isKind(kind) && kind !== messageKind(message)) return undefined;
  const waysOf = (place: Place): readonly Mutation[] =>
    mutationsOf(place).filter((way) => way === (mutation ?? way) && (way !== "malformed" || !isUnsigned(message)));
  const places = placesOf(message, source).filter((place) => isAt(place, path) && waysOf(place).length > 0);
  // Most places lie deep in a message, so the depth is drawn first.
  const depth = pickFrom([...new Set(places.map(({ keys }) => keys.length))], source);
  const atDepth = places.filter(({ keys }) => keys.length === depth);
  const place = pickFrom(atDepth, source);
  return place && mutatedAt(message, place, pickFrom(waysOf(place), source) as Mutation, source);
}

/** Returns true for a statement that is to be signed: nothing encodes a malformed part of it. */
export function isUnsigned(message: Message): message is UnsignedMessage {
  return message.type === "consensus" && !("seals" in message.body) && !("signer" in message.body);
}

function pickFrom<T>(list: readonly T[], { choose }: Pick<MutationSource, "choose">): T | undefined {
  return list.length === 0 ? undefined : list[choose(list.length)];
}

/** Returns the message with what stands at one of its places mutated; `undefined` if that is impossible. */
export function mutatedAt<M extends Message>(
  message: M,
  place: Place,
  mutation: Mutation,
  source: MutationSource,
): M | undefined {
  if (!mutationsOf(place).includes(mutation)) return undefined;
  const value = place.isList ? mutatedList(place, mutation, source) : mutatedPart(place, mutation, source);
  if (value === undefined && mutation !== "absent") return undefined;
  return replaceAt(message, place.keys, value) as M;
}

function mutatedPart(place: Place, mutation: Mutation, source: MutationSource): unknown {
  const { value, single } = place;
  const step = mutation === "next-turn" ? source.members : NUMBER_STEPS.get(mutation);
  if (step !== undefined) return addNumber(value, step);
  switch (mutation) {
    case "absent":
      return undefined;
    case "other":
      return otherValueAtPath(place, source);
    case "foreign":
      return valueOfSameForm(place, source);
    case "retyped":
      return value === undefined ? undefined : changeType(value as object);
    case "zero":
      return typeof value === "bigint" ? 0n : 0;
    case "largest":
      return typeof value === "bigint" ? AMOUNT_MAX : Number.MAX_SAFE_INTEGER;
    case "malformed":
      return malformedValue(value, source.choose);
    default:
      return value === undefined ? undefined : otherLeaf(value, single, source.choose);
  }
}

const NUMBER_STEPS: ReadonlyMap<Mutation, number> = new Map([
  ["next", 1],
  ["previous", -1],
  ["far", 1_000],
]);

/** Returns the next number, or `undefined` below zero. */
function addNumber(value: unknown, by: number): unknown {
  if (typeof value === "bigint") return value + BigInt(by) < 0n ? undefined : value + BigInt(by);
  return typeof value === "number" && value + by >= 0 ? value + by : undefined;
}

/** Returns a text or number that no validator writes; `undefined` for an absent one. */
function malformedValue(value: unknown, choose: Choose): unknown {
  if (typeof value === "bigint") return -1n - value;
  if (typeof value === "number") return [-1 - value, value + 0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN][choose(4)];
  if (typeof value !== "string") return undefined;
  return [`0x${value.slice(2, -2)}AB`, "0x12", "", "a b", `${value} `, `${value}0`][choose(6)];
}

function changeType(part: object): object | undefined {
  const type = "type" in part ? TYPES[String(part.type)] : undefined;
  return type === undefined ? undefined : { ...part, type };
}

/** Entries from which on a list is not lengthened: two Byzantine validators may lengthen it in turn, without an end. */
const LONG = 256;
const LENGTHENING: ReadonlySet<Mutation> = new Set(["doubled", "doubled-tail", "padded", "inserted", "forged"]);

function mutatedList(place: Place, mutation: Mutation, source: MutationSource): readonly unknown[] | undefined {
  const list = place.value as readonly unknown[];
  if (list.length >= LONG && LENGTHENING.has(mutation)) return undefined;
  if (mutation === "other") return otherValueAtPath(place, source) as readonly unknown[] | undefined;
  const added = mutation === "padded" || mutation === "inserted" ? otherEntry(place, source) : undefined;
  if (added !== undefined) return mutation === "padded" ? [...list, added] : [added, ...list];
  if (list.length === 0) return undefined;
  const at = source.choose(list.length);
  if (mutation !== "forged") return LIST_CHANGES[mutation]?.(list, at);
  const copy = withOtherLeaf(list[at], place.single, source.choose);
  return copy === undefined ? undefined : list.toSpliced(at, 0, copy);
}

/** Changes of a list that has an entry, at a drawn place. */
const LIST_CHANGES: Readonly<
  Partial<Record<Mutation, (list: readonly unknown[], at: number) => readonly unknown[] | undefined>>
> = {
  dropped: (list, at) => list.toSpliced(list.length === 1 ? 0 : at % (list.length - 1), 1),
  truncated: (list, at) => list.slice(0, at),
  emptied: () => [],
  doubled: (list, at) => list.toSpliced(at, 0, list[at]),
  repeated: (list, at) => (list.length < 2 ? undefined : list.with((at + 1) % list.length, list[at])),
  "doubled-tail": (list, at) => [...list, ...list.slice(at)],
  swapped: (list) => (list.length < 2 ? undefined : [...list.slice(1), ...list.slice(0, 1)]),
};

/** Returns what stands at the same path of another message, of the latest ones first; `undefined` if none differs. */
function otherValueAtPath({ path, value }: Place, { known, choose }: MutationSource): unknown {
  const kind = path.slice(0, path.indexOf("."));
  for (const message of known.toReversed()) {
    if (messageKind(message) !== kind) continue;
    const there = placesOf(message, { choose }).find((place) => place.path === path);
    if (there?.value !== undefined && !isEqual(there.value, value)) return there.value;
  }
  return undefined;
}

/** Returns another part of this form, of one of the known messages; `undefined` if none has one. */
function valueOfSameForm({ single, value }: Pick<Place, "single" | "value">, source: MutationSource): unknown {
  const { known, choose } = source;
  const first = known.length === 0 ? 0 : choose(known.length);
  for (const message of [...known.slice(first), ...known.slice(0, first)]) {
    const parts = placesOf(message, source).filter(
      (place) => place.single === single && !place.isList && place.value !== undefined && !isEqual(place.value, value),
    );
    const part = pickFrom(parts, source);
    if (part !== undefined) return part.value;
  }
  return undefined;
}

/**
 * Returns an entry that this list does not have: of this list in another message, or else of any message. One opaque part
 * does not stand for another: their types differ.
 */
function otherEntry(place: Place, source: MutationSource): unknown {
  const list = place.value as readonly unknown[];
  for (const message of source.known.toReversed()) {
    for (const { path, value } of placesOf(message, source)) {
      if (path !== place.path) continue;
      const entry = (value as readonly unknown[]).find((one) => !list.some((own) => isEqual(own, one)));
      if (entry !== undefined) return entry;
    }
  }
  return place.single === "opaque" ? undefined : valueOfSameForm({ single: place.single, value: undefined }, source);
}

/** Equality of texts, numbers, and of records by their members. Cost: O(1) for the same record. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (a instanceof Trie && b instanceof Trie) return isEqual(a.entries(), b.entries());
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqual(memberOf(a, name), memberOf(b, name)))
  );
}

function memberOf(record: object, name: string): unknown {
  return record[name as keyof typeof record];
}

/** Returns a copy of a part in which one text, number or flag is another one; `undefined` if it has none. */
function withOtherLeaf(part: unknown, single: Form["single"], choose: Choose): unknown {
  if (typeof part !== "object" || part === null) return otherLeaf(part, single, choose);
  const leaves: Place[] = [];
  addPlaces(part, fieldsOf(single, part), "", [], choose, leaves);
  const place = pickFrom(
    leaves.filter((leaf) => !leaf.isList && typeof leaf.value !== "object" && leaf.value !== undefined),
    { choose },
  );
  return place && replaceAt(part, place.keys, otherLeaf(place.value, place.single, choose) ?? place.value);
}

/** Texts of which a field has exactly one: another text is no message. */
const WORDS: readonly (readonly string[])[] = [
  BURN_OUTCOMES,
  ["cancellation", "recovery"],
  ["full", "payment", "zero"],
  STATE_PARTS,
];

/** Returns another text, number or flag of this form; `undefined` for a part that is none of these. */
function otherLeaf(value: unknown, single: Form["single"], choose: Choose): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number" || typeof value === "bigint")
    return addNumber(value, choose(2) === 0 ? -1 : 1) ?? addNumber(value, 1);
  if (typeof value !== "string") return undefined;
  if (single === "word") {
    const words = WORDS.find((group) => group.includes(value));
    return words?.[(words.indexOf(value) + 1) % words.length];
  }
  if (!value.startsWith("0x")) return `${value}x`;
  const at = 2 + choose(Math.max(1, value.length - 2));
  return `${value.slice(0, at)}${value[at] === "1" ? "2" : "1"}${value.slice(at + 1)}`;
}

function replaceAt(part: unknown, [key, ...rest]: Place["keys"], value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof key === "number") {
    const list = part as readonly unknown[];
    return list.with(key, replaceAt(list[key], rest, value));
  }
  const record = part as Readonly<Record<string, unknown>>;
  return withMember(record, key, replaceAt(record[key], rest, value));
}
