/** Elements of schemas, and validation against them. A description is a noun phrase, since errors read `expected <description>, got …`. */

import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { TProperties } from "typebox";
import { AMOUNT } from "../../../proofs/json-file.ts";
import { object as closed, type Keywords, type ObjectShape, type Shape, shape } from "../../../schema/shape.ts";
import { memberOf, quoteValue, type WireFault, type WireFaultCode, wireFault } from "../wire-error.ts";

/** Keyword with the error code of faults of a part. */
const CODE_KEYWORD = "x-error-code";

const ZERO_HEX = "0x0000000000000000000000000000000000000001";
const MAX = Number.MAX_SAFE_INTEGER;

/** Keywords of an object with any members, which another schema names. */
export const ANY_MEMBERS: Keywords = { type: "object", additionalProperties: true };

/** A compressed public key. */
export const KEY_EXAMPLE = "0x0256b328b30c8bf5839e24058747879408bdb36241dc9c2e7c619faa12b2920967";

/** Returns the keyword that gives faults of a part this code, unless a part within has its own. */
export function faultCodeKeyword(code: WireFaultCode): Keywords {
  return { [CODE_KEYWORD]: code };
}

/** Any part, from its keywords. */
export function withCode<T>(description: string, keywords: Keywords, code?: WireFaultCode): Shape<T> {
  return shape({ description, ...keywords, ...(code === undefined ? {} : faultCodeKeyword(code)) });
}

/** An object that may have more members than these: what nobody knows is ignored, on both sides (wire 1). */
export function object<P extends TProperties>(
  description: string,
  members: P,
  keywords: Keywords = {},
): ObjectShape<P> {
  return closed(description, members, { additionalProperties: true, ...keywords });
}

/** The same with its name in the OpenAPI document, which has it once and refers to it. */
export function withTitle<S extends Shape<unknown>>(title: string, value: S): S {
  return { ...value, title };
}

/** An object with its name in the OpenAPI document. */
export function namedObject<P extends TProperties>(
  title: string,
  description: string,
  members: P,
  keywords?: Keywords,
): ObjectShape<P> {
  return withTitle(title, object(description, members, keywords));
}

/** 0x and 40 hex digits; an answer writes them in lower case. */
export function address(description: string): Shape<string> {
  return withCode(`${description}: 0x and 40 hex digits`, hexOf(40, [ZERO_HEX]), "validation_address");
}

/** 0x and 64 hex digits; an answer writes them in lower case. */
export function hash(description: string): Shape<string> {
  return withCode(`${description}: 0x and 64 hex digits`, hexOf(64, [`0x${"ab".repeat(32)}`]), "validation_hash");
}

/** An amount of an answer: decimal text in the token's smallest unit. */
export function amount(description: string): Shape<string> {
  const keywords = { type: "string", pattern: AMOUNT, examples: ["1000000"] };
  return withCode(`${description}, in the token's smallest unit as decimal text`, keywords, "validation_amount");
}

/** An amount of a body: decimal text, or a JSON integer of any size, which the parser keeps as text where it must. */
export function amountIn(description: string): Shape<string | number> {
  const words = `${description}, in the token's smallest unit: 1 to 78 decimal digits without sign or leading zero`;
  return textOrInteger(words, AMOUNT, "1000000", "validation_amount");
}

/** A number from 0 as a text of a pattern, or as a JSON integer. */
export function textOrInteger(
  description: string,
  pattern: string,
  example: string | number,
  code?: WireFaultCode,
): Shape<string | number> {
  return withCode(description, { type: ["string", "integer"], pattern, minimum: 0, examples: [example] }, code);
}

/** A JSON integer of at least 0; without another maximum one of 64 bits for generated clients. */
export function count(description: string, code?: WireFaultCode, maximum: number = MAX, example = 1): Shape<number> {
  const range = maximum === MAX ? "an integer of at least 0" : `an integer from 0 to ${maximum}`;
  const keywords = { type: "integer", ...(maximum === MAX ? { format: "int64" } : {}), minimum: 0, maximum };
  return withCode(`${description}: ${range}`, { ...keywords, examples: [example] }, code);
}

