/** Setup of a served network, the head of its recording: built from options, with its ready tokens and entry validators. */
import { realScheme } from "../../backends/secp256k1.ts";
import { type Address, toAddress } from "../../core/base/ids.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import type { PrivateKey } from "../../core/crypto/scheme.ts";
import { issuedTokenAddress } from "../../core/ledger/token.ts";
import type { Setup } from "../../live/recording.ts";
import { validatorNames } from "../../scenario/declared.ts";
import { keyOf } from "../../scenario/directory.ts";
import { isAddress } from "../../scenario/names.ts";
import type { GenesisSpec, Scenario, TokenSpec } from "../../scenario/scenario.ts";
import { checkpointsIn, type FeeRowSpec, type FeesSpec } from "../../scenario/schema/epoch.ts";
import type { Decimal } from "../../scenario/schema/scalars.ts";
import { NAMES, readyAccounts } from "./accounts.ts";
import type { ReadyToken, ServeOptions } from "./options.ts";

/**
 * `startedAt`: Unix milliseconds of virtual time 0. Signatures are real ones, since real clients make them. The fixed
 * names have the mnemonic's keys even if fewer accounts are ready: the operator and the issuer act in every network,
 * and a file's `alice` equals the ready account `alice`. The keys of a file's masters are held too: they mint for the faucet.
 */
export function setupOf(options: ServeOptions, startedAt: number): Setup {
  const { mnemonic, accounts: count, seed } = options;
  const named = readyAccounts({ mnemonic, count: Math.max(count, NAMES.length) });
  const names = named.slice(0, count).map(({ name }) => name);
  const masters = Object.values(options.base.genesis?.tokens ?? {}).map(({ master }) => master);
  const derived = masters.filter((master) => !isAddress(master)).map((name) => ({ name, key: keyOf("account", name) }));
  const keys: Record<string, PrivateKey> = Object.fromEntries(
    [...derived, ...named].map(({ name, key }) => [name, key]),
  );
  return { scenario: scenarioOf(options, names), seed, crypto: "real", keys, accounts: names, startedAt };
}

/** `names`: of the ready accounts. */
export function scenarioOf(options: ServeOptions, names: readonly string[]): Scenario {
  const { base, validators, delay, spares, twins } = options;
  return {
    ...base,
    network: {
      ...base.network,
      validators,
      delay_ms: delay,
      ...(spares.length === 0 ? {} : { spares }),
      ...(twins.length === 0 ? {} : { twins }),
    },
    genesis: genesisPart(options, names),
  };
}

function genesisPart(options: ServeOptions, names: readonly string[]): GenesisSpec {
  const { checkpoints: _policy, epochs: _length, open_tokens: _given, ...rest } = options.base.genesis ?? {};
  const checkpoints = checkpointsIn(options.base.genesis);
  const { checkpointInterval: interval_ms, emptyCheckpoints: empty, epochCheckpoints: length } = options;
  return {
    ...rest,
    chain_id: options.chainId,
    tokens: tokensPart(options, names),
    ...balancesPart(options, names),
    fees: feesPart(options),
    ...(options.openTokens ? { open_tokens: true } : {}),
    ...(interval_ms === 0 ? {} : { checkpoints: { ...checkpoints, interval_ms, empty } }),
    ...(length === 0 ? {} : { epochs: { checkpoints: length } }),
  };
}

function tokensPart(options: ServeOptions, names: readonly string[]): Readonly<Record<string, TokenSpec>> {
  const ready = options.tokens.map((token) => [token.symbol, readyPart(token, names)] as const);
  return { ...options.base.genesis?.tokens, ...Object.fromEntries(ready) };
}

/** Whitelists the ready accounts of a private token, which they could not use otherwise. */
function readyPart({ part }: ReadyToken, names: readonly string[]): TokenSpec {
  return part.private === true ? { ...part, whitelist: names } : part;
}

/** Balances given by the file stay unchanged. */
function balancesPart(options: ServeOptions, names: readonly string[]): Pick<GenesisSpec, "balances"> {
  const given = options.base.genesis?.balances ?? {};
  const ready = names.map((name) => [name, { ...options.balances, ...given[name] }] as const);
  const all: readonly (readonly [string, Readonly<Record<string, Decimal>>])[] = [...Object.entries(given), ...ready];
  const balances = Object.fromEntries(all.filter(([, tokens]) => Object.keys(tokens).length > 0));
  return Object.keys(balances).length === 0 ? {} : { balances };
}

/** Gives a row to every token, since one amount need not fit the units of all; no token uses the default row. */
function feesPart({ fees, issuedFees }: ServeOptions): FeesSpec {
  return { ...issuedFees, unnamed: issuedFees, tokens: fees };
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
  const given = Object.hasOwn(keys, name) ? keys[name] : undefined;
  return realScheme().addressOf(given ?? keyOf("account", name));
}

/** Returns `each`, or the named validator or spare, v1 by default. The error lists the known ones. */
export function entryValidatorsOf(
  { scenario }: Setup,
  ports: "one" | "each" | undefined,
  validator = "v1",
): Result<string, string> {
  if (ports === "each") return ok("each");
  const known = [...validatorNames(scenario), ...(scenario.network?.spares ?? [])];
  return known.includes(validator) ? ok(validator) : err(`expected one of ${known.join(", ")}, got "${validator}"`);
}
