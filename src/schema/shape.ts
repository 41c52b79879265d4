/** Schema builders. The type of the values of a schema is `Static<typeof schema>`. */
import { type Static, type TObject, type TOptional, type TProperties, type TUnsafe, Type } from "typebox";

/** JSON Schema of values of type T. */
export type Shape<T> = TUnsafe<T>;

/** A schema for each member of T. */
export type Shapes<T> = { readonly [K in keyof T]: Shape<Simplify<T[K]>> };

/** The schema of an object with these members. */
export type ObjectShape<P extends TProperties> = Shape<Simplify<Static<TObject<P>>>>;

/** The same type with its members written out, since files of declarations cannot name what a module keeps to itself. */
type Simplify<T> = { readonly [K in keyof T]: T[K] };

/** Further keywords of JSON Schema. */
export type Keywords = Readonly<Record<string, unknown>>;

/** A schema from its keywords. */
export function shape<T>(keywords: Keywords): Shape<T> {
  return keywords as Keywords & Shape<T>;
}

/** An object with exactly these members: unknown keys are errors. */
export function object<P extends TProperties>(description: string, members: P, more: Keywords = {}): ObjectShape<P> {
  return shape(Type.Object(members, { additionalProperties: false, description, ...more }) as object as Keywords);
}

/** An object with exactly these members, whose description comes from elsewhere (`withDescription`). */
export function members<P extends TProperties>(of: P): ObjectShape<P> {
  return object("", of);
}

/** An object of which exactly one of `keys` stands. */
export function oneOf(keys: readonly string[]): Keywords {
  return { oneOf: keys.map((key) => ({ required: [key] })) };
}

/** A member that may be left out. */
export function optional<T>(member: Shape<T>): TOptional<Shape<T>> {
  return Type.Optional(member);
}

/** Members that may all be left out. */
export function optionals<P extends TProperties>(shapes: P): { readonly [K in keyof P]: TOptional<P[K]> } {
  return Object.fromEntries(Object.entries(shapes).map(([key, member]) => [key, Type.Optional(member)])) as never;
}

/** The same with a description of its own. */
export function withDescription<T>(description: string, shaped: Shape<T>): Shape<T> {
  return shape({ ...shaped, description });
}

/** The same with the value that holds where a file names none. */
export function withDefault<T>(value: NoInfer<T>, shaped: Shape<T>): TOptional<Shape<T>> {
  return optional(shape({ ...shaped, default: value }));
}

/** The same with examples, each a whole value. */
export function example<T>(shaped: Shape<T>, ...examples: readonly NoInfer<T>[]): Shape<T> {
  return shape({ ...shaped, examples });
}

export function text(description: string, pattern?: string, more: Keywords = {}): Shape<string> {
  const bounds = pattern === undefined ? { minLength: 1, maxLength: 2_048 } : { pattern, maxLength: 128 };
  return shape({ type: "string", description, ...bounds, ...more });
}

/** An integer of a range, which stands behind the subject unless it has no end, and before what holds `otherwise`. */
export function wholeNumber(subject: string, minimum: number, maximum: number, otherwise?: string): Shape<number> {
  const range = maximum === Number.MAX_SAFE_INTEGER ? "" : `: ${minimum} to ${maximum}`;
  const description = `${subject}${range}${otherwise === undefined ? "" : `; ${otherwise}`}`;
  return shape({ type: "integer", description, minimum, maximum });
}

/** The same as a member that may be left out, with a default. */
export function wholeNumberOr(value: number, subject: string, minimum: number, maximum: number) {
  return withDefault(value, wholeNumber(subject, minimum, maximum, `default ${value}`));
}

export function flag(description: string): Shape<boolean> {
  return shape({ type: "boolean", description });
}

/** The word `true`. */
export function trueOnly(description: string): Shape<true> {
  return shape({ const: true, description });
}

export function choice<T extends string>(description: string, words: readonly T[]): Shape<T> {
  return shape({ type: "string", enum: words, description });
}

/** One of a closed set of words, each with what it means. */
export function choiceWithMeanings<T extends string>(
  description: string,
  meanings: Readonly<Record<T, string>>,
): Shape<T> {
  return shape({ type: "string", enum: Object.keys(meanings), enumDescriptions: Object.values(meanings), description });
}

export function list<T>(description: string, items: Shape<T>, more: Keywords = {}): Shape<readonly T[]> {
  return shape({ type: "array", items, description, minItems: 1, ...more });
}

/** Names to values. */
export function table<T>(description: string, keys: string, values: Shape<T>): Shape<Readonly<Record<string, T>>> {
  const propertyNames = { pattern: keys, maxLength: 128 };
  return shape({ type: "object", description, propertyNames, additionalProperties: values, minProperties: 1 });
}

/** An object with members of any name and type. */
export function anyObject(description: string): Shape<Readonly<Record<string, unknown>>> {
  return shape({ type: "object", properties: {}, additionalProperties: true, description });
}

/** A table whose keys are a closed set of words. */
export function record<K extends string, T>(
  description: string,
  keys: readonly K[],
  values: Shape<T>,
): Shape<{ readonly [W in K]?: T }> {
  const properties = Object.fromEntries(keys.map((key) => [key, values]));
  return shape({ type: "object", description, properties, additionalProperties: false });
}
