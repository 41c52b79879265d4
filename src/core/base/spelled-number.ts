/** Whole numbers as the answers of networks spell them: JSON numbers, and decimal or hex text (wire 1). */

/** Pattern of a whole number as text: decimal without leading zeros, or 0x and hex digits. */
export const SPELLED_NUMBER = "^(0x[0-9a-fA-F]{1,64}|0|[1-9][0-9]{0,77})$";
const SPELLED = new RegExp(SPELLED_NUMBER);

/** Returns the whole number from 0 that a JSON value is or spells; `undefined` for all else, never a stand-in. */
export function readWhole(value: unknown): bigint | undefined {
  if (typeof value === "string") return SPELLED.test(value) ? BigInt(value) : undefined;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
}

/** Reads a whole number up to `most` as a number. */
export function readCount(value: unknown, most: number = Number.MAX_SAFE_INTEGER): number | undefined {
  const whole = readWhole(value);
  return whole !== undefined && whole <= most ? Number(whole) : undefined;
}
