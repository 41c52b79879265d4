/** Addresses of multisig accounts, computed without the code of the ledger that is judged. */
import { fromHex, toHex } from "../core/base/encoding.ts";
import type { Address } from "../core/base/ids.ts";
import type { SignerSet } from "../core/base/operation.ts";
import { keccak } from "../core/crypto/hash.ts";

/** The last 20 bytes of keccak-256 of a tag, the keys in ascending order, a byte of weight behind each, and the threshold (wire 3.6). */
export function multisigAddress({ signers, threshold }: SignerSet): Address {
  const digits = (value: number, bytes: number): string => value.toString(16).padStart(2 * bytes, "0");
  const members = signers.map(({ key, weight }) => key.slice(2) + digits(weight, 1)).sort();
  const tag = toHex(new TextEncoder().encode("MULTISIG_V1"));
  return `0x${keccak(fromHex(tag + members.join("") + digits(threshold, 2))).slice(-40)}` as Address;
}
