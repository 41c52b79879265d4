/** Amounts as scenario files write them; all drawn tokens have two decimals. */
import type { Decimal } from "../scenario-words.ts";

/** Decimals of every drawn token. */
export const DECIMALS = 2;

/** Decimal text of a number of cents. */
export function cents(count: number): Decimal {
  const whole = Math.floor(count / 100);
  const rest = count % 100;
  return rest === 0 ? String(whole) : `${whole}.${String(rest).padStart(2, "0")}`;
}
