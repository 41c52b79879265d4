/** Checksums of addresses in mixed letter case (EIP-55). */
import { text, toHex } from "../base/encoding.ts";
import { keccakBytes } from "./hash.ts";

/** Returns an address, 0x and 40 hex digits, in the letter case that carries its checksum. */
export function checksummedAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = toHex(keccakBytes(text(digits) as Uint8Array)).slice(2);
  const letters = [...digits].map((digit, at) =>
    Number.parseInt(hash.charAt(at), 16) > 7 ? digit.toUpperCase() : digit,
  );
  return `0x${letters.join("")}`;
}

/** Returns true for an address in one letter case, which carries no checksum, and for one whose checksum is right. */
export function isChecksumRight(address: string): boolean {
  const digits = address.slice(2);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isOneCase || checksummedAddress(address) === address;
}
