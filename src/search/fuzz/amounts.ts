/** Amounts as scenario files write them; all drawn tokens have two decimals. */
import type { Decimal } from "../../scenario/scenario-words.ts";

/** Decimals of every drawn token. */
export const DECIMALS = 2;

/** Decimal text of a number of cents. */
export function cents(count: number): Decimal {
  const whole = Math.floor(count / 100);
  const rest = count % 100;
  return rest === 0 ? String(whole) : `${whole}.${String(rest).padStart(2, "0")}`;
}

/** The largest amount that 64 bits with a sign hold, 2^63 - 1 cents: more than a double counts exactly. */
export const WIDE: Decimal = "92233720368547758.07";
/** 2^255 cents: two of them are more than there can ever be. */
export const WIDEST: Decimal = "578960446186580977117854925043439539266349923328202820197287920039565648199.68";
