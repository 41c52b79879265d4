/** Schema builders with TypeScript types: a schema that does not match its type does not compile. */
import { type TSchema, Type } from "typebox";

/** JSON Schema of values of type T. */
export interface Shape<T> extends TSchema {
  readonly "~shape"?: T;
}

/** A member that may be left out. */
export interface Optional<T> {
  readonly maybe: Shape<T>;
}

/** A schema for each member of T. */
export type Shapes<T> = { readonly [K in keyof T]-?: Shape<NonNullable<T[K]>> };

type Members<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? Optional<Exclude<T[K], undefined>> : Shape<T[K]>;
};

/** An object with exactly these members: unknown keys are errors. */
export function object<T>(description: string, members: Members<T>, more: Record<string, unknown> = {}): Shape<T> {
  const properties: Record<string, TSchema> = {};
  for (const [key, member] of Object.entries(members) as [string, TSchema | Optional<unknown>][]) {
    properties[key] = "maybe" in member ? Type.Optional((member as Optional<unknown>).maybe) : (member as TSchema);
  }
  return Type.Object(properties, { additionalProperties: false, description, ...more }) as Shape<T>;
}

/** An object with exactly these members, whose description comes from elsewhere (`withDescription`). */
export function members<T>(of: Members<T>): Shape<T> {
  return object("", of);
}

/** An object of which exactly one of `keys` stands. */
export function oneOf(keys: readonly string[]): Record<string, unknown> {
  return { oneOf: keys.map((key) => ({ required: [key] })) };
}

export function optional<T>(shape: Shape<T>): Optional<T> {
  return { maybe: shape };
}

/** Members that may all be left out. */
export function optionals<T extends object>(
  shapes: Shapes<T>,
): {
  readonly [K in keyof T]-?: Optional<NonNullable<T[K]>>;
} {
  return Object.fromEntries(
    Object.entries(shapes).map(([key, shape]) => [key, optional(shape as Shape<unknown>)]),
  ) as never;
}

/** The same with a description of its own. */
export function withDescription<T>(description: string, shape: Shape<T>): Shape<T> {
  return { ...shape, description } as Shape<T>;
}

/** The same with the value that holds where a file names none. */
export function defaulting<T>(value: T, shape: Shape<T>): Shape<T> {
  return { ...shape, default: value } as Shape<T>;
}

/** The same with examples, each a whole value. */
export function example<T>(shape: Shape<T>, ...examples: readonly T[]): Shape<T> {
  return { ...shape, examples } as Shape<T>;
}

export function text(description: string, pattern?: string, more: Record<string, unknown> = {}): Shape<string> {
  return Type.String({
    description,
    ...(pattern === undefined ? { minLength: 1, maxLength: 2_048 } : { pattern, maxLength: 128 }),
    ...more,
  }) as Shape<string>;
}

export function wholeNumber(description: string, minimum: number, maximum: number): Shape<number> {
  return Type.Integer({ description, minimum, maximum }) as Shape<number>;
}

export function flag(description: string): Shape<boolean> {
  return Type.Boolean({ description }) as Shape<boolean>;
}

/** The word `true`. */
export function trueOnly(description: string): Shape<true> {
  return { const: true, description } as unknown as Shape<true>;
}

export function choice<T extends string>(description: string, words: readonly T[]): Shape<T> {
  return { type: "string", enum: words, description } as unknown as Shape<T>;
}

/** One of a closed set of words, each with what it means. */
export function meaning<T extends string>(description: string, meanings: Readonly<Record<T, string>>): Shape<T> {
  const enumDescriptions = Object.values(meanings);
  return { type: "string", enum: Object.keys(meanings), enumDescriptions, description } as unknown as Shape<T>;
}

export function list<T>(description: string, items: Shape<T>, more: Record<string, unknown> = {}): Shape<readonly T[]> {
  return Type.Array(items, { description, minItems: 1, ...more }) as Shape<readonly T[]>;
}

/** Names to values. */
export function table<T>(description: string, keys: string, values: Shape<T>): Shape<Readonly<Record<string, T>>> {
  const keyShape = { pattern: keys, maxLength: 128 };
  return {
    type: "object",
    description,
    propertyNames: keyShape,
    additionalProperties: values,
    minProperties: 1,
  } as unknown as Shape<Readonly<Record<string, T>>>;
}

/** An object with members of any name and type. */
export function anyObject(description: string): Shape<Readonly<Record<string, unknown>>> {
  return Type.Object({}, { additionalProperties: true, description }) as Shape<Readonly<Record<string, unknown>>>;
}

/** A table whose keys are a closed set of words. */
export function record<K extends string, T>(
  description: string,
  keys: readonly K[],
  values: Shape<T>,
): Shape<Readonly<Partial<Record<K, T>>>> {
  const properties = Object.fromEntries(keys.map((key) => [key, values]));
  return { type: "object", description, properties, additionalProperties: false } as unknown as Shape<
    Readonly<Partial<Record<K, T>>>
  >;
}
