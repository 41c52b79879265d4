/** Aggregates of finalized answers: what they prove, and what they do not (wire 1.4, Finalized). */
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { expect, test } from "vitest";
import { type Address, type Epoch, toHash } from "../../src/core/base/ids.ts";
import { blsPublicKey } from "../../src/core/crypto/bls.ts";
import type { PrivateKey } from "../../src/core/crypto/scheme.ts";
import { secp256k1 } from "../../src/core/crypto/secp256k1.ts";
import { committeeFile } from "../../src/proofs/certificate-file.ts";
import { counterSign, counterSignatureRefusal, type FinalityStatement } from "../../src/proofs/counter-signature.ts";
import { keyOf } from "../../src/scenario/directory.ts";
import { integer, raw, text } from "../server/client/rlp.ts";
import { hashOf } from "../server/client/signing.ts";

const NAMES = ["v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10"];
const KEYS = new Map(
  NAMES.map((name) => {
    const key = keyOf("validator", name);
    return [secp256k1.addressOf(key), key] as const;
  }),
);
const MEMBERS = [...KEYS.keys()];
const key = (validator: Address): PrivateKey => KEYS.get(validator) as PrivateKey;
const EPOCH = 3;
const COMMITTEE = {
  ...committeeFile(1, EPOCH as Epoch, MEMBERS, secp256k1),
  bls_public_keys: MEMBERS.map((member) => blsPublicKey(key(member))),
};
const STATEMENT: FinalityStatement = { hash: toHash(`0x${"5a".repeat(32)}`), epoch: EPOCH, fee: "10000" };
const signedBy = (...places: readonly number[]) =>
  counterSign(STATEMENT, MEMBERS, new Set(places.map((place) => MEMBERS[place] as Address)), key);
const AGGREGATE = signedBy(0, 2, 3, 4, 6, 8, 9);
const refusalOf = (change: object, statement: FinalityStatement = STATEMENT, committee: object = {}) =>
  counterSignatureRefusal({ ...AGGREGATE, ...change }, statement, { ...COMMITTEE, ...committee });

test("an aggregate is the sum of each signer's signature of the documented bytes", () => {
  const { sign, hash, verify, aggregateSignatures, aggregatePublicKeys, Signature } = bls12_381.shortSignatures;
  const message = hash(raw(hashOf([text("counter-signature"), raw(STATEMENT.hash), integer(EPOCH), integer(10_000)])));
  const order = bls12_381.fields.Fr.ORDER;
  const signatures = [0, 2, 3, 4, 6, 8, 9].map((place) => {
    const secret = [0, 1].map((part) =>
      hashOf([text("bls key"), raw(key(MEMBERS[place] as Address)), integer(part)]).slice(2),
    );
    return sign(message, bls12_381.fields.Fr.toBytes((BigInt(`0x${secret.join("")}`) % (order - 1n)) + 1n));
  });
  expect(AGGREGATE.signature).toBe(`0x${Signature.toHex(aggregateSignatures(signatures))}`);
  const keys = AGGREGATE.validator_public_keys.map((one) => raw(one));
  expect(verify(raw(AGGREGATE.signature), message, aggregatePublicKeys(keys))).toBe(true);
  expect(AGGREGATE.signer_bitmask).toBe("0x5d03");
});

test("it proves its statement to a committee, and no other statement", () => {
  expect(refusalOf({})).toBeUndefined();
  for (const other of [{ hash: toHash(`0x${"5b".repeat(32)}`) }, { fee: "10001" }, { fee: undefined }, { fee: "0" }])
    expect(refusalOf({}, { ...STATEMENT, ...other })).toBe("counter_signature: invalid signature");
  expect(refusalOf({}, { ...STATEMENT, epoch: 4 })).toMatch(/^wrong epoch/);
});

test("too few signers prove nothing, whatever they sign", () => {
  const few = signedBy(0, 2, 3, 4, 6, 8);
  expect(refusalOf(few)).toBe("counter_signature: too few signers: expected 7, got 6");
  expect(refusalOf({ ...few, signer_bitmask: "0x5d03" })).toMatch(/the keys are not those of its signers/);
  expect(refusalOf({ ...AGGREGATE, signature: few.signature })).toMatch(/invalid signature/);
  expect(refusalOf({}, STATEMENT, { bls_public_keys: [] })).toMatch(/too few signers/);
});

test.each(["0x5d07", "0x5d0300", "0x5d", "0x"])("the bitmask %s is none of ten validators", (signer_bitmask) => {
  expect(refusalOf({ signer_bitmask })).toBe("counter_signature: the bitmask is not that of a committee");
});

test("keys of others, and points that are none, are refused", () => {
  const [first = "", ...rest] = AGGREGATE.validator_public_keys;
  const stranger = blsPublicKey(keyOf("validator", "v11"));
  expect(refusalOf({ validator_public_keys: [stranger, ...rest] })).toMatch(/the keys are not those/);
  expect(refusalOf({ validator_public_keys: [...rest, first] })).toMatch(/the keys are not those/);
  const infinity = `0xc0${"00".repeat(47)}`;
  for (const signature of [infinity, `0x${"ff".repeat(48)}`, `0x80${"00".repeat(47)}`])
    expect(refusalOf({ signature })).toBe("counter_signature: invalid signature");
});
