import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toHash, toSignature } from "../../../src/core/base/ids.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import type { PrivateKey } from "../../../src/core/crypto/scheme.ts";

const bytes32 = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);
const key = bytes32 as unknown as fc.Arbitrary<PrivateKey>;
const digest = bytes32.map(toHash);
const HALF_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n / 2n;

describe("the keyed-hash stand-in", () => {
  test("recovers the signer, from a signature of the shape of a real one", () => {
    fc.assert(
      fc.property(key, digest, (secret, content) => {
        const signature = toSignature(keyedHash.sign(secret, content));
        expect(keyedHash.recover(content, signature)).toBe(keyedHash.addressOf(secret));
        const s = BigInt(`0x${signature.slice(66, 130)}`);
        expect(s > 0n && s <= HALF_ORDER).toBe(true);
        expect(keyedHash.sign(secret, content)).toBe(signature);
      }),
    );
  });

  test.each([
    ["signature", 131],
    ["digest", 65],
  ])("refuses a %s with any digit changed", (part, last) => {
    const changes = fc.record({ at: fc.integer({ min: 2, max: last }), by: fc.integer({ min: 1, max: 15 }) });
    fc.assert(
      fc.property(key, digest, changes, (secret, content, { at, by }) => {
        const changed = (text: string): string =>
          `${text.slice(0, at)}${(Number.parseInt(text[at] as string, 16) ^ by).toString(16)}${text.slice(at + 1)}`;
        const signature = keyedHash.sign(secret, content);
        const [other, signed] =
          part === "digest" ? [toHash(changed(content)), signature] : [content, toSignature(changed(signature))];
        expect(keyedHash.recover(other, signed)).toBeUndefined();
      }),
    );
  });

  test("one changed bit changes about half of the tag's bits", () => {
    const secret = `0x${"11".repeat(32)}` as PrivateKey;
    const tag = (content: string) => BigInt(`0x${keyedHash.sign(secret, toHash(content)).slice(98, 130)}`);
    let [flips, least] = [0, 128];
    for (let bit = 0n; bit < 256n; bit++) {
      const changed = (1n << bit).toString(16).padStart(64, "0");
      const apart = (tag(`0x${"0".repeat(64)}`) ^ tag(`0x${changed}`)).toString(2).replaceAll("0", "").length;
      flips += apart;
      least = Math.min(least, apart);
    }
    expect(flips / 256).toBeGreaterThan(60);
    expect(flips / 256).toBeLessThan(68);
    expect(least).toBeGreaterThan(36);
  });

  test("ten thousand digests have ten thousand tags, in each 32-bit lane nearly so", () => {
    const secret = `0x${"22".repeat(32)}` as PrivateKey;
    const lanes = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
    for (let at = 0; at < 10_000; at++) {
      const tag = keyedHash.sign(secret, toHash(`0x${at.toString(16).padStart(64, "0")}`)).slice(98, 130);
      lanes.forEach((lane, index) => {
        lane.add(tag.slice(index * 8, index * 8 + 8));
      });
    }
    for (const lane of lanes) expect(lane.size).toBeGreaterThan(9_990);
  });
});
