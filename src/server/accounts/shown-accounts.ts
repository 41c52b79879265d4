/** Ready accounts of a setup. */
import { required } from "../../core/base/assert.ts";
import { secp256k1 } from "../../core/crypto/secp256k1.ts";
import type { Setup } from "../../live/setup.ts";
import type { ReadyAccount } from "./ready-accounts.ts";

/** Returns them in their order, with their keys. */
export function publishedAccounts({ accounts, keys }: Setup): readonly ReadyAccount[] {
  return accounts.map((name, index) => {
    const key = required(keys[name], `key of ${name}`);
    return { index, name, address: secp256k1.addressOf(key), key };
  });
}
