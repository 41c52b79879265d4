/**
 * Forms: each describes values of the core once, and from it follow their JSON, the reading of it, and its JSON Schema
 * (docs/validator-wire.md).
 */
import { Trie } from "../../core/base/trie.ts";
import { describeData } from "../../schema/errors.ts";
import type { Keywords } from "../../schema/shape.ts";

export interface Form<T> {
  readonly schema: Keywords;
  /** @throws FormFault for a value that the type excludes, as a Byzantine validator may make it */
  write(value: T): unknown;
  /** Returns a record with its members in the order of the JSON, by which the hash of a run takes them in. @throws FormFault */
  read(json: unknown): T;
  /** True for a member that may be absent. */
  readonly isOptional?: true;
}

/** JSON, or a value of the core, that has not its form: what was expected, and where. */
export class FormFault extends Error {
  override readonly name = "FormFault";
  readonly #expected: string;
  readonly #place: (string | number)[] = [];

  constructor(expected: string) {
    super(expected);
    this.#expected = expected;
  }

  /** Adds the member or the position, counted from 0, in which the fault lies. */
  within(place: string | number): this {
    this.#place.unshift(place);
    this.message = `${this.#place.join(".")}: ${this.#expected}`;
    return this;
  }
}

/** `expected`: a noun phrase. */
function misfit(expected: string, got: unknown): FormFault {
  return new FormFault(`expected ${expected}, got ${describeData(got)}`);
}

function rethrow(error: unknown, place: string | number): never {
  throw error instanceof FormFault ? error.within(place) : error;
}

/** Schemas of the named forms. */
export const DEFINITIONS = new Map<string, Keywords>();

/** Returns the same form, to which others refer by its name. */
export function defineForm<T>(name: string, form: Form<T>): Form<T> {
  DEFINITIONS.set(name, form.schema);
  return { ...form, schema: { $ref: `#/$defs/${name}` } };
}

/** Returns a form for a reference to a named form that is made later. */
export function later<T>(name: string, form: () => Form<T>): Form<T> {
  return {
    schema: { $ref: `#/$defs/${name}` },
    write: (value) => form().write(value),
    read: (json) => form().read(json),
  };
}

/** Returns the same form with a meaning of its own, a noun phrase. */
export function withMeaning<T>(description: string, form: Form<T>): Form<T> {
  return { ...form, schema: { ...form.schema, description } };
}

function scalar<T extends string | number | boolean>(
  type: "string" | "integer" | "boolean",
  keywords: Keywords,
  isValid: (value: T) => boolean,
): Form<T> {
  const jsType = type === "integer" ? "number" : type;
  const fault = (value: unknown): FormFault => misfit(String(keywords["title"] ?? type), value);
  const check = (value: unknown): T => {
    if (typeof value !== jsType) throw fault(value);
    return value as T;
  };
  return {
    schema: { type, ...keywords },
    write: check,
    read: (json) => {
      if (!isValid(check(json))) throw fault(json);
      return json as T;
    },
  };
}

/** Text of a pattern; `title`: a noun phrase that says which. */
export function patternText<T extends string>(title: string, pattern: string): Form<T> {
  const expression = new RegExp(pattern);
  return scalar<T>("string", { title, pattern }, (text) => expression.test(text));
}

/** Most characters of a text: more than the rules of operations allow (wire 5). */
const TEXT_MAX = 16_384;

export function anyText<T extends string>(title = "text"): Form<T> {
  return scalar<T>("string", { title, maxLength: TEXT_MAX }, ({ length }) => length <= TEXT_MAX);
}

export function wordOf<T extends string>(...words: readonly T[]): Form<T> {
  const title = words.map((word) => `\`${word}\``).join(" or ");
  return scalar<T>("string", { title, enum: words }, (word) => words.includes(word));
}

