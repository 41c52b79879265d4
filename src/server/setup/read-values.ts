/** Readers of single option texts. An error names the option, the expected value and the given one. */
import { err, ok, type Result } from "../../core/base/result.ts";
import { suggestion } from "../../scenario/suggest.ts";
import { AMOUNT_DIGITS, QUOTED_MAX } from "./limits.ts";

const WHOLE = /^(0|[1-9][0-9]{0,15})$/;
const DECIMAL = new RegExp(`^(0|[1-9][0-9]{0,${AMOUNT_DIGITS - 1}})(\\.[0-9]{1,18})?$`);

/** Reads an integer between two bounds. */
export function readInteger(option: string, text: string, least: number, most: number): Result<number, string> {
  const value = WHOLE.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return ok(value);
  return err(`--${option}: expected a whole number from ${least} to ${most}, got ${quoted(text)}`);
}

/** Reads decimal text such as `12.50`, in the units of a token. */
export function readDecimal(option: string, text: string): Result<string, string> {
  if (DECIMAL.test(text)) return ok(text);
  return err(`--${option}: expected an amount such as 12.50, got ${quoted(text)}`);
}

/** Reads milliseconds such as `10`, or a range such as `5..20`, up to `most`. */
export function readDelay(option: string, text: string, most: number): Result<string, string> {
  const [from = "", to = from, ...more] = text.split("..");
  const rises = WHOLE.test(from) && WHOLE.test(to) && Number(from) <= Number(to) && Number(to) <= most;
  if (rises && more.length === 0) return ok(text);
  return err(`--${option}: expected milliseconds up to ${most}, such as 10 or 5..20, got ${quoted(text)}`);
}

/** Reads names separated by commas; the scenario's own check validates them. */
export function readNames(text: string): readonly string[] {
  return text.split(",").filter((name) => name !== "");
}

/** Reads one of a set of words. */
export function readEnum<T extends string>(option: string, text: string, words: readonly T[]): Result<T, string> {
  const found = words.find((word) => word === text);
  if (found !== undefined) return ok(found);
  return err(`--${option}: expected one of ${words.join(", ")}, got ${quoted(text)}${suggestion(text, words)}`);
}

/** Returns a text as quoted in messages. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text);
}
