/**
 * Mutations of one chosen field of a message. A field has a path from the kind of its message, by the table of fields:
 * `close.claims[].seals` are the seals of a claim of a close, `claims[].seals` those of any message that has such a field.
 */
import type { PeerMessage, UnsignedMessage } from "../../core/validator/message.ts";
import { messageKind } from "../network/message-content.ts";
import { alteredMembers } from "./alterations.ts";
import {
  allFields,
  type Field,
  fieldsOf,
  fieldsOfKind,
  fieldsOfMessage,
  isKind,
  possibleFields,
  withMember,
} from "./message-fields.ts";

/** Mutations with their meanings. */
export const MUTATIONS = {
  changed: "a digit, a word or a flag is another one",
  next: "a number is one higher",
  previous: "a number is one lower",
  far: "a number is a thousand higher",
  malformed: "a text or number has another form: letters in upper case, a blank, too short, negative, no integer",
  other: "it is that of another message, of another slot, epoch or time",
  absent: "an optional part is left out",
  retyped: "a vote is called a commit, a lock a finality certificate, and the other way round",
  dropped: "a list lacks an entry",
  truncated: "a list ends early",
  emptied: "a list has no entry",
  doubled: "an entry of a list stands there twice in a row",
  repeated: "an entry of a list stands in place of the next one too",
  "doubled-tail": "the end of a list follows once more",
  swapped: "the first entry of a list comes last",
  padded: "a list ends with an entry of another message",
  inserted: "a list begins with an entry of another message",
  forged: "a list ends with a copy of an entry in which a text or number is another one",
} as const;

export type Mutation = keyof typeof MUTATIONS;

/** Form of what stands at a path. */
type Form = Pick<Field, "single" | "isList" | "isOptional">;

/** A field, or an entry of a list, of one message. */
export interface Place extends Form {
  readonly path: string;
  /** Members and indexes that lead there. */
  readonly keys: readonly (string | number)[];
  readonly value: unknown;
}

/** Sources of a mutation. */
export interface MutationSource {
  /** Messages from which other parts are taken, the latest last. */
  readonly known: readonly PeerMessage[];
  choose(bound: number): number;
}

type Message = PeerMessage | UnsignedMessage;

/** Returns the mutations that a form allows, whatever stands there. */
export function mutationsOf({ single, isList, isOptional }: Form): readonly Mutation[] {
  if (isList)
    return [
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
    ];
  return [
    ...(isOptional ? (["absent"] as const) : []),
    "other",
    ...(LEAVES.has(single) ? (["changed"] as const) : []),
    ...(single === "number" || single === "amount" ? (["next", "previous", "far"] as const) : []),
    ...(FORMED.has(single) ? (["malformed"] as const) : []),
    ...(single === "certificate" || single === "statement" ? (["retyped"] as const) : []),
  ];
}

/** Forms of which a digit, a word or a flag may be another one. */
const LEAVES: ReadonlySet<string> = new Set(["hash", "address", "signature", "text", "word", "flag", "opaque"]);

/** Forms of which a text or number can have another form; one of a signature, a free text or a word has none. */
const FORMED: ReadonlySet<string> = new Set(["hash", "address", "number", "amount"]);

/** Returns the forms of the fields that a path names; empty if no message has such a field. */
export function formsAt(path: string): readonly Form[] {
  const [first = "", ...rest] = path.split(".");
  let fields = isKind(first) ? fieldsOfKind(first) : allFields();
  let found: readonly Form[] = [];
  for (const name of isKind(first) ? rest : [first, ...rest]) {
    const isEntry = name.endsWith("[]");
    const named = fields.filter((field) => field.name === name.replace("[]", "") && (field.isList || !isEntry));
    found = named.map((field) => (isEntry ? { ...field, isList: false, isOptional: false } : field));
    fields = named.flatMap(({ single, isList }) => (isList && !isEntry ? [] : possibleFields(single)));
  }
  return found;
}

/** Returns the message with one of the fields at this path mutated; `undefined` if it has none that can be. */
export function mutated<M extends Message>(
  message: M,
  path: string,
  mutation: Mutation,
  source: MutationSource,
): M | undefined {
  const [kind = ""] = path.split(".");
  if (isKind(kind) && kind !== messageKind(message)) return undefined;
  const places = placesOf(message, source).filter((place) => isAt(place, path));
  if (places.length === 0) return undefined;
  return mutatedAt(message, places[source.choose(places.length)] as Place, mutation, source);
}

function isAt(place: Place, path: string): boolean {
  return place.path === path || place.path.endsWith(`.${path}`);
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
  return replaced(message, place.keys, value) as M;
}

/** Returns all places of a message; of each list one entry is entered. Cost: O(size of the message). */
export function placesOf(message: Message, { choose }: Pick<MutationSource, "choose">): readonly Place[] {
  const found: Place[] = [];
  for (const { keys, part, fields } of fieldsOfMessage(message))
    addPlaces(part, fields, messageKind(message), keys, choose, found);
  return found;
}

