/** Setup of a served network, the head of its recording, and what is told of it at the start. */
import { realScheme } from "../../backends/secp256k1.ts";
import { requireDefined } from "../../core/base/assert.ts";
import { type Address, toAddress } from "../../core/base/ids.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { quorumOf } from "../../core/consensus/committee.ts";
import type { PrivateKey, Scheme } from "../../core/crypto/scheme.ts";
import { issuedTokenAddress } from "../../core/ledger/token.ts";
import type { Setup } from "../../live/recording.ts";
import { alignColumns } from "../../report/columns.ts";
import { validatorNames } from "../../scenario/declarations.ts";
import { type Directory, directoryOf, keyOf } from "../../scenario/directory.ts";
import { isAddress } from "../../scenario/names.ts";
import { CHAIN_ID_DEFAULT } from "../../scenario/parameters.ts";
import type { GenesisSpec, Scenario, TokenSpec } from "../../scenario/scenario.ts";
import { checkpointsIn, type FeeRowSpec } from "../../scenario/schema/epoch.ts";
import type { Decimal } from "../../scenario/schema/scalars.ts";
import { listFirst } from "../../schema/problem.ts";
import { SERVED_LISTED, SERVED_SLOTS, VALIDATORS_PRINTED } from "../limits.ts";
import { NAMES, OPERATOR, type ReadyAccount, readyAccounts, TEST_MNEMONIC } from "./accounts.ts";
import { type ServeOptions, TEST_NETWORK_CHAIN_ID } from "./options.ts";

/**
 * `startedAt`: Unix milliseconds of virtual time 0. Signatures are real ones, since real clients make them. The fixed
 * names have the mnemonic's keys even if fewer accounts are ready: the operator and the issuer act in every network,
 * and a file's `alice` equals the ready account `alice`. The keys of a file's masters are held too: they mint for the faucet.
 */
export function setupOf(options: ServeOptions, startedAt: number): Setup {
  const { mnemonic, accounts: count, seed, operatorKey } = options;
  const named = readyAccounts(mnemonic, Math.max(count, NAMES.length));
  const names = named.slice(0, count).map(({ name }) => name);
  const masters = Object.values(options.base.genesis?.tokens ?? {}).map(({ master }) => master);
  const derived = masters.filter((master) => !isAddress(master)).map((name) => ({ name, key: keyOf("account", name) }));
  const keys: Record<string, PrivateKey> = Object.fromEntries(
    [...derived, ...named].map(({ name, key }) => [name, (name === OPERATOR ? operatorKey : undefined) ?? key]),
  );
  return { scenario: scenarioOf(options, names), seed, crypto: "real", keys, accounts: names, startedAt };
}

/** `names`: of the ready accounts. */
export function scenarioOf(options: ServeOptions, names: readonly string[]): Scenario {
  const { base, validators, delay } = options;
  return {
    ...base,
    network: { ...base.network, validators, delay_ms: delay },
    genesis: genesisPart(options, names),
  };
}

function genesisPart(options: ServeOptions, names: readonly string[]): GenesisSpec {
  const { checkpoints: _policy, epochs: _length, policies: _given, ...rest } = options.base.genesis ?? {};
  const checkpoints = checkpointsIn(options.base.genesis);
  const { checkpointInterval: interval_ms, emptyCheckpoints: empty, epochCheckpoints: length } = options;
  // Where checkpoints count for the end of an epoch, their number follows from the time.
  const soon = length === 0 ? { slots: SERVED_SLOTS, period_s: 0 } : {};
  return {
    ...rest,
    chain_id: options.chainId,
    tokens: tokensPart(options, names),
    ...balancesPart(options, names),
    // A row for every token, since one amount need not fit the units of all; no token uses the default row.
    fees: { ...options.issuedFees, unnamed: options.issuedFees, tokens: options.fees },
    ...(Object.keys(options.policies).length === 0 ? {} : { policies: options.policies }),
    ...(interval_ms === 0
      ? {}
      : { checkpoints: { limit: SERVED_LISTED, ...soon, ...checkpoints, interval_ms, empty } }),
    ...(length === 0 ? {} : { epochs: { checkpoints: length } }),
  };
}

/** Whitelists the ready accounts of a private token, which they could not use otherwise. */
function tokensPart({ base, tokens }: ServeOptions, names: readonly string[]): Readonly<Record<string, TokenSpec>> {
  const ready = tokens.map(
    ({ symbol, part }) => [symbol, part.private ? { ...part, whitelist: names } : part] as const,
  );
  return { ...base.genesis?.tokens, ...Object.fromEntries(ready) };
}

