/** Scalars of the scenario language, types and schemas: names, amounts, times, chances. */

import type { Path, ScenarioIssue } from "../../schema/problem.ts";
import { type Keywords, list, type Shape, shape, text } from "../../schema/shape.ts";
import { KEYS_MAX, TIME_MAX } from "../limits.ts";

/** Accounts, tokens, validators, operations and rules. A twin's name ends in an apostrophe. */
export const NAME = "^[A-Za-z_][A-Za-z0-9_.-]{0,63}'?$";
/** An account by name, or any address. */
export const ACCOUNT = "^([A-Za-z_][A-Za-z0-9_.-]{0,63}'?|0x[0-9a-fA-F]{40})$";
/** A path of a field of messages: names with dots between them, `[]` behind a list for one of its entries. */
export const FIELD_PATH = "^[A-Za-z0-9]{1,32}(\\[\\])?(\\.[A-Za-z0-9]{1,32}(\\[\\])?){0,15}$";
export const DECIMAL = "^(0|[1-9][0-9]{0,77})(\\.[0-9]{1,18})?$";
export const RANGE = "^(0|[1-9][0-9]{0,7})(\\.\\.(0|[1-9][0-9]{0,7}))?$";
export const DECIMAL_RANGE = "^(0|[1-9][0-9]{0,15})(\\.[0-9]{1,18})?(\\.\\.(0|[1-9][0-9]{0,15})(\\.[0-9]{1,18})?)?$";
export const CHANCE = "^(0|[1-9][0-9]{0,5})/[1-9][0-9]{0,5}$";

/** Puts the form of a value behind its meaning, and before the example where there is one. */
function withForm(subject: string, form: string): string {
  const [meaning, example] = subject.split(/\.? Example: /);
  return example === undefined ? `${subject}: ${form}` : `${meaning}: ${form}. Example: ${example}`;
}

export function name(subject: string): Shape<Name> {
  return text(`${subject}: a name of letters, digits, "_", "-" and "."`, NAME);
}

export function account(subject: string): Shape<Name> {
  return text(`${subject}: an account's name, or 0x and 40 hex digits in quotes`, ACCOUNT);
}

/** A validator's first key by its name, or another one of its keys: `v1/2`. */
export const KEY = `^[A-Za-z_][A-Za-z0-9_.-]{0,63}(/[2-${KEYS_MAX}])?$`;

export function keys(subject: string, more: Keywords = {}): Shape<readonly KeyName[]> {
  const description = `a validator's name, or its name and the number of its key, from v1/2 to v1/${KEYS_MAX}`;
  return list(
    withForm(subject, "a list of validators, of which v1/2 is the second key of v1"),
    text(description, KEY),
    more,
  );
}

export function names(subject: string): Shape<readonly Name[]> {
  return list(`${subject}: a list of names`, name(subject));
}

export function accounts(subject: string, more: Keywords = {}): Shape<readonly Name[]> {
  return list(`${subject}: a list of accounts`, account(subject), more);
}

/** The word `true`, or what `shape` says: a name or names. */
export function trueOr<T>(keywords: Keywords): Shape<true | T> {
  return shape({ pattern: NAME, not: { const: false }, ...keywords, description: "" });
}

/** One name or a list of them. */
export function oneOrMore(subject: string): Shape<OneOrMoreNames> {
  const items = name(subject.split(/\.? Example: /)[0] ?? subject);
  const description = withForm(subject, "a name or a list of names");
  return shape({ type: ["string", "array"], pattern: NAME, items, minItems: 1, description });
}

export function amount(subject: string): Shape<Decimal> {
  return text(`${subject}: decimal text in the token's units, in quotes, such as "10.50"`, DECIMAL);
}

export function amountRange(subject: string): Shape<string> {
  return text(`${subject}: decimal text in the token's units, in quotes, such as "5" or "1..10"`, DECIMAL_RANGE);
}

export function delay(subject: string): Shape<Delay> {
  const description = `${subject}: virtual milliseconds, such as 10, or a range, such as 5..20`;
  return shape({ type: ["integer", "string"], minimum: 0, maximum: TIME_MAX, pattern: RANGE, description });
}

/** Issues of ranges that fall or end after a day. */
export function checkRange(path: Path, delay: Delay | undefined): readonly ScenarioIssue[] {
  if (typeof delay !== "string") return [];
  const [from = "0", to = from] = delay.split("..");
  if (Number(from) > Number(to)) return [{ path, message: `expected an ascending range, got ${delay}` }];
  if (Number(to) <= TIME_MAX) return [];
  return [{ path, message: `expected at most ${TIME_MAX} virtual milliseconds, got ${delay}` }];
}

export function time(subject: string): Shape<number> {
  const description = `${subject}: whole virtual milliseconds from 0 to ${TIME_MAX}`;
  return shape({ type: "integer", description, minimum: 0, maximum: TIME_MAX });
}

export function chance(subject: string): Shape<Chance> {
  return text(`${subject}: a chance such as 1/10`, CHANCE);
}

/** A name of an account, token, validator, client, operation or rule. */
export type Name = string;
/** Decimal text in a token's units: `"10.50"`. */
export type Decimal = string;
/** Decimal text in a token's units, or a range of it: `"5"`, `"1..10"`. */
export type DecimalRange = string;
/** Virtual milliseconds: `10`, or a range as text, `5..20`. */
export type Delay = number | string;
/** A chance as text: `1/10`. */
export type Chance = string;
/** A key of a validator: `v1` is its first one, `v1/2` its second. */
export type KeyName = string;
/** One name or several. */
export type OneOrMoreNames = Name | readonly Name[];
