/** Texts of single options to values, or to what is wrong with them: the option, what was expected, what came. */
import { err, ok, type Result } from "../../core/base/result.ts";
import { suggestion } from "../../scenario/suggest.ts";
import { AMOUNT_DIGITS, QUOTED_MAX } from "./limits.ts";

const WHOLE = /^(0|[1-9][0-9]{0,15})$/;
const DECIMAL = new RegExp(`^(0|[1-9][0-9]{0,${AMOUNT_DIGITS - 1}})(\\.[0-9]{1,18})?$`);

/** A whole number between two bounds. */
export function readWhole(option: string, text: string, least: number, most: number): Result<number, string> {
  const value = WHOLE.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return ok(value);
  return err(`--${option}: expected a whole number from ${least} to ${most}, got ${quoted(text)}`);
}

/** Decimal text such as `12.50`, for the units of some token. */
export function readDecimal(option: string, text: string): Result<string, string> {
  if (DECIMAL.test(text)) return ok(text);
  return err(`--${option}: expected an amount such as 12.50, got ${quoted(text)}`);
}

/** Milliseconds such as `10`, or a range such as `5..20`, within `most`. */
export function readDelay(option: string, text: string, most: number): Result<string, string> {
  const [from = "", to = from, ...more] = text.split("..");
  const rises = WHOLE.test(from) && WHOLE.test(to) && Number(from) <= Number(to) && Number(to) <= most;
  if (rises && more.length === 0) return ok(text);
  return err(`--${option}: expected milliseconds up to ${most}, such as 10 or 5..20, got ${quoted(text)}`);
}

/** Names with commas between them: what is wrong with them the scenario's own check says. */
export function readNames(text: string): readonly string[] {
  return text.split(",").filter((name) => name !== "");
}

/** One of some words. */
export function readWord<T extends string>(option: string, text: string, words: readonly T[]): Result<T, string> {
  const found = words.find((word) => word === text);
  if (found !== undefined) return ok(found);
  return err(`--${option}: expected one of ${words.join(", ")}, got ${quoted(text)}${suggestion(text, words)}`);
}

/** A text as a message repeats it. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text);
}
