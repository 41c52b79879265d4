/** Addresses as clients write them (wire 1; EIP-55). */
import { type Address, toAddress } from "../../core/base/ids.ts";
import { keccak } from "../../core/crypto/hash.ts";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Parses an address, or returns what was expected. Mixed letter case must be a valid checksum. */
export function addressOf(text: string): { readonly address: Address } | { readonly expected: string } {
  if (!ADDRESS.test(text)) return { expected: "0x and 40 hex digits" };
  const address = toAddress(text);
  const digits = text.slice(2);
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (isPlain || checksummed(address) === text) return { address };
  return { expected: `an EIP-55 checksum (${checksummed(address)}) or one letter case` };
}

/** The address in the letter case that carries its checksum (EIP-55). */
export function checksummed(address: Address): string {
  const hash = keccak(new TextEncoder().encode(address.slice(2)));
  const isUpper = (at: number): boolean => Number.parseInt(hash.charAt(at), 16) > 7;
  return `0x${[...address.slice(2)].map((digit, at) => (isUpper(at + 2) ? digit.toUpperCase() : digit)).join("")}`;
}
