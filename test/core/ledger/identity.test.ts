import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encode, hex, text, uint } from "../../../src/core/base/encoding.ts";
import type { Hash, Nonce, Signature } from "../../../src/core/base/ids.ts";
import type { SignedOperation } from "../../../src/core/base/operation.ts";
import { keccak } from "../../../src/core/crypto/hash.ts";
import {
  isEquivocation,
  operationId,
  paddedHash,
  recoveryId,
  submissionId,
  transactionHash,
} from "../../../src/core/ledger/identity.ts";
import { digestOf } from "../../../src/core/ledger/layout.ts";
import { anySigned, CHAIN, type Draft, joinSignature, signed } from "./support/operations.ts";
import { ALICE, BOB, batch, burn, COIN, list, mint, pay } from "./support/world.ts";

describe("an operation's id", () => {
  test("does not depend on the signature", () => {
    fc.assert(
      fc.property(anySigned, anySigned, (a, b) => {
        expect(operationId({ ...a, signature: b.signature })).toBe(operationId(a));
      }),
    );
  });

  test("depends on kind, layout, sender and signed digest", () => {
    const mintOne = signed(ALICE, 0, mint(BOB, 5));
    const spec: SignedOperation = { ...mintOne, operation: { ...mintOne.operation, layout: "spec" } };
    const all: SignedOperation[] = [
      mintOne,
      spec,
      { ...mintOne, sender: BOB },
      signed(ALICE, 1, mint(BOB, 5)),
      signed(ALICE, 0, pay(BOB, 5)),
      signed(ALICE, 0, burn(5, BOB)),
      signed(ALICE, 0, list("blacklist", "Add", BOB)),
      signed(ALICE, 0, list("whitelist", "Add", BOB)),
    ];
    expect(new Set(all.map(operationId)).size).toBe(all.length);
  });

  test("keeps two readings of one digest apart", () => {
    const readings = [pay(BOB, 5), mint(BOB, 5), burn(5, BOB)].map((draft) => signed(ALICE, 0, draft));
    expect(new Set(readings.map(({ operation }) => digestOf(operation))).size).toBe(1);
    expect(new Set(readings.map(operationId)).size).toBe(3);
  });
});

describe("a recovery's id", () => {
  test("is the published hash for either proof", () => {
    const id = recoveryId(CHAIN, ALICE, 4 as Nonce);
    expect(id).toBe(keccak(encode([text("recovery"), uint(CHAIN), hex(ALICE), uint(4)])));
    for (const value of [1, 2]) {
      const evidence = { first: signed(ALICE, 4, pay(BOB, value)), second: signed(ALICE, 4, pay(BOB, 9)) };
      expect(submissionId({ kind: "recovery", chainId: CHAIN, account: ALICE, nonce: 4 as Nonce, evidence })).toBe(id);
    }
  });
});

describe("a transaction hash", () => {
  test("names one copy, and writes r and s as integers", () => {
    const one = signed(ALICE, 0, pay(BOB, 5));
    const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;
    const signature: Signature = joinSignature(word(0x80), word(1), 1);
    const inner = [uint(CHAIN), uint(0), hex(BOB), uint(5), hex(COIN)];
    expect(transactionHash({ ...one, signature })).toBe(keccak(encode([inner, uint(1), uint(0x80), uint(1)])));
    expect(transactionHash({ ...one, signature })).not.toBe(transactionHash(one));
  });

  test("has a second spelling in version 1 where r or s begins with a zero byte", () => {
    const [full, short] = [`0x80${"00".repeat(31)}`, `0x007f${"ff".repeat(30)}`];
    const spellings = (fields: Draft, r: string, s: string): string | undefined =>
      paddedHash({ ...signed(ALICE, 0, fields), signature: joinSignature(r, s, 0) });
    expect(spellings(pay(BOB, 5), full, full)).toBeUndefined();
    const inner = [uint(CHAIN), uint(0), hex(BOB), uint(5), hex(COIN)];
    for (const [r, s] of [
      [short, full],
      [full, short],
    ] as const)
      expect(spellings(pay(BOB, 5), r, s)).toBe(keccak(encode([inner, uint(0), hex(r as Hash), hex(s as Hash)])));
    expect(spellings(batch([BOB, 5]), short, short)).toBeUndefined();
  });
});

describe("an equivocation", () => {
  const first = signed(ALICE, 4, pay(BOB, 1));
  const cancellation = signed(ALICE, 4, { kind: "cancellation" });

  test("is two digests of one sender, chain and nonce", () => {
    expect(isEquivocation(first, signed(ALICE, 4, pay(BOB, 2)))).toBe(true);
    expect(isEquivocation(first, signed(ALICE, 4, burn(2)))).toBe(true);
  });

  test.each([
    ["the same operation twice", first],
    ["one digest read as two kinds", signed(ALICE, 4, mint(BOB, 1))],
    ["another sender", signed(BOB, 4, pay(BOB, 2))],
    ["another nonce", signed(ALICE, 5, pay(BOB, 2))],
    ["another chain", { ...first, operation: { ...first.operation, chainId: 1 } }],
    ["a cancellation", cancellation],
  ])("is not %s", (_, second) => {
    expect(isEquivocation(first, second)).toBe(false);
    expect(isEquivocation(second, first)).toBe(false);
  });

  test("is symmetric", () => {
    fc.assert(
      fc.property(anySigned, anySigned, (a, b) => {
        expect(isEquivocation(a, b)).toBe(isEquivocation(b, a));
        expect(isEquivocation(a, a)).toBe(false);
      }),
    );
  });
});
