/** Lossless JSON parser: amounts keep their digits, and ambiguous texts are rejected (wire 1.2). */
import { parse } from "lossless-json";
import { err, ok, type Result } from "../../core/base/result.ts";
import { JSON_DEPTH, JSON_DIGITS } from "../limits.ts";
import { quoteValue } from "./wire-error.ts";

const INTEGER = /^-?(0|[1-9][0-9]*)$/;
const LITERALS: ReadonlySet<string> = new Set(["true", "false", "null"]);

/**
 * Parses JSON, or returns an error. Integers from -(2^53 - 1) to 2^53 - 1 are numbers, larger ones decimal text. Also
 * rejects fractions, exponents, -0, repeated names in one object, `__proto__`, and texts that are too deep or have too
 * long numbers. Never throws.
 */
export function parseJson(text: string): Result<unknown, string> {
  const plain = plainValueOf(text);
  return plain === undefined ? parseCarefully(text) : ok(plain);
}

/**
 * Returns the value of a text that serializing it gives back unchanged, as most clients send it: such a text repeats no
 * name and has neither -0 nor exponents. `undefined` for every other text, and for one with other numbers than safe
 * integers, with `__proto__`, or too deep.
 */
function plainValueOf(text: string): unknown {
  if (text.includes("__proto__")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isPlain(value, 0) && JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth === JSON_DEPTH) return false;
  for (const key in value) if (!isPlain((value as Record<string, unknown>)[key], depth + 1)) return false;
  return true;
}

function parseCarefully(text: string): Result<unknown, string> {
  const fault = wordFault(text);
  if (fault !== undefined) return err(fault);
  let value: unknown;
  try {
    value = parse(text, undefined, { parseNumber: integerOf, onDuplicateKey: ({ newValue }) => newValue });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return err(`malformed JSON: ${error.message}`);
  }
  const repeated = nameFault(text);
  return repeated === undefined ? ok(value) : err(repeated);
}

function integerOf(digits: string): number | string {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : digits;
}

/** Checks depth and everything outside strings before the parser recurses. */
function wordFault(text: string): string | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    if (depth > JSON_DEPTH) return `JSON nests deeper than ${JSON_DEPTH} levels at character ${index}`;
    const problem = /^["{}[\]:,]/.test(token) ? undefined : problemOf(token);
    if (problem !== undefined) return `${problem} at character ${index}`;
  }
  return undefined;
}

function problemOf(word: string): string | undefined {
  if (LITERALS.has(word)) return undefined;
  if (!/^[-+.]?[0-9]/.test(word)) return `expected a JSON value, got ${quoteValue(word)}`;
  if (!INTEGER.test(word) || word === "-0")
    return `expected an integer without fraction, exponent or sign of zero, got ${quoteValue(word)}`;
  const { length } = word.replace("-", "");
  return length > JSON_DIGITS ? `expected at most ${JSON_DIGITS} digits in a number, got ${length}` : undefined;
}

/** Finds repeated names after unescaping, in a text that has parsed. */
function nameFault(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let last = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.startsWith('"')) last = token;
    else if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const name = JSON.parse(last) as string;
      const names = open.at(-1);
      if (name === "__proto__") return 'the name "__proto__" is not allowed';
      if (names?.has(name)) return `the name ${quoteValue(name)} is repeated in one object`;
      names?.add(name);
    }
  }
  return undefined;
}

/**
 * A string with its quotes, one of `{}[]:,`, or a run of other characters (numbers, `true`, errors), without white space; an
 * unterminated string extends to the end of the text.
 */
const TOKEN = /"(?:[^"\\]+|\\[\s\S]?)*"?|[{}[\]:,]|[^ \t\r\n{}[\]:,"]+/g;
