import { describe, expect, test } from "vitest";
import { toHex } from "../../../src/core/base/encoding.ts";
import { toAddress, toHash } from "../../../src/core/base/ids.ts";
import type { Operation, SignedOperation } from "../../../src/core/base/operation.ts";
import type { PrivateKey } from "../../../src/core/crypto/scheme.ts";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";
import { transactionHash } from "../../../src/core/ledger/identity.ts";
import { digestOf, signedBytes } from "../../../src/core/ledger/layout.ts";
import { legsHash } from "../../../src/core/ledger/legs.ts";
import { issuedTokenAddress, tokenAccountAddress } from "../../../src/core/ledger/token.ts";
import { legsHash as independentHash } from "../../../src/invariants/constants.ts";
import addresses from "../../vectors/addresses.json" with { type: "json" };
import legacy from "../../vectors/legacy-v1.json" with { type: "json" };
import native from "../../vectors/native-v2.json" with { type: "json" };
import { joinSignature } from "./support/operations.ts";

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
