/** Ready accounts of a served network: fixed names, and keys that wallets derive from the same mnemonic (BIP-39, BIP-32). */

import { createECDH, createHmac, pbkdf2Sync } from "node:crypto";
import { validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { realScheme } from "../../backends/secp256k1.ts";
import { assert, requireDefined } from "../../core/base/assert.ts";
import { toHex } from "../../core/base/encoding.ts";
import type { Address } from "../../core/base/ids.ts";
import { MemoTable } from "../../core/base/memo-table.ts";
import type { PrivateKey } from "../../core/crypto/scheme.ts";
import type { Setup } from "../../live/recording.ts";
import { suggestion } from "../../schema/problem.ts";
import { ACCOUNTS_MAX, MNEMONIC_MAX } from "../limits.ts";

/** Account whose key this program holds. */
export type NamedAccount = Readonly<{ name: string; address: Address; key: PrivateKey }>;

/** Account that a wallet shows for the mnemonic. */
export interface ReadyAccount extends NamedAccount {
  /** Derivation index, from 0. */
  readonly index: number;
}

/** The account that issues tokens and proposes epochs. */
export const OPERATOR = "operator";

/** Names of the first accounts by index. Number 0 issues tokens for issuers, number 1 is master of the ready tokens. */
export const NAMES: readonly string[] = [
  ...[OPERATOR, "issuer"],
  ...["alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi"],
];

/** Returns true for a private key of secp256k1: 0x and 64 hex digits of a number from 1 to n - 1. */
export function isPrivateKey(text: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(text) && BigInt(text) > 0n && BigInt(text) < ORDER;
}

/**
 * Returns the first accounts of a mnemonic: `operator`, `issuer`, `alice` to `heidi`, then `account10`, …
 * @throws RangeError for an invalid mnemonic, or a count outside 0 to `ACCOUNTS_MAX`.
 */
export function readyAccounts(mnemonic: string, count: number): readonly ReadyAccount[] {
  if (!Number.isInteger(count) || count < 0 || count > ACCOUNTS_MAX)
    throw new RangeError(`accounts: expected 0 to ${ACCOUNTS_MAX}, got ${count}`);
  const fault = mnemonicFault(mnemonic);
  if (fault !== undefined) throw new RangeError(fault);
  const parent = parentKey(wordsOf(mnemonic).join(" "));
  const publicKey = publicKeyOf(parent);
  return Array.from({ length: count }, (_, index) => {
    const key = toHex(deriveChild(parent, index, publicKey).key) as PrivateKey;
    return { index, name: NAMES[index] ?? `account${index}`, address: realScheme().addressOf(key), key };
  });
}

/** Returns an account by its name, its index, or its address in any letter case. */
export function accountNamed(accounts: readonly ReadyAccount[], text: string): ReadyAccount | undefined {
  const wanted = text.toLowerCase();
  return accounts.find(({ name, address, index }) => [name, address, String(index)].includes(wanted));
}

/** Returns them in their order, with their keys. */
export function publishedAccounts({ accounts, keys }: Setup): readonly ReadyAccount[] {
  return accounts.map((name, index) => {
    const key = requireDefined(keys[name], `key of ${name}`);
    return { index, name, address: realScheme().addressOf(key), key };
  });
}

/** Test mnemonic of other local chains; its keys are public. */
export const TEST_MNEMONIC = "test test test test test test test test test test test junk";

const LENGTHS: readonly number[] = [12, 15, 18, 21, 24];

/** Returns the error in a mnemonic; `undefined` for a valid one. */
export function mnemonicFault(text: string): string | undefined {
  if (text.length > MNEMONIC_MAX) return `mnemonic: expected at most ${MNEMONIC_MAX} characters, got ${text.length}`;
  const words = wordsOf(text);
  if (!LENGTHS.includes(words.length))
    return `mnemonic: expected 12, 15, 18, 21 or 24 words, got ${text.trim() === "" ? "none" : words.length}`;
  const unknown = words.findIndex((word) => !wordlist.includes(word));
  if (unknown !== -1) {
    const hint = suggestion(words[unknown] ?? "", wordlist);
    return `mnemonic: word ${unknown + 1} is not in the English list of BIP-39${hint}`;
  }
  if (!validateMnemonic(words.join(" "), wordlist))
    return "mnemonic: the last word does not fit the others (its checksum is wrong): expected the words in their order";
  return undefined;
}

/** Parent keys of the last mnemonics: a start asks for the same ones several times. */
const PARENTS = new MemoTable<string, ParentKey>(16);

/** Returns the parent of the accounts' keys, of the seed that BIP-39 makes of the words: 2,048 rounds, in native code. */
function parentKey(words: string): ParentKey {
  return PARENTS.getOrCompute(words, () => {
    const seed = pbkdf2Sync(words.normalize("NFKD"), "mnemonic", 2_048, 64, "sha512");
    return ACCOUNTS_PATH.reduce(
      (parent, index) => deriveChild(parent, index, index < HARDENED ? publicKeyOf(parent) : undefined),
      splitKey(hmac("Bitcoin seed", seed)),
    );
  });
}

/** Returns the words in lower case, split at any white space. */
function wordsOf(text: string): readonly string[] {
  return text.trim().toLowerCase().split(/\s+/);
}

/** Key from which others are derived. */
type ParentKey = Readonly<{ key: Uint8Array; chainCode: Uint8Array }>;

/** First of the indices that need the private key of the parent: written `44'` in a path. */
const HARDENED = 0x8000_0000;

/** Path of the accounts from the key of the seed: `m/44'/60'/0'/0`. */
const ACCOUNTS_PATH: readonly number[] = [44 + HARDENED, 60 + HARDENED, HARDENED, 0];

/** Order of the group of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** `publicKey`: of the parent, for indices that are not hardened. */
function deriveChild(parent: ParentKey, index: number, publicKey: Uint8Array | undefined): ParentKey {
  const place = Buffer.alloc(4);
  place.writeUInt32BE(index);
  const { key, chainCode } = splitKey(
    hmac(parent.chainCode, Buffer.concat([publicKey ?? Buffer.concat([Buffer.alloc(1), parent.key]), place])),
  );
  const [tweak, parentNumber] = [numberOf(key), numberOf(parent.key)];
  const sum = (tweak + parentNumber) % ORDER;
  // Of a chance of 2^-127; BIP-32 has no key at such an index.
  assert(tweak < ORDER && sum !== 0n, "every index has a key");
  return { key: Buffer.from(sum.toString(16).padStart(64, "0"), "hex"), chainCode };
}

/** Compressed: 33 bytes. */
function publicKeyOf({ key }: ParentKey): Uint8Array {
  const curve = createECDH("secp256k1");
  curve.setPrivateKey(key);
  return curve.getPublicKey(null, "compressed");
}

function hmac(key: string | Uint8Array, bytes: Uint8Array): Buffer {
  return createHmac("sha512", key).update(bytes).digest();
}

function splitKey(bytes: Buffer): ParentKey {
  return { key: bytes.subarray(0, 32), chainCode: bytes.subarray(32) };
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(toHex(bytes));
}
