/** Hashes of the legs of batches, computed without the code of the ledger that is judged. */
import { fromHex } from "../core/base/encoding.ts";
import type { Leg } from "../core/base/operation.ts";
import { keccak } from "../core/crypto/hash.ts";

/** Hash of a batch's legs: keccak-256 of the RLP list of [recipient, amount] (wire 3.2). O(legs). */
export function legsHash(legs: readonly Leg[]): string {
  const items = legs.map(({ recipient, amount }) => list(text(recipient.slice(2)) + text(digitsOf(amount))));
  return keccak(fromHex(`0x${list(items.join(""))}`));
}

/** Hex digits of whole bytes; none of zero. */
function digitsOf(number: bigint | number): string {
  const digits = number.toString(16);
  if (digits === "0") return "";
  return digits.length % 2 === 0 ? digits : `0${digits}`;
}

/** RLP of bytes, as hex digits. */
function text(digits: string): string {
  const isOneLetter = digits.length === 2 && Number.parseInt(digits, 16) < 0x80;
  return isOneLetter ? digits : lengthened(0x80, digits);
}

/** RLP of a list of encoded items, as hex digits. */
function list(digits: string): string {
  return lengthened(0xc0, digits);
}

function lengthened(first: number, digits: string): string {
  const size = digits.length / 2;
  if (size < 56) return digitsOf(first + size) + digits;
  const length = digitsOf(size);
  return digitsOf(first + 55 + length.length / 2) + length + digits;
}
