/** Addresses of issued tokens, computed without the code of the ledger that is judged. */
import { fromHex, toHex } from "../core/base/encoding.ts";
import type { Address } from "../core/base/ids.ts";
import { keccak } from "../core/crypto/hash.ts";

/** Address of an issued token: the last 20 bytes of keccak-256 of master authority and symbol (wire 3.6). */
export function tokenAddress(masterAuthority: Address, symbol: string): Address {
  const suffix = toHex(new TextEncoder().encode(symbol)).slice(2);
  return `0x${keccak(fromHex(masterAuthority + suffix)).slice(-40)}` as Address;
}
