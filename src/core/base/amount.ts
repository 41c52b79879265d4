import type { Brand } from "./ids.ts";

/** A token amount in the smallest unit: an unsigned 256-bit integer. Money is never a `number`. */
export type Amount = Brand<bigint, "Amount">;

export const AMOUNT_MAX: Amount = ((1n << 256n) - 1n) as Amount;
export const ZERO: Amount = 0n as Amount;

/** Returns the value as an amount. @throws RangeError outside 0 .. 2^256 - 1. */
export function toAmount(value: bigint): Amount {
  if (value < 0n || value > AMOUNT_MAX) throw new RangeError(`amount: expected 0 to 2^256 - 1, got ${value}`);
  return value as Amount;
}

/** Returns the sum, or `undefined` past 2^256 - 1: overflow is refused, never wrapped or clamped. */
export function add(a: Amount, b: Amount): Amount | undefined {
  const sum = a + b;
  return sum > AMOUNT_MAX ? undefined : (sum as Amount);
}

/** Returns the difference, or `undefined` below 0. */
export function subtract(a: Amount, b: Amount): Amount | undefined {
  return a < b ? undefined : ((a - b) as Amount);
}

/** Returns the least of some amounts; 0 for none. */
export function leastOf([first = 0n, ...amounts]: readonly bigint[]): bigint {
  let least = first;
  for (const amount of amounts) if (amount < least) least = amount;
  return least;
}
