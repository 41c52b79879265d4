/** Ready accounts of a served network: fixed names, and keys that wallets derive from the same mnemonic. */
import type { Address } from "../../core/base/ids.ts";
import type { PrivateKey } from "../../core/crypto/scheme.ts";
import { secp256k1 } from "../../core/crypto/secp256k1.ts";
import { ACCOUNTS_MAX } from "./limits.ts";
import { keysBelow } from "./mnemonic.ts";

/** Account whose key this program holds. */
export interface NamedAccount {
  readonly name: string;
  readonly address: Address;
  readonly key: PrivateKey;
}

/** Account that a wallet shows for the mnemonic. */
export interface ReadyAccount extends NamedAccount {
  /** Derivation index, from 0. */
  readonly index: number;
}

/** Names of the first accounts by index. Number 0 issues tokens for issuers, number 1 is master of the ready tokens. */
export const NAMES: readonly string[] = [
  ...["operator", "issuer"],
  ...["alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi"],
];
/** Name of the faucet, which is not a ready account: wallets would show it among them. */
export const FAUCET = "faucet";

const ACCOUNTS_PATH = "m/44'/60'/0'/0";
const FAUCET_PATH = "m/44'/60'/1'/0";

/**
 * Returns the first accounts of a mnemonic: `operator`, `issuer`, `alice` to `heidi`, then `account10`, …
 * @throws RangeError for an invalid mnemonic, or a count outside 0 to `ACCOUNTS_MAX`.
 */
export function readyAccounts({
  mnemonic,
  count,
}: {
  readonly mnemonic: string;
  readonly count: number;
}): readonly ReadyAccount[] {
  if (!Number.isInteger(count) || count < 0 || count > ACCOUNTS_MAX)
    throw new RangeError(`accounts: expected 0 to ${ACCOUNTS_MAX}, got ${count}`);
  return keysBelow(mnemonic, ACCOUNTS_PATH, count).map((key, index) => ({
    index,
    ...namedAccount(NAMES[index] ?? `account${index}`, key),
  }));
}

/** Returns the account that mints for the faucet. @throws RangeError for an invalid mnemonic. */
export function faucetAccount(mnemonic: string): NamedAccount {
  const [key] = keysBelow(mnemonic, FAUCET_PATH, 1);
  return namedAccount(FAUCET, key as PrivateKey);
}

/** Returns an account by its name, its index, or its address in any letter case. */
export function accountNamed(accounts: readonly ReadyAccount[], text: string): ReadyAccount | undefined {
  const wanted = text.toLowerCase();
  return accounts.find(({ name, address, index }) => [name, address, String(index)].includes(wanted));
}

function namedAccount(name: string, key: PrivateKey): NamedAccount {
  return { name, address: secp256k1.addressOf(key), key };
}
