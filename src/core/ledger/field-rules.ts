/** Rules for single fields of operations: texts, amounts, spellings. */
import { AMOUNT_MAX } from "../base/amount.ts";
import { text } from "../base/encoding.ts";
import type { Memo, RecentPosition } from "../base/operation.ts";
import type { Refusal } from "../base/refusal.ts";
import { MEMO_BYTES, SPELLING_BYTES } from "./limits.ts";

const LONE_SURROGATE = /\p{Surrogate}/u;
/** RFC 3986: unreserved characters, delimiters and the per cent sign (wire 5). */
const URL_CHARACTERS = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/;
const CONTROL_CHARACTER = /\p{Cc}/u;

/** Returns the fault of a text that is longer than `limit` bytes, or that UTF-8 cannot encode without loss. */
export function textTooLong(field: string, value: string, limit: number): Refusal | undefined {
  // Encoding would replace a lone surrogate, and two different texts would have the same signed bytes.
  if (LONE_SURROGATE.test(value)) return { code: "validation_text", field, reason: "holds a lone surrogate" };
  const { length } = text(value);
  return length > limit
    ? { code: "validation_text", field, reason: `has ${length} bytes, at most ${limit} are allowed` }
    : undefined;
}

/** Returns the fault of a text that people read, such as a symbol: it must not be empty or hold control characters. */
export function labelFault(field: string, value: string, limit: number): Refusal | undefined {
  if (value === "") return { code: "validation_text", field, reason: "is empty" };
  if (CONTROL_CHARACTER.test(value)) return { code: "validation_text", field, reason: "holds control characters" };
  return textTooLong(field, value, limit);
}

/** Returns the fault of a memo: its members' lengths and characters (wire 5). */
export function memoFault(memo: Memo): Refusal | undefined {
  for (const field of ["type", "format", "data"] as const) {
    const fault = textTooLong(`memo.${field}`, memo[field], MEMO_BYTES[field]);
    if (fault !== undefined) return fault;
  }
  for (const field of ["type", "format"] as const) {
    if (!URL_CHARACTERS.test(memo[field])) {
      return { code: "validation_text", field: `memo.${field}`, reason: "holds characters that no URL may hold" };
    }
  }
  if (CONTROL_CHARACTER.test(memo.data))
    return { code: "validation_text", field: "memo.data", reason: "holds control characters" };
  return undefined;
}

/**
 * Returns the fault of a recent epoch or checkpoint. Any count is valid: the age that the published network allows is
 * unknown (wire 3.3, 9). An epoch alone would be signed as a checkpoint is, with the same bytes and the same id.
 */
export function recentPositionFault({ recentEpoch, recentCheckpoint }: RecentPosition): Refusal | undefined {
  if (!isCount(recentEpoch ?? 0)) return malformedCount("recent_epoch");
  if (!isCount(recentCheckpoint ?? 0)) return malformedCount("recent_checkpoint");
  if (recentEpoch === undefined || recentCheckpoint !== undefined) return undefined;
  return { code: "validation_layout", field: "recent_checkpoint", reason: "missing beside recent_epoch" };
}

function isCount(number: number): boolean {
  return Number.isSafeInteger(number) && number >= 0;
}

function malformedCount(field: string): Refusal {
  return { code: "validation_layout", field, reason: "expected an integer from 0 to 2^53 - 1" };
}

/** Returns the fault of a text that is not among the expected spellings. */
export function actionFault(field: string, got: string, expected: readonly string[]): Refusal {
  return { code: "validation_action", field, got: got.slice(0, SPELLING_BYTES), expected };
}

/** Returns the fault of an amount outside `minimum` to 2^256 - 1. */
export function amountFault(field: string, value: bigint, minimum: bigint): Refusal | undefined {
  if (value >= minimum && value <= AMOUNT_MAX) return undefined;
  return { code: "validation_amount", field, reason: `expected ${minimum} to 2^256 - 1` };
}

/** Returns the fault of the id of another chain. */
export function chainFault(field: string, value: number): Refusal | undefined {
  if (Number.isSafeInteger(value) && value >= 1) return undefined;
  return { code: "validation_text", field, reason: "is no integer from 1 to 2^53 - 1" };
}

/** Returns the fault of bytes in hex: 0x and an even number of lower-case digits, so that equal bytes have one text. */
export function hexFault(field: string, value: string, limit: number): Refusal | undefined {
  if (!/^0x([0-9a-f]{2})*$/.test(value))
    return { code: "validation_text", field, reason: "is not 0x and an even number of lower-case hex digits" };
  const bytes = (value.length - 2) / 2;
  return bytes > limit
    ? { code: "validation_text", field, reason: `has ${bytes} bytes, at most ${limit} are allowed` }
    : undefined;
}
