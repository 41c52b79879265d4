/** Bit sets of small numbers in words of 32 bits. */

/** Returns true if the number is in the set. */
export function hasBit(text: Int32Array, number: number): boolean {
  return ((text[number >>> 5] as number) & (1 << (number & 31))) !== 0;
}

/** Adds the number to the set whose first word is at `start`. */
export function setBit(text: Int32Array, number: number, start = 0): void {
  const at = start + (number >>> 5);
  text[at] = (text[at] as number) | (1 << (number & 31));
}
