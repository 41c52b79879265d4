import { describe, expect, test } from "vitest";
import { type Hash, type Signature, toHash, toSignature } from "../../../src/core/base/ids.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import { createVerifier, type PrivateKey, type Scheme } from "../../../src/core/crypto/scheme.ts";

const KEY = `0x${"33".repeat(32)}` as PrivateKey;
const digest = (number: number): Hash => toHash(`0x${number.toString(16).padStart(64, "0")}`);
const BROKEN: Signature = toSignature(`0x${"ff".repeat(65)}`);

function counting(): { readonly scheme: Scheme; readonly calls: () => number } {
  let calls = 0;
  const recover: Scheme["recover"] = (content, signature) => {
    calls++;
    return keyedHash.recover(content, signature);
  };
  return { scheme: { ...keyedHash, isQuick: false, recover }, calls: () => calls };
}

describe("a verifier", () => {
  test("recovers once for the same bytes, a failure too", () => {
    const { scheme, calls } = counting();
    const verifier = createVerifier(scheme, 8);
    for (let again = 0; again < 3; again++) {
      expect(verifier.recover(digest(1), keyedHash.sign(KEY, digest(1)))).toBe(keyedHash.addressOf(KEY));
      expect(verifier.recover(digest(1), BROKEN)).toBeUndefined();
    }
    expect(calls()).toBe(2);
  });

  test("drops entries without recent hits", () => {
    const { scheme, calls } = counting();
    const verifier = createVerifier(scheme, 4);
    for (const number of [1, 2, 3, 4, 5]) verifier.recover(digest(number), BROKEN);
    verifier.recover(digest(5), BROKEN);
    expect(calls()).toBe(5);
    verifier.recover(digest(1), BROKEN);
    expect(calls()).toBe(6);
  });

  test("shares nothing with another verifier", () => {
    const { scheme, calls } = counting();
    createVerifier(scheme).recover(digest(1), BROKEN);
    createVerifier(scheme).recover(digest(1), BROKEN);
    expect(calls()).toBe(2);
  });

  test("needs room for two", () => expect(() => createVerifier(counting().scheme, 1)).toThrow(RangeError));

  test("calls a fast scheme again, since that costs less than a cache lookup", () => {
    const { scheme, calls } = counting();
    const verifier = createVerifier({ ...scheme, isQuick: true });
    for (let again = 0; again < 3; again++) expect(verifier.recover(digest(1), BROKEN)).toBeUndefined();
    expect(calls()).toBe(3);
  });
});
