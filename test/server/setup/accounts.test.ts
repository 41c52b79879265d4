import { bytesToHex } from "@noble/hashes/utils.js";
import { HDKey } from "@scure/bip32";
import { entropyToMnemonic, mnemonicToSeedSync } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountNamed, mnemonicFault, readyAccounts, TEST_MNEMONIC } from "../../../src/server/setup/accounts.ts";

const ACCOUNTS = readyAccounts(TEST_MNEMONIC, 12);

/** As every local chain prints them for this mnemonic. */
const KNOWN: readonly (readonly [name: string, address: string, key: string])[] = [
  [
    "operator",
    "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
    "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
  ],
  [
    "issuer",
    "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
    "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
  ],
  [
    "alice",
    "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
    "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
  ],
];

const anyMnemonic = fc
  .constantFrom(16, 20, 24, 28, 32)
  .chain((size) => fc.uint8Array({ minLength: size, maxLength: size }))
  .map((entropy) => entropyToMnemonic(entropy, wordlist).split(" "));

describe("ready accounts", () => {
  // holds: 40
  it("are those that wallets derive from the test mnemonic", () => {
    expect(ACCOUNTS.slice(0, 3).map(({ name, address, key }) => [name, address, key])).toEqual(KNOWN);
  });

  it("have distinct names, and numbers after the last name", () => {
    const names = ACCOUNTS.map(({ name }) => name);
    expect(names.join(" ")).toBe("operator issuer alice bob carol dave erin frank grace heidi account10 account11");
    expect(ACCOUNTS.map(({ index }) => index)).toEqual(names.map((_, index) => index));
  });

  it("have the keys that a library derives, whatever the mnemonic", () => {
    fc.assert(
      fc.property(anyMnemonic, (words) => {
        const mnemonic = words.join(" ");
        const parent = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive("m/44'/60'/0'/0");
        const derived = [0, 1, 2].map((index) => bytesToHex(parent.deriveChild(index).privateKey as Uint8Array));
        expect(readyAccounts(mnemonic, 3).map(({ key }) => key.slice(2))).toEqual(derived);
      }),
      { numRuns: 10 },
    );
  });

  it("are found by name, place and address in any letter case, and by nothing else", () => {
    for (const account of ACCOUNTS) {
      const { name, index, address } = account;
      for (const text of [name, name.toUpperCase(), String(index), address, address.toUpperCase()])
        expect(accountNamed(ACCOUNTS, text)).toBe(account);
    }
    for (const text of ["", "12", "-1", "01", "mallory", "faucet", "0x", address(ACCOUNTS[0]?.address)])
      expect(accountNamed(ACCOUNTS, text)).toBeUndefined();
  });

  it("are as many as asked for, up to a bound", () => {
    expect(readyAccounts(TEST_MNEMONIC, 0)).toEqual([]);
    for (const count of [-1, 1.5, 1_001, Number.NaN])
      expect(() => readyAccounts(TEST_MNEMONIC, count)).toThrow(/accounts: expected 0 to 1000/);
  });
});

function address(text = ""): string {
  return text.slice(0, -1);
}

describe("mnemonics", () => {
  it("count however they are spaced and in whatever letters", () => {
    const spaced = `  ${TEST_MNEMONIC.toUpperCase().replaceAll(" ", " \n\t")} `;
    expect(mnemonicFault(spaced)).toBeUndefined();
    expect(readyAccounts(spaced, 1)).toEqual(ACCOUNTS.slice(0, 1));
  });

  it("of any length are taken, and refused with a word that is none, at its place", () => {
    fc.assert(
      fc.property(anyMnemonic, fc.nat(23), (words, at) => {
        expect(mnemonicFault(words.join(" "))).toBeUndefined();
        const place = at % words.length;
        const broken = words.with(place, "quorumlab");
        expect(mnemonicFault(broken.join(" "))).toMatch(new RegExp(`^mnemonic: word ${place + 1} is not in`));
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ["", /got none/],
    ["   ", /got none/],
    ["test", /expected 12, 15, 18, 21 or 24 words, got 1$/],
    [TEST_MNEMONIC.replace("junk", "test"), /checksum/],
    [TEST_MNEMONIC.replace("junk", "junkk"), /word 12 .*did you mean "junk"\?/],
    [" ".repeat(513), /at most 512 characters/],
  ])("with a fault are refused with what was expected: %j", (mnemonic, expected) => {
    expect(mnemonicFault(mnemonic)).toMatch(expected);
    expect(() => readyAccounts(mnemonic, 1)).toThrow(expected);
  });
});
