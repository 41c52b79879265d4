/** Canonical bytes of a state's entries: nothing in them differs between validators (protocol 6.1). */

import type { Amount } from "../base/amount.ts";
import { bool, encode, hex, text, uint } from "../base/encoding.ts";
import { ROLES } from "../base/operation.ts";
import { merkleRoot } from "../crypto/merkle.ts";
import type { Account, Authorised } from "./state.ts";
import type { AddressSet, Token } from "./token.ts";

/** [nonce, sequence]. */
export function accountBytes({ nonce, sequence }: Account): Uint8Array {
  return encode([uint(nonce), uint(sequence)]);
}

/** Balance, pool or burned total, in the token's smallest unit. */
export function amountBytes(amount: Amount): Uint8Array {
  return encode(uint(amount));
}

/**
 * Policy and version of a token. Its sets of addresses are encoded as Merkle roots, so that a list change costs O(log
 * n) hashes.
 */
export function tokenBytes(token: Token): Uint8Array {
  const { additional, version, decimals, masterAuthority, isPrivate, isPaused, minted } = token;
  const roles = ROLES.map((role) =>
    [...token.roles[role].entries()].map(([address, left]) => [hex(address), uint(left)]),
  );
  return encode([
    uint(version),
    text(token.symbol),
    text(token.name),
    text(token.uri),
    additional.map(([key, value]) => [text(key), text(value)]),
    uint(decimals),
    hex(masterAuthority),
    bool(isPrivate),
    bool(isPaused),
    uint(minted),
    roles,
    hex(addressesRoot(token.formerHolders)),
    hex(addressesRoot(token.blacklist)),
    hex(addressesRoot(token.whitelist)),
  ]);
}

/**
 * [id, authorising slot, its sequence]. No signature: validators may hold different copies of one operation (protocol
 * 3.0).
 */
export function authorisedBytes({ id, authorisedBy, sequence }: Authorised): Uint8Array {
  return encode([hex(id), text(authorisedBy), uint(sequence)]);
}

function addressesRoot(addresses: AddressSet): string {
  return merkleRoot(addresses, memberBytes);
}

function memberBytes(): Uint8Array {
  return encode(bool(true));
}
