/** Every implementation of secp256k1 returns the same bytes, for good input and bad, and makes the same run. */
import { readFileSync } from "node:fs";
import { keccak_256 } from "@noble/hashes/sha3.js";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { loadQuickKeccak, quickKeccak } from "../src/backends/keccak.ts";
import { BACKENDS, realScheme } from "../src/backends/secp256k1.ts";
import type { Hash, Signature } from "../src/core/base/ids.ts";
import { keccakBytes } from "../src/core/crypto/hash.ts";
import type { PrivateKey } from "../src/core/crypto/scheme.ts";
import { secp256k1 } from "../src/core/crypto/secp256k1.ts";
import { simulate } from "../src/library/simulate.ts";

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const FIELD = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn;
const OTHERS = BACKENDS.filter((name) => name !== "noble");

function word(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}

/** Numbers of 256 bits, with those near the bounds drawn often. */
const edges = [
  0n,
  1n,
  2n,
  ORDER / 2n,
  ORDER / 2n + 1n,
  ORDER - 1n,
  ORDER,
  ORDER + 1n,
  FIELD - 1n,
  FIELD,
  2n ** 256n - 1n,
];
const number = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.constantFrom(...edges));
const digest = number.map((value) => `0x${word(value)}` as Hash);
const key = fc
  .oneof(fc.bigInt({ min: 1n, max: ORDER - 1n }), fc.constantFrom(1n, 2n, ORDER - 1n))
  .map((value) => `0x${word(value)}` as PrivateKey);
const parity = fc.constantFrom("00", "01", "02", "03", "1b", "ff");
const malformed = fc.constantFrom("", "0x", `0x${"00".repeat(64)}`, `0x${"AB".repeat(65)}`, `0x${"11".repeat(66)}`);

describe("keccak in WebAssembly", () => {
  test("returns the bytes of noble, whatever the length", async () => {
    const quick = await quickKeccak();
    expect(quick).toBeDefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 700 }), (bytes) => {
        expect(quick?.(bytes)).toEqual(keccak_256(bytes));
      }),
    );
    expect(quick?.(new Uint8Array(100_000))).toEqual(keccak_256(new Uint8Array(100_000)));
  });

  test("computes every later keccak of the process, and returns bytes of its own each time", async () => {
    await loadQuickKeccak();
    const [first, second] = [keccakBytes(new Uint8Array(1)), keccakBytes(new Uint8Array(2))];
    expect(first).toEqual(keccak_256(new Uint8Array(1)));
    expect(second).toEqual(keccak_256(new Uint8Array(2)));
  });
});

describe("where nothing but JavaScript loads", () => {
  afterEach(() => {
    vi.doUnmock("node:module");
    vi.resetModules();
  });

  test("the reference signs, and the others say that they do not load", async () => {
    vi.resetModules();
    const load = (): never => {
      throw new Error("no such build");
    };
    vi.doMock("node:module", () => ({ createRequire: () => load }));
    const { realScheme: alone } = await import("../src/backends/secp256k1.ts");
    expect(alone().backend).toBe("noble");
    for (const name of OTHERS)
      expect(() => alone(name)).toThrow(`the ${name} implementation does not load on this machine: no such build`);
  });

  test("the reference hashes", async () => {
    const { WebAssembly: saved } = globalThis as { WebAssembly?: unknown };
    Reflect.deleteProperty(globalThis, "WebAssembly");
    try {
      expect(await quickKeccak()).toBeUndefined();
    } finally {
      Object.assign(globalThis, { WebAssembly: saved });
    }
  });
});

describe.each(OTHERS)("%s", (name) => {
  const scheme = realScheme(name);

  test("is the one that it says", () => expect(scheme).toMatchObject({ name: "secp256k1", backend: name }));

  test("signs the same bytes for the same address, and recovers it", () => {
    fc.assert(
      fc.property(key, digest, (secret, content) => {
        const signature = scheme.sign(secret, content);
        expect(signature).toBe(secp256k1.sign(secret, content));
        expect(scheme.addressOf(secret)).toBe(secp256k1.addressOf(secret));
        expect(scheme.recover(content, signature)).toBe(scheme.addressOf(secret));
      }),
      { numRuns: 40 },
    );
  });

  test("recovers what the reference recovers, and nothing where that recovers nothing", () => {
    let [found, refused] = [0, 0];
    fc.assert(
      fc.property(digest, number, number, parity, (content, r, s, v) => {
        const signature = `0x${word(r)}${word(s)}${v}` as Signature;
        const expected = secp256k1.recover(content, signature);
        expect(scheme.recover(content, signature)).toBe(expected);
        if (expected === undefined) refused++;
        else found++;
      }),
      { numRuns: 300 },
    );
    expect(found).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });

  test("refuses malformed text as the reference does", () => {
    fc.assert(
      fc.property(digest, malformed, (content, text) => {
        expect(scheme.recover(content, text as Signature)).toBeUndefined();
      }),
    );
  });

  test("refuses keys outside the group as the reference does", () => {
    for (const bad of [0n, ORDER, 2n ** 256n - 1n]) {
      const secret = `0x${word(bad)}` as PrivateKey;
      expect(() => scheme.addressOf(secret)).toThrow();
      expect(() => secp256k1.addressOf(secret)).toThrow();
      expect(() => scheme.sign(secret, `0x${word(7n)}` as Hash)).toThrow();
    }
  });
});

test("no run depends on the implementation", () => {
  const text = readFileSync("scenarios/rules/payments/payment.yaml", "utf8");
  const [first, ...rest] = BACKENDS.map((crypto) => simulate(text, { crypto }));
  expect(first?.verdict).toBe("pass");
  for (const other of rest) expect(other.hash).toBe(first?.hash);
});

test("a scheme is loaded once, and `auto` takes the quickest", () => {
  expect(realScheme("native")).toBe(realScheme("native"));
  expect(realScheme()).toBe(realScheme("native"));
});

test.each(BACKENDS)("refuse a digest of 33 bytes, one of 31, and an r that wrapped around: %s", (name) => {
  const scheme = realScheme(name);
  const good = `0x${"5a".repeat(32)}` as Hash;
  const signature = scheme.sign(`0x${"ab".repeat(32)}` as PrivateKey, good);
  expect(scheme.recover(good, signature)).toBeDefined();
  for (const other of [`${good}00`, good.slice(0, -2)] as Hash[])
    expect(scheme.recover(other, signature)).toBeUndefined();
  // The x coordinate of its point is p - 3, on the curve and above n.
  for (const v of ["02", "03"])
    expect(scheme.recover(good, `0x${word(FIELD - 3n - ORDER)}${word(7n)}${v}` as Signature)).toBeUndefined();
});
