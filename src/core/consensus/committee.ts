/**
 * Quorum arithmetic of the core (protocol 1.1; architecture law 4). With N validators:
 *
 *   f = ceil(N / 3) - 1     the largest number of Byzantine members
 *   q = ceil(2N / 3)        a quorum ("two-thirds or more": specification 1.1)
 *
 * Two quorums share an honest validator: 2q - N >= 2 * 2N/3 - N = N/3 > ceil(N/3) - 1 = f, so 2q - N >= f + 1. The
 * honest ones alone are a quorum: N - f = N - ceil(N/3) + 1 >= floor(2N/3) + 1 >= q. Any f + 1 members include an
 * honest one, and any quorum holds f + 1 honest ones: q - f >= f + 1, since q >= 2N/3 and 2f < 2N/3, both whole.
 */
import { text } from "../base/encoding.ts";
import type { Address, Epoch, Round } from "../base/ids.ts";
import { MemoTable } from "../base/memo-table.ts";
import { type Slot, type SlotKey, slotKey } from "../base/slot.ts";
import { taggedHash } from "../crypto/hash.ts";

/** Validators of one epoch, in order. */
export interface Committee {
  readonly chainId: number;
  readonly epoch: Epoch;
  readonly members: readonly Address[];
  readonly index: ReadonlyMap<Address, number>;
  /** q: number of signatures in a certificate. */
  readonly quorum: number;
  /** f: largest number of Byzantine members that agreement tolerates. */
  readonly faulty: number;
}

/** Returns q for n validators. */
export function quorumOf(n: number): number {
  return Math.ceil((2 * n) / 3);
}

/** Returns f for n validators. */
export function faultyOf(n: number): number {
  return Math.ceil(n / 3) - 1;
}

/** Returns the committee of these members. @throws RangeError for an empty committee or a member listed twice. */
export function committeeOf(
  chainId: number,
  epoch: Epoch,
  members: readonly Address[],
  rules: { readonly quorumOf: typeof quorumOf; readonly faultyOf: typeof faultyOf },
): Committee {
  const index = new Map(members.map((member, position) => [member, position]));
  if (members.length === 0) throw new RangeError("committee: expected at least one validator");
  if (index.size !== members.length) throw new RangeError("committee: a validator is listed twice");
  return {
    chainId,
    epoch,
    members,
    index,
    quorum: rules.quorumOf(members.length),
    faulty: rules.faultyOf(members.length),
  };
}

/**
 * Returns the proposer of a round: member (hash(slot) + epoch + r) mod N (protocol 3). With the epoch in the sum, each
 * member proposes in round 0 of a slot that stays open in any N successive epochs of one committee, however short they
 * are.
 */
export function proposerOf({ epoch, members }: Committee, slot: Slot, round: Round): Address {
  const start = Number(slotHash(slotKey(slot)) % BigInt(members.length));
  return members[(start + epoch + round) % members.length] as Address;
}

function slotHash(key: SlotKey): bigint {
  return hashes.getOrCompute(key, hashOfKey);
}

/** Each round change of a slot asks for its proposer, and a Byzantine validator names one slot by many records. */
const hashes = new MemoTable<string, bigint>(4_096);

function hashOfKey(key: SlotKey): bigint {
  return BigInt(taggedHash("slot", text(key)));
}
