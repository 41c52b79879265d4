/**
 * Places of messages, and their paths. A field has a path from the kind of its message, by the table of fields:
 * `close.claims[].seals` are the seals of a claim of a close, `claims[].seals` those of any message that has such a field,
 * and `lock` is a whole lock certificate.
 */
import type { PeerMessage, UnsignedMessage } from "../../core/validator/message.ts";
import { messageKind } from "../network/message-content.ts";
import {
  allFields,
  fieldsOf,
  fieldsOfKind,
  fieldsOfMessage,
  isKind,
  MESSAGE_KINDS,
  type MessageField,
  possibleFields,
} from "./message-fields.ts";

export type Message = PeerMessage | UnsignedMessage;

/** Returns an integer below a bound. */
export type Choose = (bound: number) => number;

/** Form of what stands at a path. */
export type Form = Pick<MessageField, "single" | "isList" | "isOptional">;

/** A field, or an entry of a list, of one message. */
export interface Place extends Form {
  readonly path: string;
  /** Members and indexes that lead there. */
  readonly keys: readonly (string | number)[];
  readonly value: unknown;
}

/** Types of whole statements and certificates that another one may be taken for. */
export const TYPES: Readonly<Record<string, string>> = {
  lock: "finality",
  finality: "lock",
  vote: "commit",
  commit: "vote",
};

/** Form of a whole statement or certificate of one of these types. */
function bodyForm(type: string): Form {
  const single = type === "lock" || type === "finality" ? "certificate" : "body";
  return { single, isList: false, isOptional: false };
}

/** Returns the forms of the fields that a path names; empty if no message has such a field. */
export function formsAt(path: string): readonly Form[] {
  const [first = "", ...rest] = path.split(".");
  if (path in TYPES) return [bodyForm(path)];
  let fields = isKind(first) ? fieldsOfKind(first) : allFields();
  let forms: readonly Form[] = [];
  for (const name of isKind(first) ? rest : [first, ...rest]) {
    const isEntry = name.endsWith("[]");
    const named = fields.filter((field) => field.name === name.replace("[]", "") && (field.isList || !isEntry));
    forms = named.map((field) => (isEntry ? { ...field, isList: false, isOptional: false } : field));
    fields = named.flatMap(({ single, isList }) => (isList && !isEntry ? [] : possibleFields(single)));
  }
  return forms;
}

/** Turns from the start of a drawn path to its end: into a field, or into an entry of a list. */
const TURNS_MAX = 10;

/** Returns the path of some field at or below one of these paths. */
export function drawPath(choose: Choose, starts: readonly string[] = MESSAGE_KINDS): string {
  let path = starts[choose(starts.length)] as string;
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    const forms = formsAt(path);
    // A kind of message alone names no field, unless it is a statement or certificate.
    if (forms.length > 0 && choose(4) === 0) break;
    const isList = forms.some((form) => form.isList);
    const fields = isKind(path) ? fieldsOfKind(path) : forms.flatMap(({ single }) => possibleFields(single));
    if (!isList && fields.length === 0) break;
    path += isList ? "[]" : `.${(fields[choose(fields.length)] as MessageField).name}`;
  }
  return path;
}

/** Returns true for a place with this path, or below which this path ends; for every place if there is none. */
export function isAt(place: Place, path: string | undefined): boolean {
  return path === undefined || place.path === path || place.path.endsWith(`.${path}`);
}

/** Returns all places of a message; of each list one entry is entered. Cost: O(size of the message). */
export function placesOf(message: Message, { choose }: { readonly choose: Choose }): readonly Place[] {
  const kind = messageKind(message);
  const places: Place[] = [];
  if (message.type === "consensus" && kind in TYPES)
    places.push({ ...bodyForm(kind), path: kind, keys: ["body"], value: message.body });
  for (const { keys, part, fields } of fieldsOfMessage(message)) addPlaces(part, fields, kind, keys, choose, places);
  return places;
}

/** Adds the places below a part. */
export function addPlaces(
  part: object,
  fields: readonly MessageField[],
  path: string,
  keys: Place["keys"],
  choose: Choose,
  places: Place[],
): void {
  for (const { name, ...form } of fields) {
    const value = (part as Readonly<Record<string, unknown>>)[name];
    const place = { ...form, path: `${path}.${name}`, keys: [...keys, name], value };
    if (value === undefined && !form.isOptional) continue;
    places.push(place);
    if (!form.isList) {
      enter(place, choose, places);
      continue;
    }
    const list = value as readonly unknown[];
    if (list.length === 0) continue;
    const at = choose(list.length);
    const entry = { ...place, path: `${place.path}[]`, keys: [...place.keys, at], isList: false, value: list[at] };
    places.push(entry);
    enter(entry, choose, places);
  }
}

function enter({ single, value, path, keys }: Place, choose: Choose, places: Place[]): void {
  if (typeof value !== "object" || value === null || single === "opaque") return;
  addPlaces(value, fieldsOf(single, value), path, keys, choose, places);
}