/** Balances given by the file stay unchanged. */
function balancesPart(options: ServeOptions, names: readonly string[]): Pick<GenesisSpec, "balances"> {
  const fileBalances = options.base.genesis?.balances ?? {};
  const ready = names.map((name) => [name, { ...options.balances, ...fileBalances[name] }] as const);
  const all: readonly (readonly [string, Readonly<Record<string, Decimal>>])[] = [
    ...Object.entries(fileBalances),
    ...ready,
  ];
  const balances = Object.fromEntries(all.filter(([, tokens]) => Object.keys(tokens).length > 0));
  return Object.keys(balances).length === 0 ? {} : { balances };
}

/** Keys of a served network, which the server signs with or shows. */
export type NetworkKeys = ReturnType<typeof keysOf>;

/** Returns a function that derives the keys of a network when it is called first. */
export function networkKeysOf(network: { readonly setup: Setup }, scheme: Scheme): () => NetworkKeys {
  let known: NetworkKeys | undefined;
  return () => {
    known ??= keysOf(directoryOf(network.setup.scenario, scheme, network.setup.keys));
    return known;
  };
}

function keysOf(directory: Directory) {
  const names = directory.nodes.flatMap((node) => directory.keysOf(node));
  const validatorsByAddress = new Map(
    names.map((name) => [directory.validator(name), { name, key: directory.validatorKey(name) }]),
  );
  return {
    /** The name of a validator's key, and the private key, by its address in any epoch. */
    validator: (address: Address) => requireDefined(validatorsByAddress.get(address), `key of validator ${address}`),
    /** The private key of the account that issues tokens and proposes epochs. */
    operator: directory.accountKey(OPERATOR),
  };
}

/** The tokens of the genesis in its order. */
export function readyTokens(setup: Setup) {
  const { tokens = {}, fees } = setup.scenario.genesis ?? {};
  return Object.entries(tokens).map(([symbol, part]) => {
    const master = addressIn(setup, part.master);
    return {
      symbol,
      name: part.name ?? symbol,
      address: issuedTokenAddress(master, symbol),
      decimals: part.decimals,
      master,
      isPrivate: part.private ?? false,
      isPaused: part.state === "paused",
      /** In its units. */
      fees: (fees?.tokens?.[symbol] ?? fees) as FeeRowSpec | undefined,
    };
  });
}

export type GenesisTokenInfo = ReturnType<typeof readyTokens>[number];

/** Returns the address of a name in a setup, or the address itself. */
function addressIn({ keys }: Setup, name: string): Address {
  if (isAddress(name)) return toAddress(name);
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  return realScheme().addressOf(key ?? keyOf("account", name));
}

/** Returns `each`, or the named validator or spare, v1 by default. The error lists the known ones. */
export function entryValidatorsOf(
  { scenario }: Setup,
  ports: "one" | "each" | undefined,
  validator = "v1",
): Result<string, string> {
  if (ports === "each") return ok("each");
  const nodeNames = [...validatorNames(scenario), ...(scenario.network?.spares ?? [])];
  return nodeNames.includes(validator)
    ? ok(validator)
    : err(`expected one of ${nodeNames.join(", ")}, got "${validator}"`);
}

/** Returns sections with headings and empty lines between them; the warning is last, where it is seen. */
export function startupText(setup: Setup, accounts: readonly ReadyAccount[], urls: Urls, crypto: string): string {
  const tokens = readyTokens(setup);
  const sections: readonly (readonly [heading: string, lines: readonly string[]])[] = [
    ["Accounts", accountLines(setup, accounts)],
    ["Tokens", tokenLines(tokens)],
    ["Fees", feeLines(tokens)],
    ["Network", networkLines(setup, crypto)],
    ["Endpoints", endpointLines(urls)],
    ["Warning", warningLines(setup, accounts)],
  ];
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => `${heading}\n${lines.map((line) => `  ${line}\n`).join("")}`)
    .join("\n");
}

function accountLines(setup: Setup, accounts: readonly ReadyAccount[]): readonly string[] {
  const balances = setup.scenario.genesis?.balances ?? {};
  const rows = accounts.map(({ name, address, key }) => {
    const tokens = Object.entries(balances[name] ?? {}).map(([symbol, amount]) => `${amount} ${symbol}`);
    return [name, address, key, tokens.join(", ")];
  });
  return rows.length === 0 ? [] : alignColumns([["name", "address", "private key", "balance"], ...rows]);
}

function tokenLines(tokens: readonly GenesisTokenInfo[]): readonly string[] {
  if (tokens.length === 0) return [];
  const rows = tokens.map(({ symbol, address, decimals, isPrivate, isPaused, name }) => [
    symbol,
    address,
    String(decimals),
    `${isPrivate ? "private" : "public"}, ${isPaused ? "paused" : "open"}`,
    name,
  ]);
  return alignColumns([["symbol", "address", "decimals", "state", "name"], ...rows]);
}

