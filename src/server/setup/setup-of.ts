/** Setup of a served network, the head of its recording. */
import type { PrivateKey } from "../../core/crypto/scheme.ts";
import type { Setup } from "../../live/setup.ts";
import { FAUCET, faucetAccount, NAMES, readyAccounts } from "../accounts/ready-accounts.ts";
import type { ServeOptions } from "./options.ts";
import { scenarioOf } from "./scenario-of.ts";

/**
 * `startedAt`: Unix milliseconds of virtual time 0. Signatures are real ones, since real clients make them. The fixed
 * names have the mnemonic's keys even if fewer accounts are ready: the operator and the issuer act in every network,
 * and a file's `alice` equals the ready account `alice`.
 */
export function setupOf(options: ServeOptions, startedAt: number): Setup {
  const { mnemonic, accounts: count, seed } = options;
  const named = readyAccounts({ mnemonic, count: Math.max(count, NAMES.length) });
  const names = named.slice(0, count).map(({ name }) => name);
  const keys: Record<string, PrivateKey> = Object.fromEntries(named.map(({ name, key }) => [name, key]));
  if (options.faucet) keys[FAUCET] = faucetAccount(mnemonic).key;
  return { scenario: scenarioOf(options, names), seed, crypto: "real", keys, accounts: names, startedAt };
}
