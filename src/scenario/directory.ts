/** Keys and addresses of names. A key is derived from its name alone, so it is equal in every run. */
import { text } from "../core/base/encoding.ts";
import { type Address, toAddress } from "../core/base/ids.ts";
import type { SignerSet } from "../core/base/operation.ts";
import { taggedHash } from "../core/crypto/hash.ts";
import type { PrivateKey, Scheme } from "../core/crypto/scheme.ts";
import { multisigAddress, sortSigners } from "../core/ledger/multisig.ts";
import { issuedTokenAddress } from "../core/ledger/token.ts";
import { declarationsOf, twinServices, validatorNames } from "./declarations.ts";
import { type Declarations, isAddress, nodeOf } from "./names.ts";
import type { Scenario } from "./scenario.ts";

export type NamedToken = Readonly<{ address: Address; decimals: number }>;

/** Keys, addresses and names of one scenario. */
export interface Directory {
  readonly scheme: Scheme;
  readonly declared: Declarations;
  /** The committee of epoch 0, in order. */
  readonly validators: readonly string[];
  /** All validators, spares included, without twins. Each has an account of its name for its fee share. */
  readonly nodes: readonly string[];
  /** The names of a node's keys, the first key first; twins share them. */
  keysOf(node: string): readonly string[];
  validatorKey(key: string): PrivateKey;
  /** The address of a key, or of a node's first key; twins share it. */
  validator(key: string): Address;
  accountKey(name: string): PrivateKey;
  /** The signer set of a multisig account; `undefined` for other accounts. */
  multisig(name: string): SignerSet | undefined;
  /** The address of an account, or the address itself. */
  account(name: string): Address;
  /** All named accounts. */
  readonly accounts: readonly string[];
  /** The token; for an undeclared address a token without decimals. */
  token(name: string): NamedToken;
  readonly tokens: ReadonlyMap<string, NamedToken>;
  /** The name of an address, or its first digits if it has none. */
  nameOf(address: Address): string;
}

/** The private key of a name. It is public knowledge, so it is for simulations only. */
export function keyOf(kind: "validator" | "account", name: string): PrivateKey {
  return taggedHash("quorumlab key", text(kind), text(name)) as string as PrivateKey;
}

/** The directory of a scenario under a signature scheme. `given`: keys of accounts that are not derived from names. */
export function directoryOf(
  scenario: Scenario,
  scheme: Scheme,
  given: Readonly<Record<string, PrivateKey>> = {},
): Directory {
  const declared = declarationsOf(scenario);
  const nodes = [...declared.validators];
  const accounts = [...declared.accounts].filter((name) => !isAddress(name));
  const services = twinServices(scenario);
  const ownerOf = (name: string): string => (services.has(name) ? name.slice(0, -1) : name);
  const addressOf = memoize((key: PrivateKey) => scheme.addressOf(key));
  const accountKey = memoize((name: string) => {
    const owner = ownerOf(name);
    return Object.hasOwn(given, owner) ? (given[owner] as PrivateKey) : keyOf("account", owner);
  });
  const validatorKey = (key: string): PrivateKey => keyOf("validator", key.replace(/'$/, ""));
  const validator = (key: string): Address => addressOf(validatorKey(key));
  const keys = [...declared.keys].sort();
  const keysOf = (node: string): readonly string[] => keys.filter((key) => nodeOf(key) === nodeOf(node));
  const multisig = memoize((name: string): SignerSet | undefined => {
    const set = declared.multisigs.get(ownerOf(name));
    if (set === undefined) return undefined;
    const signers = [...set.weights].map(([one, weight]) => ({ key: scheme.publicKeyOf(accountKey(one)), weight }));
    return { signers: sortSigners(signers), threshold: set.threshold };
  });
  const account = memoize((name: string): Address => {
    if (isAddress(name)) return toAddress(name);
    const set = multisig(name);
    return set === undefined ? addressOf(accountKey(name)) : multisigAddress(set);
  });
  const tokens = new Map(
    [...declared.tokens].map(
      ([name, { decimals, master }]) =>
        [name, { address: issuedTokenAddress(account(master), name), decimals }] as const,
    ),
  );
  const names = new Map<Address, string>([
    ...[...tokens].map(([name, { address }]) => [address, name] as const),
    ...accounts.map((name) => [account(name), ownerOf(name)] as const),
    ...nodes.map((name) => [account(name), name] as const),
    ...keys.map((key) => [validator(key), key] as const),
  ]);
  return {
    scheme,
    declared,
    validators: validatorNames(scenario),
    nodes,
    keysOf,
    validatorKey,
    validator,
    accountKey,
    multisig,
    account,
    accounts,
    token: (name) => tokens.get(name) ?? { address: toAddress(name), decimals: 0 },
    tokens,
    nameOf: (address) => names.get(address) ?? `${address.slice(0, 10)}…`,
  };
}

function memoize<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const found = known.get(key) ?? compute(key);
    known.set(key, found);
    return found;
  };
}