function feeLines(tokens: readonly GenesisTokenInfo[]): readonly string[] {
  return tokens.flatMap(({ symbol, fees }) => {
    if (fees === undefined) return [];
    const { payment, cancellation, recovery } = fees;
    return [`a payment costs ${payment} ${symbol}, a cancellation ${cancellation}, a recovery ${recovery}`];
  });
}

function networkLines({ scenario, seed }: Setup, crypto: string): readonly string[] {
  const names = validatorNames(scenario);
  const { chain_id = CHAIN_ID_DEFAULT, policies, epochs } = scenario.genesis ?? {};
  const checkpoints = checkpointsIn(scenario.genesis);
  const { length } = names;
  const idle = checkpoints?.empty === true ? "without traffic too" : "where there is something to list";
  const slots = checkpoints?.slots === undefined ? "" : `, or once ${checkpoints.slots} slots wait`;
  const interval =
    checkpoints === undefined ? "none" : `${checkpoints.interval_ms} ms after the one before, ${idle}${slots}`;
  return alignColumns([
    ["validators", `${length}: ${listFirst(names, VALIDATORS_PRINTED)}; signatures of ${quorumOf(length)} make final`],
    ["chain id", String(chain_id)],
    ["link delay", `${scenario.network?.delay_ms ?? "usual"} ms`],
    ["checkpoints", interval],
    ["epochs", epochs === undefined ? "closed by governance only" : `closed after ${epochs.checkpoints} checkpoints`],
    ["issued tokens", policies?.issued_tokens === "open" ? "open at once" : "paused until unpaused"],
    ["signatures", CRYPTO_TEXTS[crypto] ?? crypto],
    ["seed", seed],
    ...((scenario.steps ?? []).length > 0
      ? [["scenario", `${scenario.name}: its steps are executed at their virtual times`]]
      : []),
  ]);
}

/** Texts of the implementations of signatures, by `Scheme.backend`. */
const CRYPTO_TEXTS: Readonly<Record<string, string>> = {
  native: "secp256k1, native code",
  wasm: "secp256k1, WebAssembly: about 4 times slower than native code",
  noble: "secp256k1, plain JavaScript: about 25 times slower than native code",
  "stand-in": "a keyed hash in their place: not for real clients",
};

function endpointLines({ url, adminUrl, furtherUrls = [] }: Urls): readonly string[] {
  return alignColumns([["HTTP", url], ...furtherUrls, ...(adminUrl === undefined ? [] : [["admin", adminUrl]])]);
}

/** Each warning applies to the default options, and not to all. */
function warningLines({ scenario }: Setup, accounts: readonly ReadyAccount[]): readonly string[] {
  const chainId = scenario.genesis?.chain_id ?? CHAIN_ID_DEFAULT;
  const [known] = readyAccounts(TEST_MNEMONIC, 1);
  return [
    ...(accounts.some(({ key }) => key === known?.key)
      ? ["The mnemonic of these accounts is public, and so are their private keys."]
      : ["The private keys of these accounts are printed above."]),
    ...(chainId === TEST_NETWORK_CHAIN_ID
      ? [`Chain id ${chainId} is also the public test network's: signatures made here are valid there.`]
      : []),
    "Never use real keys or real funds here.",
  ];
}

/** URLs of a served network. */
export interface Urls {
  /** HTTP interface of the first validator, without a trailing slash. */
  readonly url: string;
  readonly adminUrl: string | undefined;
  /** Further URLs with their names: the websocket, the documentation, other validators. */
  readonly furtherUrls?: readonly (readonly [label: string, url: string])[];
}

/** Returns one JSON object on one line, without a line break. */
export function readyLine(setup: Setup, accounts: readonly ReadyAccount[], urls: Urls, crypto: string): string {
  return JSON.stringify({
    type: "ready",
    url: urls.url,
    admin_url: urls.adminUrl ?? null,
    chain_id: setup.scenario.genesis?.chain_id ?? CHAIN_ID_DEFAULT,
    accounts: accounts.map(({ name, address, key }) => ({ name, address, key })),
    tokens: readyTokens(setup).map(({ symbol, name, address, decimals, master, isPrivate, isPaused }) => ({
      symbol,
      name,
      address,
      decimals,
      master_authority: master,
      is_private: isPrivate,
      is_paused: isPaused,
    })),
    validators: validatorNames(setup.scenario),
    seed: setup.seed,
    crypto,
  });
}
