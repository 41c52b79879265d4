/** Genesis and epoch parameters of a scenario: those of epoch 0, and each proposal's changes to the previous ones. */
import { type Amount, ZERO } from "../core/base/amount.ts";
import { requireDefined } from "../core/base/assert.ts";
import type {
  CheckpointPolicy,
  EpochParameters,
  FeeEntry,
  FeeSchedule,
  Fillers,
  Genesis,
  GenesisToken,
} from "../core/base/epoch.ts";
import type { Address } from "../core/base/ids.ts";
import { ROLES, type Role } from "../core/base/operation.ts";
import { LIST_LIMIT } from "../core/ledger/limits.ts";
import { toDecimalAmount } from "./decimal.ts";
import { validatorNames } from "./declarations.ts";
import type { Directory } from "./directory.ts";
import { OPERATOR } from "./members.ts";
import { nodeOf } from "./names.ts";
import type { Scenario, TokenSpec } from "./scenario.ts";
import {
  type CheckpointsSpec,
  checkpointsIn,
  type EpochsSpec,
  type FeeRowSpec,
  type FeesSpec,
  type GovernSpec,
} from "./schema/epoch.ts";
import { policiesOf } from "./schema/policies.ts";
import type { Decimal, KeyName, Name } from "./schema/scalars.ts";

/** Checkpoint policy of `checkpoints: {}`. */
export const CHECKPOINTS_DEFAULT: CheckpointPolicy = {
  intervalMs: 1_000,
  slots: 500,
  limit: 500,
  periodSeconds: 1,
  empty: false,
};
/** Default fees: 1, 2 and 2 of the smallest unit. */
const FEES_DEFAULT: FeeEntry = { payment: 1n as Amount, cancellation: 2n as Amount, recovery: 2n as Amount };

/** Parameters of an epoch, with names as in the file. */
export interface ParametersSpec {
  readonly validators: readonly KeyName[];
  readonly rewards: Readonly<Record<KeyName, Name>>;
  readonly fees: FeesSpec | undefined;
  readonly checkpoints: CheckpointsSpec | undefined;
  readonly epochs: EpochsSpec | undefined;
}

/** The parameters of epoch 0. */
export function firstParameters(scenario: Scenario): ParametersSpec {
  const { genesis } = scenario;
  return {
    validators: validatorNames(scenario),
    rewards: genesis?.rewards ?? {},
    fees: genesis?.fees,
    checkpoints: checkpointsIn(genesis),
    epochs: genesis?.epochs,
  };
}

/** The parameters with the changes of a proposal. A proposal may change single rewards. */
export function applyProposal(
  part: ParametersSpec,
  { validators, rewards, fees, checkpoints, epochs }: GovernSpec,
): ParametersSpec {
  return {
    validators: validators ?? part.validators,
    rewards: { ...part.rewards, ...rewards },
    fees: fees ?? part.fees,
    checkpoints: checkpoints === "none" ? undefined : (checkpoints ?? part.checkpoints),
    epochs: epochs === "none" ? undefined : (epochs ?? part.epochs),
  };
}

/** The parameters with names and decimals resolved. They may be invalid: the ledger checks them. */
export function parametersOf(part: ParametersSpec, directory: Directory): EpochParameters {
  return {
    validators: part.validators.map((name) => ({
      key: directory.validator(name),
      reward: directory.account(part.rewards[name] ?? nodeOf(name)),
    })),
    fees: feesOf(part.fees, directory),
    checkpoints: policyOf(part.checkpoints),
    epochLength: part.epochs?.checkpoints,
  };
}

function policyOf(part: CheckpointsSpec | undefined): CheckpointPolicy | undefined {
  if (part === undefined) return undefined;
  return {
    intervalMs: part.interval_ms ?? CHECKPOINTS_DEFAULT.intervalMs,
    slots: part.slots ?? CHECKPOINTS_DEFAULT.slots,
    limit: part.limit ?? CHECKPOINTS_DEFAULT.limit,
    periodSeconds: part.period_s ?? CHECKPOINTS_DEFAULT.periodSeconds,
    empty: part.empty ?? CHECKPOINTS_DEFAULT.empty,
  };
}

function feesOf(part: FeesSpec | undefined, directory: Directory): FeeSchedule {
  if (part === undefined) return { default: FEES_DEFAULT, tokens: new Map() };
  const tokens = new Map<Address, FeeEntry>();
  for (const [name, { address, decimals }] of directory.tokens)
    tokens.set(address, rowOf(part.tokens?.[name] ?? part, decimals));
  return { default: part.unnamed === undefined ? FEES_DEFAULT : rowOf(part.unnamed, 0), tokens };
}

function rowOf(row: FeeRowSpec, decimals: number): FeeEntry {
  return {
    payment: toDecimalAmount(row.payment, decimals),
    cancellation: toDecimalAmount(row.cancellation, decimals),
    recovery: toDecimalAmount(row.recovery, decimals),
  };
}

export const CHAIN_ID_DEFAULT = 1_212_101;
/** The genesis with names and decimals resolved. It may be invalid: `genesisState` checks it. */
export function genesisOf(scenario: Scenario, directory: Directory): Genesis {
  const part = scenario.genesis;
  const amountsOf = (row: Readonly<Record<Name, Decimal>>): Fillers["balances"] =>
    Object.entries(row).map(([name, text]) => {
      const { address: token, decimals } = directory.token(name);
      return { token, amount: toDecimalAmount(text, decimals) };
    });
  const balances = Object.entries(part?.balances ?? {}).flatMap(([account, row]) =>
    amountsOf(row).map((amount) => ({ address: directory.account(account), ...amount })),
  );
  const filler = part?.filler_accounts;
  return {
    chainId: part?.chain_id ?? CHAIN_ID_DEFAULT,
    operator: directory.account(OPERATOR),
    ...parametersOf(firstParameters(scenario), directory),
    listLimit: part?.list_limit ?? LIST_LIMIT,
    policies: policiesOf(part?.policies),
    ...multisigsIn(scenario, directory),
    tokens: Object.entries(part?.tokens ?? {}).map(([symbol, token]) => tokenOf(symbol, token, directory)),
    balances,
    ...(filler === undefined ? {} : { fillers: { count: filler.count, balances: amountsOf(filler.balances) } }),
  };
}

/** Absent without multisig accounts, as in a genesis before there were any. */
function multisigsIn({ genesis }: Scenario, directory: Directory): Pick<Genesis, "multisigs"> {
  const multisigs = Object.entries(genesis?.multisig ?? {}).flatMap(([name, { created = true }]) =>
    created ? [requireDefined(directory.multisig(name), name)] : [],
  );
  return multisigs.length === 0 ? {} : { multisigs };
}

function tokenOf(symbol: string, part: TokenSpec, directory: Directory): GenesisToken {
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
    clawbackEnabled: part.clawback ?? true,
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
