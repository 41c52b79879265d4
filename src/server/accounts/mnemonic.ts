/** Derivation of keys from a mnemonic (BIP-39, BIP-32, with the paths of Ethereum wallets). */
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { assert } from "../../core/base/assert.ts";
import { toHex } from "../../core/base/encoding.ts";
import type { PrivateKey } from "../../core/crypto/scheme.ts";
import { suggestion } from "../../scenario/suggest.ts";
import { MNEMONIC_MAX } from "./limits.ts";

/** Test mnemonic of other local chains; its keys are public. */
export const TEST_MNEMONIC = "test test test test test test test test test test test junk";

const LENGTHS: readonly number[] = [12, 15, 18, 21, 24];

/** Returns the error in a mnemonic; `undefined` for a valid one. */
export function mnemonicFault(text: string): string | undefined {
  if (text.length > MNEMONIC_MAX) return `mnemonic: expected at most ${MNEMONIC_MAX} characters, got ${text.length}`;
  const words = wordsOf(text);
  if (!LENGTHS.includes(words.length))
    return `mnemonic: expected 12, 15, 18, 21 or 24 words, got ${text.trim() === "" ? "none" : words.length}`;
  const strange = words.findIndex((word) => !wordlist.includes(word));
  if (strange !== -1) {
    const hint = suggestion(words[strange] ?? "", wordlist);
    return `mnemonic: word ${strange + 1} is not in the English list of BIP-39${hint}`;
  }
  if (!validateMnemonic(words.join(" "), wordlist))
    return "mnemonic: the last word does not fit the others (its checksum is wrong): expected the words in their order";
  return undefined;
}

/**
 * Returns the first private keys below a path such as `m/44'/60'/0'/0`.
 * @throws RangeError for an invalid mnemonic.
 */
export function keysBelow(mnemonic: string, path: string, count: number): readonly PrivateKey[] {
  const fault = mnemonicFault(mnemonic);
  if (fault !== undefined) throw new RangeError(fault);
  const parent = HDKey.fromMasterSeed(mnemonicToSeedSync(wordsOf(mnemonic).join(" "))).derive(path);
  return Array.from({ length: count }, (_, index) => {
    const { privateKey } = parent.deriveChild(index);
    assert(privateKey !== null, "a key that was derived from a seed is private");
    return toHex(privateKey) as PrivateKey;
  });
}

/** Returns the words in lower case, split at any white space. */
function wordsOf(text: string): readonly string[] {
  return text.trim().toLowerCase().split(/\s+/);
}
