/** Scenario built from the options of a served network. */

import type { Decimal } from "../../scenario/scalar-types.ts";
import type { FeesSpec, GenesisSpec, Scenario, TokenSpec } from "../../scenario/scenario.ts";
import { FAUCET } from "../accounts/ready-accounts.ts";
import type { ReadyToken, ServeOptions } from "./options.ts";

/** Faucet's mint allowance of each token, in its units: with 18 decimals still far below 2^256 - 1. */
const FAUCET_ALLOWANCE: Decimal = `1${"0".repeat(30)}`;

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
  const { checkpoints, open_tokens: _given, ...rest } = options.base.genesis ?? {};
  const interval_ms = options.checkpointInterval;
  return {
    ...rest,
    chain_id: options.chainId,
    tokens: tokensPart(options, names),
    ...balancesPart(options, names),
    fees: feesPart(options),
    ...(options.openTokens ? { open_tokens: true } : {}),
    ...(interval_ms === 0 ? {} : { checkpoints: { ...checkpoints, interval_ms } }),
  };
}

function tokensPart(options: ServeOptions, names: readonly string[]): Readonly<Record<string, TokenSpec>> {
  const ready = options.tokens.map((token) => [token.symbol, readyPart(token, names)] as const);
  const all = [...Object.entries(options.base.genesis?.tokens ?? {}), ...ready];
  return Object.fromEntries(all.map(([symbol, part]) => [symbol, options.faucet ? withFaucet(part) : part] as const));
}

/** Whitelists the ready accounts of a private token, which they could not use otherwise. */
function readyPart({ part }: ReadyToken, names: readonly string[]): TokenSpec {
  return part.private === true ? { ...part, whitelist: names } : part;
}

function withFaucet(part: TokenSpec): TokenSpec {
  const minters = part.roles?.MintBurnTokens ?? [];
  if (minters.includes(FAUCET)) return part;
  return {
    ...part,
    roles: { ...part.roles, MintBurnTokens: [...minters, FAUCET] },
    allowances: { ...part.allowances, [FAUCET]: FAUCET_ALLOWANCE },
  };
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
