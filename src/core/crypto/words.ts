/** Words of 32 bits as hex digits, and back. */

/** Returns the eight hex digits from a place of a text as a word. */
export function hexWord(text: string, from: number): number {
  let word = 0;
  for (let at = from; at < from + 8; at++) {
    const code = text.charCodeAt(at);
    word = (word << 4) | ((code & 15) + (code >> 6) * 9);
  }
  return word;
}

/** Returns eight digits, put together at once: `toString(16)` would cost more than the mix of a signature. */
export function wordHex(lane: number): string {
  return String.fromCharCode(
    digit(lane >>> 28),
    digit(lane >>> 24),
    digit(lane >>> 20),
    digit(lane >>> 16),
    digit(lane >>> 12),
    digit(lane >>> 8),
    digit(lane >>> 4),
    digit(lane),
  );
}

/** Returns the code of the digit of the low four bits. */
function digit(bits: number): number {
  return DIGITS[bits & 15] as number;
}

const DIGITS = Uint8Array.from("0123456789abcdef", (character) => character.charCodeAt(0));
