/** The item encodings of wire 3.1, written from their description: nothing here comes from the program. */

/** Bytes, or a list of items. */
export type Item = Uint8Array | readonly Item[];

/** The RLP bytes of an item. */
export function rlp(item: Item): Uint8Array {
  if (item instanceof Uint8Array) {
    const [only] = item;
    return item.length === 1 && only !== undefined && only < 0x80 ? item : joined(head(0x80, item.length), item);
  }
  const body = joined(...item.map(rlp));
  return joined(head(0xc0, body.length), body);
}

/** Minimal big-endian, and nothing for 0. */
export function integer(value: bigint | number | string): Uint8Array {
  const bytes: number[] = [];
  for (let rest = BigInt(value); rest > 0n; rest >>= 8n) bytes.unshift(Number(rest & 0xffn));
  return Uint8Array.from(bytes);
}

/** UTF-8. */
export function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

/** One byte 1, or nothing. */
export function flag(value: boolean): Uint8Array {
  return Uint8Array.from(value ? [1] : []);
}

/** The raw bytes of 0x and hex digits. */
export function raw(value: string): Uint8Array {
  return Uint8Array.from(value.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** 0x and lower-case hex digits. */
export function hexOf(bytes: Uint8Array): string {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function head(base: number, length: number): Uint8Array {
  if (length < 56) return Uint8Array.from([base + length]);
  const size = integer(length);
  return Uint8Array.from([base + 55 + size.length, ...size]);
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