/** A text of any length. */
export function words(description: string, code?: WireFaultCode, examples: readonly string[] = []): Shape<string> {
  return withCode(`${description}, a text`, { type: "string", ...(examples.length === 0 ? {} : { examples }) }, code);
}

/** One of some words. */
export function oneOf<T extends string>(description: string, known: readonly T[], code?: WireFaultCode): Shape<T> {
  const keywords = { type: "string", enum: known, examples: known.slice(0, 1) };
  return withCode(`${description}: ${known.join(", ")}`, keywords, code);
}

/** True or false. */
export function boolean(description: string): Shape<boolean> {
  return withCode(`${description}: true or false`, { type: "boolean" });
}

/** Any number of items. */
export function list<T>(description: string, items: Shape<T>, keywords: Keywords = {}): Shape<readonly T[]> {
  return withCode(description, { type: "array", items, ...keywords });
}

/** Returns the schema of a value or null. */
export function nullable<T>(value: Shape<T>): Shape<T | null> {
  const { type } = value as { type?: string | readonly string[] };
  return shape({ ...value, type: [type, "null"].flat() });
}

function hexOf(digits: number, examples: readonly string[]): Keywords {
  return { type: "string", pattern: `^0x[0-9a-fA-F]{${digits}}$`, examples };
}

/** Returns the error in a value, `undefined` for a valid one. `root`: name of the value in errors. */
export type Validator = (value: unknown, root?: string) => WireFault | undefined;

interface SchemaNode {
  readonly description?: string;
  readonly [CODE_KEYWORD]?: WireFaultCode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
}

/** Compiles a schema. Strict, nothing coerced, nothing removed. `part` is the part of a request that it is of. */
export function validatorOf(schema: Shape<unknown>, part: "body" | "query" = "body"): Validator {
  compiler ??= newCompiler();
  const validate = compiler.compile(JSON.parse(JSON.stringify(schema)) as object);
  const fallback: WireFaultCode = part === "query" ? "validation_query" : "validation_body";
  return (value, root = part) => (validate(value) ? undefined : faultOfError(validate.errors ?? [], root, fallback));
}

let compiler: Ajv2020 | undefined;

/** The tests check that schemas are schemas: compiling the schema of schemas took a tenth of a start. */
function newCompiler(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: false,
    verbose: true,
    ownProperties: true,
    formats: { int64: true },
    validateSchema: false,
  });
  ajv.addKeyword(CODE_KEYWORD);
  return ajv;
}

function faultOfError(errors: readonly ErrorObject[], root: string, fallback: WireFaultCode): WireFault {
  const [error] = errors;
  if (error === undefined) return wireFault(fallback, root, "does not have the expected shape");
  const path = pathOf(error.instancePath, root);
  const parent = (error.parentSchema ?? {}) as SchemaNode;
  const missing = error.keyword === "required" ? String(error.params["missingProperty"]) : undefined;
  const [member, schema, got]: readonly [string, SchemaNode, unknown] =
    missing === undefined
      ? [path, parent, error.data]
      : [memberOf(path, missing), parent.properties?.[missing] ?? {}, undefined];
  const { description = "another value", [CODE_KEYWORD]: code = fallback } = schema;
  return wireFault(code, member, `expected ${description}, got ${quoteValue(got)}`);
}

/** `/additional_metadata/0/key` as `body.additional_metadata[0].key`. */
function pathOf(pointer: string, root: string): string {
  const names = pointer.split("/").slice(1);
  return names.reduce((path, name) => {
    const plain = name.replaceAll("~1", "/").replaceAll("~0", "~");
    return /^\d+$/.test(plain) ? `${path}[${plain}]` : memberOf(path, plain);
  }, root);
}
