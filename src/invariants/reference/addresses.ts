/** Addresses and hashes that the reference ledger computes without the code of the ledger that is judged. */
import { fromHex, toHex } from "../../core/base/encoding.ts";
import type { Address } from "../../core/base/ids.ts";
import type { Leg, SignerSet } from "../../core/base/operation.ts";
import { keccak } from "../../core/crypto/hash.ts";

/** Address of an issued token: the last 20 bytes of keccak-256 of master authority and symbol (wire 3.6). */
export function tokenAddress(masterAuthority: Address, symbol: string): Address {
  const suffix = toHex(new TextEncoder().encode(symbol)).slice(2);
  return `0x${keccak(fromHex(masterAuthority + suffix)).slice(-40)}` as Address;
}

/** The last 20 bytes of keccak-256 of a tag, the keys in ascending order, a byte of weight behind each, and the threshold (wire 3.6). */
export function multisigAddress({ signers, threshold }: SignerSet): Address {
  const digits = (value: number, bytes: number): string => value.toString(16).padStart(2 * bytes, "0");
  const members = signers.map(({ key, weight }) => key.slice(2) + digits(weight, 1)).sort();
  const tag = toHex(new TextEncoder().encode("MULTISIG_V1"));
  return `0x${keccak(fromHex(tag + members.join("") + digits(threshold, 2))).slice(-40)}` as Address;
}

/** Hash of a batch's legs: keccak-256 of the RLP list of [recipient, amount] (wire 3.2). O(legs). */
export function legsHash(legs: readonly Leg[]): string {
  const items = legs.map(({ recipient, amount }) => rlpList(rlpBytes(recipient.slice(2)) + rlpBytes(digitsOf(amount))));
  return keccak(fromHex(`0x${rlpList(items.join(""))}`));
}

/** Hex digits of whole bytes; none of zero. */
function digitsOf(number: bigint | number): string {
  const digits = number.toString(16);
  if (digits === "0") return "";
  return digits.length % 2 === 0 ? digits : `0${digits}`;
}

/** RLP of bytes, as hex digits. */
function rlpBytes(digits: string): string {
  const isOneLetter = digits.length === 2 && Number.parseInt(digits, 16) < 0x80;
  return isOneLetter ? digits : withLengthPrefix(0x80, digits);
}

/** RLP of a list of encoded items, as hex digits. */
function rlpList(digits: string): string {
  return withLengthPrefix(0xc0, digits);
}

function withLengthPrefix(first: number, digits: string): string {
  const size = digits.length / 2;
  if (size < 56) return digitsOf(first + size) + digits;
  const length = digitsOf(size);
  return digitsOf(first + 55 + length.length / 2) + length + digits;
}
