/** Numbers as texts. */

/** Seconds of milliseconds, a digit after the point. */
export function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

/** A number with its thousands apart. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

/** Three digits that count. */
export function digits(value: number): string {
  return value >= 1_000 ? whole(Number(value.toPrecision(3))) : String(Number(value.toPrecision(3)));
}
