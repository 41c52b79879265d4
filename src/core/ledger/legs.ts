/** Legs of a batch payment: their signed item, their hash and their sum (wire 3.2). */
import { encode, hex, type Item, uint } from "../base/encoding.ts";
import type { Hash } from "../base/ids.ts";
import type { Leg } from "../base/operation.ts";
import { keccak } from "../crypto/hash.ts";

/** Returns the item of the legs: recipient and amount of each, in order. */
export function legsItem(legs: readonly Leg[]): Item {
  return legs.map(({ recipient, amount }) => [hex(recipient), uint(amount)]);
}

/** Returns the hash that a batch may name as that of its legs. O(legs). */
export function legsHash(legs: readonly Leg[]): Hash {
  return keccak(encode(legsItem(legs)));
}

/** Returns the sum of the amounts, which is no amount if it passes 2^256 - 1. */
export function totalOf(legs: readonly Leg[]): bigint {
  return legs.reduce((sum, { amount }) => sum + amount, 0n);
}
