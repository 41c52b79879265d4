/** Exact conversion between decimal text in a token's units and its smallest unit. */
import { AMOUNT_MAX, type Amount } from "../core/base/amount.ts";

/** The amount in the smallest unit, or the problem of the text. */
export function parseDecimal(text: string, decimals: number): Amount | string {
  const [whole = "0", fraction = ""] = text.split(".");
  if (fraction.length > decimals) return `expected at most ${decimals} digits after the point, got ${fraction.length}`;
  const amount = BigInt(whole + fraction.padEnd(decimals, "0"));
  return amount > AMOUNT_MAX ? "expected at most 2^256 - 1 of the smallest unit" : (amount as Amount);
}

/** The amount of a text that passed the check. @throws RangeError otherwise */
export function toDecimalAmount(text: string, decimals: number): Amount {
  const amount = parseDecimal(text, decimals);
  if (typeof amount === "string") throw new RangeError(`amount "${text}": ${amount}`);
  return amount;
}

/** The shortest decimal text of an amount. */
export function decimalText(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
