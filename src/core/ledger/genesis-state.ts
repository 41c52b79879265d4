/** State before the first operation. */
import { AMOUNT_MAX, type Amount, ZERO } from "../base/amount.ts";
import type { Genesis, GenesisToken } from "../base/epoch.ts";
import { FILLERS_MAX, fillerAmount, openingBalances, openingSums } from "../base/fillers.ts";
import type { Address, CheckpointNumber, Epoch, Nonce, Sequence, Version } from "../base/ids.ts";
import { refusalText } from "../base/refusal.ts";
import { Trie } from "../base/trie.ts";
import { parametersFault } from "./epoch.ts";
import { textTooLong } from "./field-rules.ts";
import { DECIMALS_MAX, LIST_LIMIT, NAME_BYTES, ROLE_CAPS, SYMBOL_BYTES } from "./limits.ts";
import { listedKey } from "./lists.ts";
import { multisigAddress, signersFault, sortSigners } from "./multisig.ts";
import { type Account, balanceKey, type LedgerState } from "./state.ts";
import { grantRole, noRoles, type Token } from "./token.ts";

/** Returns the state that a genesis describes. O(balances). @throws RangeError as `stateWithoutBalances` does */
export function genesisState(genesis: Genesis): LedgerState {
  return { ...stateWithoutBalances(genesis), balances: openingBalances(genesis) };
}

/**
 * Returns that state without its balances, which are checked, too, and which the tokens count as minted. O(1) in filler
 * accounts.
 * @throws RangeError for a state that no sequence of operations could follow: duplicates, a broken cap, decimals past
 * 18, a list of the wrong kind, a list limit or a checkpoint policy out of range, a count of filler accounts out of
 * range, an unknown token, a supply past 2^256 - 1, a cancellation no more expensive than a payment.
 */
export function stateWithoutBalances(genesis: Genesis): LedgerState {
  if (!Number.isSafeInteger(genesis.chainId) || genesis.chainId < 1) fail(`chain id ${genesis.chainId}`);
  const { listLimit } = genesis;
  if (!Number.isSafeInteger(listLimit) || listLimit < 1 || listLimit > LIST_LIMIT) fail(`list limit ${listLimit}`);
  requireDistinct(
    "token",
    genesis.tokens.map((entry) => entry.token),
  );
  requireDistinct(
    "balance",
    genesis.balances.map((entry) => balanceKey(entry.address, entry.token)),
  );
  checkFillers(genesis);
  const fault = parametersFault(genesis);
  if (fault !== undefined) throw new RangeError(fault);
  const { validators, fees, checkpoints, epochLength } = genesis;
  const minted = mintedByToken(genesis);
  return {
    chainId: genesis.chainId,
    operator: genesis.operator,
    listLimit: genesis.listLimit,
    policies: genesis.policies,
    epoch: 0 as Epoch,
    opened: 0 as CheckpointNumber,
    parameters: { validators, fees, checkpoints, epochLength },
    accounts: Trie.of(multisigAccounts(genesis)),
    balances: Trie.empty(),
    tokens: Trie.of(
      genesis.tokens.map((entry) => [entry.token, createToken(entry, (minted.get(entry.token) ?? ZERO) as Amount)]),
    ),
    listed: Trie.of(genesis.tokens.flatMap(listEntries)),
    bridged: Trie.empty(),
    pools: Trie.empty(),
    burned: Trie.empty(),
    authorised: Trie.empty(),
    authorisedKeys: Trie.empty(),
  };
}

function multisigAccounts({ multisigs = [] }: Genesis): readonly (readonly [Address, Account])[] {
  const accounts = multisigs.map(({ signers, threshold }) => {
    const fault = signersFault(signers, threshold);
    if (fault !== undefined) fail(`multisig account: ${refusalText(fault)}`);
    const multisig = { signers: sortSigners(signers), threshold };
    return [multisigAddress(multisig), { nonce: 0 as Nonce, sequence: 0 as Sequence, multisig }] as const;
  });
  requireDistinct(
    "multisig account",
    accounts.map(([address]) => address),
  );
  return accounts;
}

function mintedByToken(genesis: Genesis): ReadonlyMap<Address, bigint> {
  const tokens = new Set(genesis.tokens.map((entry) => entry.token));
  const ofFillers = genesis.fillers?.balances.map((entry) => ({ ...entry, address: "each filler account" })) ?? [];
  for (const { token, address, amount } of [...genesis.balances, ...ofFillers]) {
    if (!tokens.has(token)) fail(`balance of ${address} in ${token}, which is not a token`);
    if (amount < 0n || amount > AMOUNT_MAX) fail(`balance of ${address} in ${token} is ${amount}`);
  }
  const sums = openingSums(genesis);
  for (const [token, sum] of sums) if (sum > AMOUNT_MAX) fail(`supply of ${token} passes 2^256 - 1`);
  return sums;
}

function checkFillers(genesis: Genesis): void {
  const { count, balances } = genesis.fillers ?? { count: 1, balances: [] };
  if (!Number.isSafeInteger(count) || count < 1 || count > FILLERS_MAX)
    fail(`${count} filler accounts, expected 1 to ${FILLERS_MAX}`);
  requireDistinct(
    "balance of filler accounts in",
    balances.map(({ token }) => token),
  );
  const duplicate = genesis.balances.find(({ token, address }) => fillerAmount(genesis, token, address) > 0n);
  if (duplicate !== undefined)
    fail(`balance of ${duplicate.address} in ${duplicate.token} is listed, and it is a filler account`);
}

function createToken(entry: GenesisToken, minted: Amount): Token {
  const { token: address, symbol, name, decimals, isPrivate } = entry;
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > DECIMALS_MAX)
    fail(`${address} has ${decimals} decimals`);
  const fault = textTooLong("symbol", symbol, SYMBOL_BYTES) ?? textTooLong("name", name, NAME_BYTES);
  if (fault !== undefined || symbol === "") fail(`${address} has an invalid symbol or name`);
  if (isPrivate ? entry.blacklist.length > 0 : entry.whitelist.length > 0)
    fail(`${address} has a list of the wrong kind`);
  const policy: Token = {
    version: 0 as Version,
    symbol,
    name,
    uri: "",
    additional: [],
    decimals,
    masterAuthority: entry.masterAuthority,
    isPrivate,
    isPaused: entry.isPaused,
    clawbackEnabled: entry.clawbackEnabled,
    minted,
    roles: noRoles(),
  };
  return withRoles(policy, entry);
}

function withRoles(policy: Token, entry: GenesisToken): Token {
  requireDistinct(
    "role holder",
    entry.roles.map(({ role, address }) => `${role} ${address}`),
  );
  let token = policy;
  for (const { role, address, allowance } of entry.roles) {
    if (allowance < 0n || allowance > AMOUNT_MAX) fail(`allowance of ${address} in ${entry.token} is ${allowance}`);
    token = grantRole(token, address, role, allowance);
    if (token.roles[role].size > ROLE_CAPS[role])
      fail(`${entry.token} has more than ${ROLE_CAPS[role]} in role ${role}`);
  }
  return token;
}

function listEntries({ token, blacklist, whitelist }: GenesisToken): readonly (readonly [string, true])[] {
  requireDistinct("blacklisted address", blacklist);
  requireDistinct("whitelisted address", whitelist);
  return [...blacklist, ...whitelist].map((address) => [listedKey(token, address), true] as const);
}

function requireDistinct(subject: string, names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) fail(`${subject} ${name} appears twice`);
    seen.add(name);
  }
}

function fail(subject: string): never {
  throw new RangeError(`genesis: ${subject}`);
}
