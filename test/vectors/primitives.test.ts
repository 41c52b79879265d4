/** Public vectors of signatures, encodings and mnemonics (test/vectors/suites/README.md). */
import { createHash } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { describe, expect, test } from "vitest";
import { BACKENDS, realScheme } from "../../src/backends/secp256k1.ts";
import { encode, fromHex, type Item, text, toHex, uint } from "../../src/core/base/encoding.ts";
import type { Hash, Signature } from "../../src/core/base/ids.ts";
import { keccakBytes } from "../../src/core/crypto/hash.ts";
import { readyAccounts } from "../../src/server/setup/accounts.ts";
import { suite } from "./suite.ts";

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const digitsOf = (value: bigint): string => value.toString(16).padStart(64, "0");

/** Returns the DER of a positive integer, as hex digits. */
function derOf(value: bigint): string {
  const [, digits = ""] = toHex(uint(value) as Uint8Array).split("x");
  const bytes = digits === "" || digits >= "8" ? `00${digits}` : digits;
  return `02${(bytes.length / 2).toString(16).padStart(2, "0")}${bytes}`;
}

/** Returns r and s of strict DER; `undefined` if it is malformed, or one of them is no positive integer of 32 bytes. */
function numbersIn(der: string): readonly [r: bigint, s: bigint] | undefined {
  const sEnd = 8 + 2 * Number.parseInt(der.slice(6, 8) || "0", 16);
  const [r = 0n, s = 0n] = [der.slice(8, sEnd), der.slice(sEnd + 4)].map((digits) => BigInt(`0x${digits || "0"}`));
  const body = derOf(r) + derOf(s);
  const isStrict = der === `30${(body.length / 2).toString(16).padStart(2, "0")}${body}`;
  return isStrict && [r, s].every((value) => value < 2n ** 256n) ? [r, s] : undefined;
}

describe("Wycheproof's signatures over secp256k1", () => {
  type Case = readonly [number: number, comment: string, message: string, der: string, isValid: boolean];
  const cases = suite<readonly [key: string, cases: readonly Case[]]>("wycheproof-secp256k1").flatMap(([key, ofKey]) =>
    ofKey.map(([number, comment, message, der, isValid]) => ({
      name: `${number} ${comment}`,
      address: toHex(keccakBytes(fromHex(`0x${key}`)).subarray(12)),
      digest: toHex(createHash("sha256").update(message, "hex").digest()) as Hash,
      numbers: numbersIn(der),
      isValid,
    })),
  );
  type Signed = (typeof cases)[number];

  /** Returns how many recovery numbers lead from a signature to its key. */
  const recoveriesOf = ({ address, digest }: Signed, r: bigint, s: bigint, backend: (typeof BACKENDS)[number]) =>
    ["00", "01", "02", "03"].filter((recovery) => {
      const signature = `0x${digitsOf(r)}${digitsOf(s)}${recovery}` as Signature;
      return realScheme(backend).recover(digest, signature) === address;
    }).length;

  const outcomeOf = (signed: Signed, backend: (typeof BACKENDS)[number]): string => {
    const { name, numbers, isValid } = signed;
    if (numbers === undefined) return isValid ? `${name}: valid, and not our form` : "not our form";
    const [r, s] = numbers;
    const found = recoveriesOf(signed, r, s, backend);
    if (!isValid || found > 0) return isValid ? `valid: ${found}` : `invalid: ${found}`;
    return s > ORDER / 2n && recoveriesOf(signed, r, ORDER - s, backend) === 1 ? "valid: 1 with low s" : `${name}: 0`;
  };

  test.each(BACKENDS)("recover with %s their key for one recovery number if they are valid, else for none", (backend) => {
    const outcomes = new Map<string, number>();
    for (const signed of cases) {
      const outcome = outcomeOf(signed, backend);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(Object.fromEntries(outcomes)).toEqual({
      // DER that is malformed, and numbers that are negative or have more than 32 bytes.
      "not our form": 148,
      "invalid: 0": 68,
      "valid: 1": 53,
      "valid: 1 with low s": 63,
      // Its r wrapped around the order: a signature of ours never does.
      "214 k*G has a large x-coordinate: 0": 1,
    });
  });
});

test.each(suite<readonly [name: string, item: unknown, bytes: string]>("rlp"))("RLP of %s", (_name, item, bytes) => {
  const itemOf = (value: unknown): Item => {
    if (Array.isArray(value)) return value.map(itemOf);
    if (typeof value === "number") return uint(value);
    const digits = /^#([0-9]+)$/.exec(String(value))?.[1];
    return digits === undefined ? text(String(value)) : uint(BigInt(digits));
  };
  expect(toHex(encode(itemOf(item)))).toBe(`0x${bytes}`);
});

test.each(suite<readonly [entropy: string, words: string, seed: string]>("bip39"))(
  "BIP-39 of the entropy %s",
  (_entropy, mnemonic, seed) => {
    // Ready accounts have no passphrase: the library has the seed of the vector, and this program the library's keys.
    expect(Buffer.from(mnemonicToSeedSync(mnemonic, "TREZOR")).toString("hex")).toBe(seed);
    const derived = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive("m/44'/60'/0'/0/0");
    expect(readyAccounts(mnemonic, 1).map(({ key }) => key)).toEqual([toHex(derived.privateKey as Uint8Array)]);
  },
);
