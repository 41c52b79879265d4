/** Amounts as scenario files write them; all generated tokens have two decimals. */
import type { Decimal } from "../../scenario/scalar-types.ts";

/** Decimals of every generated token. */
export const DECIMALS = 2;

/** Returns the decimal text of a number of cents. */
export function cents(count: number): Decimal {
  const whole = Math.floor(count / 100);
  const rest = count % 100;
  return rest === 0 ? String(whole) : `${whole}.${String(rest).padStart(2, "0")}`;
}

/** 2^63 - 1 cents, the largest signed 64-bit amount: beyond the exact integers of a double. */
export const WIDE: Decimal = "92233720368547758.07";
/** 2^255 cents: two of them exceed the maximum supply. */
export const WIDEST: Decimal = "578960446186580977117854925043439539266349923328202820197287920039565648199.68";
