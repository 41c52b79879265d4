/** Hashes of values, and vectors of what clients sign (protocol 3.0; wire 3). */

import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Amount } from "../../../src/core/base/amount.ts";
import { toHex } from "../../../src/core/base/encoding.ts";
import type { EpochParameters } from "../../../src/core/base/epoch.ts";
import { toAddress, toHash } from "../../../src/core/base/ids.ts";
import type { Operation, SignedOperation } from "../../../src/core/base/operation.ts";
import {
  type CheckpointValue,
  type ClosingValue,
  type LedgerValue,
  type ListedDecision,
  slotAt,
  slotKey,
  slotNumber,
  type Value,
} from "../../../src/core/base/slot.ts";
import type { PrivateKey } from "../../../src/core/crypto/scheme.ts";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";
import { transactionHash } from "../../../src/core/ledger/identity.ts";
import { digestOf, signedBytes } from "../../../src/core/ledger/layout.ts";
import { legsHash } from "../../../src/core/ledger/legs.ts";
import { issuedTokenAddress, tokenAccountAddress } from "../../../src/core/ledger/token.ts";
import { slotKindOf, valueHash } from "../../../src/core/ledger/value.ts";
import { legsHash as independentHash } from "../../../src/invariants/reference/addresses.ts";
import addresses from "../../vectors/addresses.json" with { type: "json" };
import legacy from "../../vectors/legacy-v1.json" with { type: "json" };
import native from "../../vectors/native-v2.json" with { type: "json" };
import { anyAddress, joinSignature } from "./support/operations.ts";

type Vector = (typeof legacy.operations)[number] & {
  readonly rlp?: string;
  readonly digest?: string;
  readonly hash?: string;
  readonly foreign?: boolean;
  readonly signature?: { readonly r: string; readonly s: string; readonly v: number };
};

function operationOf(vector: { readonly operation: object }): Operation {
  const { value, legs, createdAt, ...rest } = vector.operation as {
    readonly value?: string;
    readonly legs?: readonly { readonly recipient: string; readonly amount: string }[];
    readonly createdAt?: string;
  };
  return {
    ...rest,
    ...(value === undefined ? {} : { value: BigInt(value) }),
    ...(legs === undefined ? {} : { legs: legs.map((leg) => ({ ...leg, amount: BigInt(leg.amount) })) }),
    ...(createdAt === undefined ? {} : { createdAt: BigInt(createdAt) }),
  } as unknown as Operation;
}

describe("published signing vectors, legacy v1", () => {
  const key = legacy.signer.privateKey as PrivateKey;
  const sender = toAddress(legacy.signer.address);

  test("there are as many as were published", () => expect(legacy.operations.length).toBe(11));

  // holds: 116
  test.each(legacy.operations as readonly Vector[])("$name", (vector) => {
    const operation = operationOf(vector);
    if (vector.rlp !== undefined) expect(toHex(signedBytes(operation))).toBe(vector.rlp);
    if (vector.digest !== undefined) expect(digestOf(operation)).toBe(vector.digest);
    if (vector.signature === undefined) return;
    const signature = joinSignature(vector.signature.r, vector.signature.s, vector.signature.v);
    const signed: SignedOperation = { operation, sender, signature };
    if (vector.foreign !== true) {
      expect(secp256k1.sign(key, digestOf(operation))).toBe(signature);
      expect(secp256k1.recover(digestOf(operation), signature)).toBe(sender);
    }
    if (vector.hash !== undefined) expect(transactionHash(signed)).toBe(toHash(vector.hash));
  });
});

describe("published signing vectors, version 2", () => {
  const key = native.signer.privateKey as PrivateKey;
  const sender = toAddress(native.signer.address);

  test("there are as many as were published", () => expect(native.operations.length).toBe(5));

  // holds: 116
  test.each(native.operations)("$name", (vector) => {
    const operation = operationOf(vector);
    const { r, s, v } = vector.signature;
    const signature = joinSignature(r, s, v);
    expect(toHex(signedBytes(operation))).toBe(vector.unsigned);
    expect(digestOf(operation)).toBe(vector.digest);
    expect(secp256k1.sign(key, digestOf(operation))).toBe(signature);
    expect(secp256k1.recover(digestOf(operation), signature)).toBe(sender);
    expect(transactionHash({ operation, sender, signature })).toBe(vector.hash);
    if (operation.kind === "batch" && vector.operationsHash !== undefined)
      expect([legsHash, independentHash].map((hash) => hash(operation.legs))).toEqual(
        Array(2).fill(vector.operationsHash),
      );
    if (vector.dummyHash === undefined) return;
    const dummy = joinSignature(`0x${"aa".repeat(32)}`, `0x${"bb".repeat(32)}`, 1);
    expect(transactionHash({ operation, sender, signature: dummy })).toBe(vector.dummyHash);
  });
});

describe("published addresses", () => {
  // holds: 22
  test.each(addresses.accounts)("account $address", ({ privateKey, address }) => {
    expect(secp256k1.addressOf(privateKey as PrivateKey)).toBe(address);
  });

  test.each(addresses.tokenAccounts)("token account $address", ({ account, token, address }) => {
    expect(tokenAccountAddress(toAddress(account), toAddress(token))).toBe(address);
  });

  test.each(addresses.issuedTokens)("issued token $address", ({ master, symbol, address }) => {
    expect(issuedTokenAddress(toAddress(master), symbol)).toBe(address);
  });
});

