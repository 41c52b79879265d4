/** Strict JSON with source positions, checked against a shape. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { text as textItem } from "../core/base/encoding.ts";
import type { Hash } from "../core/base/ids.ts";
import { MemoTable } from "../core/base/memo-table.ts";
import { err, ok, type Result } from "../core/base/result.ts";
import { readCount, readWhole } from "../core/base/spelled-number.ts";
import { taggedHash } from "../core/crypto/hash.ts";
import { readYaml, type YamlDocument } from "../scenario/yaml-document.ts";
import { issuesOf } from "../schema/errors.ts";
import { lazyIssue, type Path, type Problem, positionIn, type ScenarioIssue } from "../schema/problem.ts";
import type { Shape } from "../schema/shape.ts";

/** A fraction or an exponent outside of strings: a second spelling of a number, or one that a reader rounds. */
const FRACTION = /"(?:[^"\\]|\\.)*"|(-?[0-9]+[.eE][0-9.eE+-]*)/g;

/**
 * Reads JSON without repeated names, fractions or exponents. It is read as YAML too, which every JSON is, for the places
 * of its members.
 */
export function readJson(text: string): Result<YamlDocument, readonly Problem[]> {
  const read = readYaml(text);
  if ("problems" in read) return err(read.problems);
  try {
    JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const offset = Number(/position (\d+)/.exec(error.message)?.[1] ?? 0);
    return err([{ ...positionIn(text, offset), message: "expected strict JSON" }]);
  }
  const fraction = [...text.matchAll(FRACTION)].find(([, number]) => number !== undefined);
  if (fraction === undefined) return ok(read.document);
  return err([{ ...positionIn(text, fraction.index), message: "expected numbers without fraction and exponent" }]);
}

/** Returns the member of a document at `path` if it has the shape; numbers may be spelled as text (wire 1). */
export function readMember<T>(
  { data, place }: YamlDocument,
  shape: Shape<T>,
  path: Path = [],
): Result<T, readonly Problem[]> {
  const part = usualSpelling(shape, memberAt(data, path));
  const validate = validators.getOrCompute(shape, compile);
  if (validate(part)) return ok(part as T);
  // Of a choice that nothing matches there is no fault to name.
  const [first, ...more] = issuesOf(validate.errors ?? []);
  const fallback: ScenarioIssue = {
    path: [],
    message: `expected ${(shape as { description?: string }).description ?? "another value"}`,
  };
  const issues = [first ?? fallback, ...more];
  return err(place(issues.map((issue) => lazyIssue([...path, ...issue.path], () => issue.message, issue.atKey))));
}

/** Pattern of an amount as the files and answers spell it. */
export const AMOUNT = "^(0|[1-9][0-9]{0,77})$";

const validators = new MemoTable<object, ValidateFunction>();

function compile(shape: object): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false, validateFormats: false });
  return ajv.compile(JSON.parse(JSON.stringify(shape)) as object);
}

/** Returns the member at a path, `undefined` where there is none. */
export function memberAt(data: unknown, path: Path): unknown {
  return path.reduce((whole, key) => (whole as Readonly<Record<string, unknown>> | null | undefined)?.[key], data);
}

/** Schema as far as numbers are looked for in it. */
type NumberSchema = Readonly<{
  type?: unknown;
  pattern?: string;
  items?: NumberSchema;
  properties?: Readonly<Record<string, NumberSchema>>;
}>;

/**
 * Returns the data with the number in place of its text where the schema has one, and decimal text where it has an
 * amount: answers may spell each of them in any way (wire 1).
 */
export function usualSpelling(schema: Shape<unknown>, data: unknown): unknown {
  return respell(schema as NumberSchema, data);
}

function respell({ type, pattern, items, properties = {} }: NumberSchema, data: unknown): unknown {
  if (pattern === AMOUNT && data !== null) return String(readWhole(data) ?? data);
  if (type === "integer" || (Array.isArray(type) && type.includes("integer"))) return readCount(data) ?? data;
  if (Array.isArray(data)) return data.map((one: unknown) => respell(items ?? {}, one));
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, one]) => [key, respell(properties[key] ?? {}, one)]));
}

/** Returns a hash over every member of JSON data, whatever their order and the spelling of numbers. */
export function dataHash(data: unknown): Hash {
  return taggedHash("data", textItem(JSON.stringify(canonical(data))));
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null)
    return typeof value === "bigint" ? String(value) : String(readWhole(value) ?? JSON.stringify(value));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, canonical(member)]);
}