/** Whole number from 0 to 2^53 - 1. */
export function count<T extends number>(title = "count"): Form<T> {
  const schema = { title, minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
  return scalar<T>("integer", schema, (value) => Number.isSafeInteger(value) && value >= 0);
}

/** Whole number of either sign. */
export function signedCount<T extends number>(title: string): Form<T> {
  return scalar<T>("integer", { title }, (value) => Number.isSafeInteger(value));
}

export const flag: Form<boolean> = scalar("boolean", {}, () => true);

/** The word `true`. */
export const trueOnly: Form<true> = scalar("boolean", { title: "true", const: true }, (value) => value === true);

/** Decimal digits for a bigint. */
function digits<T extends bigint>(title: string, pattern: string): Form<T> {
  const text = patternText<string>(title, pattern);
  return {
    schema: text.schema,
    write: (value) => {
      if (typeof value !== "bigint") throw misfit(title, value);
      return String(value);
    },
    read: (json) => BigInt(text.read(json)) as T,
  };
}

export function natural<T extends bigint>(title: string): Form<T> {
  return digits<T>(title, "^(0|[1-9]\\d{0,77})$");
}

export function integer(title: string): Form<bigint> {
  return digits<bigint>(title, "^(0|-?[1-9]\\d{0,77})$");
}

/** A member that may be null, which stands for none. */
export function nullable<T>(form: Form<T>): Form<T | undefined> {
  return {
    schema: { anyOf: [form.schema, { type: "null" }] },
    write: (value) => (value === undefined ? null : form.write(value)),
    read: (json) => (json === null ? undefined : form.read(json)),
  };
}

/** A member that may be absent. */
export function optional<T>(form: Form<T>): Form<T | undefined> {
  return { ...nullable(form), isOptional: true };
}

export function list<T>(items: Form<T>): Form<readonly T[]> {
  const each = (value: unknown, change: (item: never) => unknown): unknown[] => {
    if (!Array.isArray(value)) throw misfit("a list", value);
    let at = 0;
    try {
      const changed: unknown[] = [];
      for (; at < value.length; at++) changed.push(change(value[at] as never));
      return changed;
    } catch (error) {
      return rethrow(error, at);
    }
  };
  return {
    schema: { type: "array", items: items.schema },
    write: (value) => each(value, items.write),
    read: (json) => each(json, items.read) as T[],
  };
}

/** A list of exactly these two parts. */
export function pair<A, B>(first: Form<A>, second: Form<B>): Form<readonly [A, B]> {
  const both = (value: unknown, change: "write" | "read"): [unknown, unknown] => {
    if (!Array.isArray(value) || value.length !== 2) throw misfit("a list of two parts", value);
    try {
      return [first[change](value[0] as never), second[change](value[1] as never)];
    } catch (error) {
      return rethrow(error, String(value[0]));
    }
  };
  return {
    schema: { type: "array", prefixItems: [first.schema, second.schema], items: false, minItems: 2 },
    write: (value) => both(value, "write"),
    read: (json) => both(json, "read") as [A, B],
  };
}

/** A trie as a list of [key, value], in the order of the keys. */
export function trie<V>(keys: Form<string>, values: Form<V>): Form<Trie<V>> {
  const entries = list(pair(keys, values));
  return {
    schema: entries.schema,
    write: (value) => entries.write(value.entries()),
    read: (json) => Trie.of(entries.read(json)),
  };
}

/** A map as a list of [key, value]. */
export function table<K extends string, V>(keys: Form<K>, values: Form<V>): Form<ReadonlyMap<K, V>> {
  const entries = list(pair(keys, values));
  return {
    schema: entries.schema,
    write: (value) => entries.write([...value]),
    read: (json) => new Map(entries.read(json)),
  };
}

/** A form for each member. */
export type Fields<T> = { readonly [K in keyof T]-?: Form<T[K]> };

export interface RecordForm<T> extends Form<T> {
  readonly description: string;
  readonly fields: Readonly<Record<string, Form<unknown>>>;
}

/** An object with these members; an unknown one is a fault. */
export function record<T extends object>(description: string, fields: Fields<T>): RecordForm<T> {
  const known = new Map<string, Form<unknown>>(Object.entries(fields));
  const required = [...known].flatMap(([name, form]) => (form.isOptional === true ? [] : [name]));
  const each = (value: unknown, change: "write" | "read"): object => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw misfit("an object", value);
    const changed: Record<string, unknown> = {};
    let at = "";
    try {
      for (at in value) {
        const field = known.get(at);
        if (field === undefined) throw new FormFault(`unknown; expected ${[...known.keys()].join(", ")}`);
        changed[at] = field[change](value[at as keyof typeof value]);
      }
    } catch (error) {
      return rethrow(error, at);
    }
    for (const name of required) if (!Object.hasOwn(changed, name)) throw new FormFault("is missing").within(name);
    return changed;
  };
  return {
    description,
    fields: Object.fromEntries(known),
    schema: {
      type: "object",
      description,
      properties: Object.fromEntries([...known].map(([name, form]) => [name, form.schema])),
      required,
      additionalProperties: false,
    },
    write: (value) => each(value, "write"),
    read: (json) => each(json, "read") as T,
  };
}

/** For each word of the member `Tag`, the form of the other members. */
export type Cases<U, Tag extends keyof U> = {
  readonly [W in U[Tag] & string]: RecordForm<Omit<Extract<U, { readonly [T in Tag]: W }>, Tag>>;
};

/** One of several records, which a member tells apart. */
export function union<U, Tag extends keyof U & string>(tag: Tag, cases: Cases<U, Tag>): Form<U> {
  const entries = Object.entries(cases) as readonly (readonly [string, RecordForm<object>])[];
  const forms = new Map<unknown, Form<U>>(
    entries.map(([word, { description, fields }]) => [
      word,
      record(description, { [tag]: wordOf(word), ...fields } as Fields<object>) as Form<unknown> as Form<U>,
    ]),
  );
  const formOf = (value: unknown): Form<U> => {
    if (typeof value !== "object" || value === null) throw misfit("an object", value);
    const form = forms.get(value[tag as keyof typeof value]);
    if (form === undefined) throw misfit(`one of ${[...forms.keys()].join(", ")}`, Reflect.get(value, tag)).within(tag);
    return form;
  };
  return {
    schema: { oneOf: [...forms.values()].map(({ schema }) => schema) },
    write: (value) => formOf(value).write(value),
    read: (json) => formOf(json).read(json),
  };
}

/** One of several forms, which `choose` tells apart, by a value or by its JSON. */
export function variant<T>(forms: readonly Form<unknown>[], choose: (value: unknown) => number): Form<T> {
  const formOf = (value: unknown): Form<T> => forms[choose(value)] as Form<T>;
  return {
    schema: { oneOf: forms.map(({ schema }) => schema) },
    write: (value) => formOf(value).write(value),
    read: (json) => formOf(json).read(json),
  };
}