const id = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => toHash(`0x${Buffer.from(bytes).toString("hex")}`));
const anyLedgerValue: fc.Arbitrary<LedgerValue> = fc.oneof(
  fc.record({ type: fc.constant("operation" as const), id }),
  fc.record({ type: fc.constant("burn" as const), id, outcome: fc.constantFrom("burned" as const, "failed" as const) }),
  fc.record({
    type: fc.constant("skip" as const),
    by: fc.constantFrom("cancellation" as const, "recovery" as const),
    id,
    displaced: fc.array(id, { minLength: 1, maxLength: 2 }),
    feeToken: fc.option(anyAddress, { nil: undefined }),
  }),
  fc.record({ type: fc.constant("list" as const), ids: fc.array(id, { maxLength: 5 }) }),
);
const count = fc.oneof(fc.nat(300), fc.maxSafeNat());
const anyListed: fc.Arbitrary<ListedDecision> = fc
  .tuple(fc.constantFrom("account", "token"), anyAddress, count, anyLedgerValue, fc.array(id, { maxLength: 3 }))
  .map(([kind, owner, number, value, copies]) => ({
    slot: (kind === "account"
      ? { kind, address: owner, sequence: number }
      : { kind, token: owner, version: number }) as ListedDecision["slot"],
    value,
    copies,
  }));
const anyCheckpoint: fc.Arbitrary<CheckpointValue> = fc
  .record({
    header: fc.record({
      number: count,
      parentHash: id,
      stateRoot: id,
      transactionsRoot: id,
      receiptsRoot: id,
      timestamp: count,
      size: count,
      extraData: fc.string({ unit: "grapheme", maxLength: 12 }),
    }),
    listed: fc.array(anyListed, { maxLength: 4 }),
  })
  .map((parts) => ({ type: "checkpoint", ...parts }) as unknown as CheckpointValue);
const anyAmount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }) as fc.Arbitrary<Amount>;
const anyFee = fc.record({ payment: anyAmount, cancellation: anyAmount, recovery: anyAmount });
const anyParameters: fc.Arbitrary<EpochParameters> = fc.record({
  validators: fc.array(fc.record({ key: anyAddress, reward: anyAddress }), { maxLength: 4 }),
  fees: fc.record({
    default: anyFee,
    tokens: fc
      .uniqueArray(fc.tuple(anyAddress, anyFee), { maxLength: 3, selector: ([token]) => token })
      .map((entries) => new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)))),
  }),
  checkpoints: fc.option(
    fc.record({ intervalMs: count, slots: count, limit: count, periodSeconds: count, empty: fc.boolean() }),
    { nil: undefined },
  ),
  epochLength: fc.option(count, { nil: undefined }),
});
const anyClosing = fc
  .record({ of: anyCheckpoint, epoch: count, next: anyParameters, warrant: id })
  .map(({ of: { header, listed }, ...parts }) => ({ type: "closing", header, listed, ...parts }) as ClosingValue);
const anyValue: fc.Arbitrary<Value> = fc.oneof({ weight: 3, arbitrary: anyLedgerValue }, anyCheckpoint, anyClosing);

/** The same text or hash with something else at its end. */
function changed(text: string): string {
  return text.startsWith("0x") ? `${text.slice(0, -1)}${text.endsWith("0") ? "1" : "0"}` : `${text}!`;
}

describe("a value", () => {
  test("has a hash of its own", () => {
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        // The clones have the same prototype, where fast-check draws records with and without one.
        expect(valueHash(a) === valueHash(b)).toBe(isDeepStrictEqual(structuredClone(a), structuredClone(b)));
        expect(valueHash(a)).toBe(valueHash(structuredClone(a)));
      }),
    );
  });

  test("of a checkpoint changes with each of its members, and with the order of what it lists", () => {
    const distinct = fc.uniqueArray(anyListed, { minLength: 2, maxLength: 4, selector: ({ slot }) => slotKey(slot) });
    fc.assert(
      fc.property(anyCheckpoint, distinct, (one, listed) => {
        const { header } = one;
        const value: CheckpointValue = { ...one, listed };
        const [first, ...rest] = listed as [ListedDecision, ...ListedDecision[]];
        const headers = Object.entries(header).map(([key, member]) => ({
          ...value,
          header: { ...header, [key]: typeof member === "number" ? (member === 0 ? 1 : member - 1) : changed(member) },
        }));
        const lists: readonly ListedDecision[][] = [
          rest,
          [...rest, first],
          [{ ...first, copies: [...first.copies, header.stateRoot] }, ...rest],
          [{ ...first, slot: slotAt(first.slot, slotNumber(first.slot) === 0 ? 1 : 0) }, ...rest],
        ];
        const all = [value, ...headers, ...lists.map((other) => ({ ...value, listed: other }))];
        expect(new Set(all.map(valueHash)).size).toBe(all.length);
      }),
    );
  });

  test("belongs in a token's slot if it is a list, in the chain's if it is a link, else in an account's", () => {
    const kinds: Partial<Record<Value["type"], string>> = { closing: "epoch", list: "token", checkpoint: "checkpoint" };
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(slotKindOf(value)).toBe(kinds[value.type] ?? "account");
      }),
    );
  });
});
