/** The genesis that a scenario describes. */
import { type Amount, ZERO } from "../core/base/amount.ts";
import type { CheckpointPolicy } from "../core/base/checkpoint.ts";
import type { FeeEntry, FeeSchedule, Genesis, GenesisToken } from "../core/base/genesis.ts";
import type { Address } from "../core/base/ids.ts";
import { ROLES, type Role } from "../core/base/operation.ts";
import { LIST_LIMIT } from "../core/ledger/limits.ts";
import { toDecimalAmount } from "./decimal.ts";
import type { Directory } from "./directory.ts";
import type { CheckpointsPart, FeeRow, FeesPart, Scenario, TokenPart } from "./scenario.ts";
import { OPERATOR } from "./submit-parts.ts";

export const CHAIN_ID_DEFAULT = 1_212_101;
/** Where a file says no more than that checkpoints are formed. */
export const CHECKPOINTS_DEFAULT: CheckpointPolicy = {
  intervalMs: 1_000,
  slots: 500,
  limit: 500,
  periodSeconds: 1,
  empty: false,
};
/** Where a file names no fees: one, two and two of the smallest unit. */
const FEES_DEFAULT: FeeEntry = { payment: 1n as Amount, cancellation: 2n as Amount, recovery: 2n as Amount };

/** Names and decimals resolved; whatever no ledger could start from is found by `genesisState`. */
export function genesisOf(scenario: Scenario, directory: Directory): Genesis {
  const part = scenario.genesis;
  const balances = Object.entries(part?.balances ?? {}).flatMap(([account, tokens]) =>
    Object.entries(tokens).map(([name, text]) => {
      const { address: token, decimals } = directory.token(name);
      return { address: directory.account(account), token, amount: toDecimalAmount(text, decimals) };
    }),
  );
  return {
    chainId: part?.chain_id ?? CHAIN_ID_DEFAULT,
    operator: directory.account(OPERATOR),
    validators: directory.validators.map((name) => directory.validator(name)),
    fees: feesOf(part?.fees, directory),
    listLimit: part?.list_limit ?? LIST_LIMIT,
    checkpoints: policyOf(part?.checkpoints),
    tokens: Object.entries(part?.tokens ?? {}).map(([symbol, token]) => tokenOf(symbol, token, directory)),
    balances,
  };
}

function policyOf(part: CheckpointsPart | undefined): CheckpointPolicy | undefined {
  if (part === undefined) return undefined;
  return {
    intervalMs: part.interval_ms ?? CHECKPOINTS_DEFAULT.intervalMs,
    slots: part.slots ?? CHECKPOINTS_DEFAULT.slots,
    limit: part.limit ?? CHECKPOINTS_DEFAULT.limit,
    periodSeconds: part.period_s ?? CHECKPOINTS_DEFAULT.periodSeconds,
    empty: part.empty ?? CHECKPOINTS_DEFAULT.empty,
  };
}

function feesOf(part: FeesPart | undefined, directory: Directory): FeeSchedule {
  if (part === undefined) return { default: FEES_DEFAULT, tokens: new Map() };
  const tokens = new Map<Address, FeeEntry>();
  for (const [name, { address, decimals }] of directory.tokens)
    tokens.set(address, rowOf(part.tokens?.[name] ?? part, decimals));
  return { default: FEES_DEFAULT, tokens };
}

function rowOf(row: FeeRow, decimals: number): FeeEntry {
  return {
    payment: toDecimalAmount(row.payment, decimals),
    cancellation: toDecimalAmount(row.cancellation, decimals),
    recovery: toDecimalAmount(row.recovery, decimals),
  };
}

function tokenOf(symbol: string, part: TokenPart, directory: Directory): GenesisToken {
  const { address, decimals } = directory.token(symbol);
  const allowanceOf = (role: Role, holder: string): Amount => {
    const text = role === "MintBurnTokens" ? part.allowances?.[holder] : undefined;
    return text === undefined ? ZERO : toDecimalAmount(text, decimals);
  };
  return {
    token: address,
    symbol,
    name: part.name ?? symbol,
    decimals,
    masterAuthority: directory.account(part.master),
    isPrivate: part.private ?? false,
    isPaused: part.state === "paused",
    roles: ROLES.flatMap((role) =>
      (part.roles?.[role] ?? []).map((holder) => ({
        role,
        address: directory.account(holder),
        allowance: allowanceOf(role, holder),
      })),
    ),
    blacklist: (part.blacklist ?? []).map((name) => directory.account(name)),
    whitelist: (part.whitelist ?? []).map((name) => directory.account(name)),
  };
}