function addPlaces(
  part: object,
  fields: readonly Field[],
  path: string,
  keys: Place["keys"],
  choose: MutationSource["choose"],
  found: Place[],
): void {
  for (const { name, ...form } of fields) {
    const value = (part as Readonly<Record<string, unknown>>)[name];
    const place = { ...form, path: `${path}.${name}`, keys: [...keys, name], value };
    if (value === undefined && !form.isOptional) continue;
    found.push(place);
    if (!form.isList) {
      enter(place, choose, found);
      continue;
    }
    const list = value as readonly unknown[];
    if (list.length === 0) continue;
    const at = choose(list.length);
    const entry = { ...place, path: `${place.path}[]`, keys: [...place.keys, at], isList: false, value: list[at] };
    found.push(entry);
    enter(entry, choose, found);
  }
}

function enter({ single, value, path, keys }: Place, choose: MutationSource["choose"], found: Place[]): void {
  if (typeof value !== "object" || value === null || single === "opaque") return;
  addPlaces(value, fieldsOf(single, value), path, keys, choose, found);
}

function mutatedPart(place: Place, mutation: Mutation, source: MutationSource): unknown {
  const { value, single } = place;
  switch (mutation) {
    case "absent":
      return undefined;
    case "other":
      return other(place, source);
    case "retyped":
      return value === undefined ? undefined : retyped(value as object);
    case "next":
      return plus(value, 1);
    case "previous":
      return plus(value, -1);
    case "far":
      return plus(value, 1_000);
    case "malformed":
      return malformed(value, source.choose);
    default:
      return value === undefined ? undefined : alteredMembers(value, single, source.choose);
  }
}

/** Returns the next number, or `undefined` below zero. */
function plus(value: unknown, by: number): unknown {
  if (typeof value === "bigint") return value + BigInt(by) < 0n ? undefined : value + BigInt(by);
  return typeof value === "number" && value + by >= 0 ? value + by : undefined;
}

/** Returns a text or number that no validator writes; `undefined` for an absent one. */
function malformed(value: unknown, choose: MutationSource["choose"]): unknown {
  if (typeof value === "bigint") return -1n - value;
  if (typeof value === "number") return [-1 - value, value + 0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN][choose(4)];
  if (typeof value !== "string") return undefined;
  return [`0x${value.slice(2, -2)}AB`, "0x12", "", "a b", `${value} `, `${value}0`][choose(6)];
}

const TYPES: Readonly<Record<string, string>> = {
  lock: "finality",
  finality: "lock",
  vote: "commit",
  commit: "vote",
};

function retyped(part: object): object | undefined {
  const type = "type" in part ? TYPES[String(part.type)] : undefined;
  return type === undefined ? undefined : { ...part, type };
}

function mutatedList(place: Place, mutation: Mutation, source: MutationSource): readonly unknown[] | undefined {
  const list = place.value as readonly unknown[];
  const foreign = mutation === "padded" || mutation === "inserted" ? otherEntry(place, source) : undefined;
  if (foreign !== undefined) return mutation === "padded" ? [...list, foreign] : [foreign, ...list];
  if (list.length === 0) return undefined;
  const at = source.choose(list.length);
  switch (mutation) {
    case "dropped":
      return list.toSpliced(at, 1);
    case "truncated":
      return list.slice(0, at);
    case "emptied":
      return [];
    case "doubled":
      return list.toSpliced(at, 0, list[at]);
    case "repeated":
      return list.length < 2 ? undefined : list.with((at + 1) % list.length, list[at]);
    case "doubled-tail":
      return [...list, ...list.slice(at)];
    case "swapped":
      return list.length < 2 ? undefined : [...list.slice(1), ...list.slice(0, 1)];
    case "forged": {
      const copy = alteredMembers(list[at], place.single, source.choose);
      return copy === undefined ? undefined : [...list, copy];
    }
    default:
      return undefined;
  }
}

/** Returns what stands at the same path of another message, of the latest ones first; `undefined` if none differs. */
function other({ path, value }: Place, { known, choose }: MutationSource): unknown {
  const kind = path.slice(0, path.indexOf("."));
  for (const message of known.toReversed()) {
    if (messageKind(message) !== kind) continue;
    const there = placesOf(message, { choose }).find((place) => place.path === path);
    if (there?.value !== undefined && !isEqual(there.value, value)) return there.value;
  }
  return undefined;
}

/** Returns an entry of this list in another message that this list does not have. */
function otherEntry(place: Place, source: MutationSource): unknown {
  const list = place.value as readonly unknown[];
  for (const message of source.known.toReversed()) {
    for (const { path, value } of placesOf(message, source)) {
      if (path !== place.path) continue;
      const entry = (value as readonly unknown[]).find((one) => !list.some((own) => isEqual(own, one)));
      if (entry !== undefined) return entry;
    }
  }
  return undefined;
}

/** Equality of texts, numbers and the same record. Two equal records are rare, and one in place of the other is harmless. */
function isEqual(one: unknown, another: unknown): boolean {
  return one === another;
}

function replaced(part: unknown, [key, ...rest]: Place["keys"], value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof key === "number") {
    const list = part as readonly unknown[];
    return list.with(key, replaced(list[key], rest, value));
  }
  const record = part as Readonly<Record<string, unknown>>;
  return withMember(record, key, replaced(record[key], rest, value));
}
