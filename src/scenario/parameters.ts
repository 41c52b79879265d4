/** What an epoch begins with, from what a file says of it: the genesis, and each proposal's changes to what stood before. */
import type { Amount } from "../core/base/amount.ts";
import type { CheckpointPolicy } from "../core/base/checkpoint.ts";
import type { EpochParameters, FeeEntry, FeeSchedule } from "../core/base/epoch.ts";
import type { Address } from "../core/base/ids.ts";
import { toDecimalAmount } from "./decimal.ts";
import { nodeOf, validatorNames } from "./declared.ts";
import type { Directory } from "./directory.ts";
import type { CheckpointsPart, EpochsPart, FeeRow, FeesPart, GovernPart, Scenario } from "./scenario.ts";
import type { KeyName, Name } from "./scenario-words.ts";

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

/** What an epoch begins with, in the words of the file. */
export interface ParametersPart {
  readonly validators: readonly KeyName[];
  readonly rewards: Readonly<Record<KeyName, Name>>;
  readonly fees: FeesPart | undefined;
  readonly checkpoints: CheckpointsPart | undefined;
  readonly epochs: EpochsPart | undefined;
}

/** What epoch 0 begins with. */
export function firstParameters(scenario: Scenario): ParametersPart {
  const { genesis } = scenario;
  return {
    validators: validatorNames(scenario),
    rewards: genesis?.rewards ?? {},
    fees: genesis?.fees,
    checkpoints: genesis?.checkpoints,
    epochs: genesis?.epochs,
  };
}

/** The same with what a proposal changes. Rewards are named one by one. */
export function changedBy(
  part: ParametersPart,
  { validators, rewards, fees, checkpoints, epochs }: GovernPart,
): ParametersPart {
  return {
    validators: validators ?? part.validators,
    rewards: { ...part.rewards, ...rewards },
    fees: fees ?? part.fees,
    checkpoints: checkpoints === "none" ? undefined : (checkpoints ?? part.checkpoints),
    epochs: epochs === "none" ? undefined : (epochs ?? part.epochs),
  };
}

/** Names and decimals resolved; what no epoch could have is found by the ledger's own check. */
export function parametersOf(part: ParametersPart, directory: Directory): EpochParameters {
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
  return { default: part.unnamed === undefined ? FEES_DEFAULT : rowOf(part.unnamed, 0), tokens };
}

function rowOf(row: FeeRow, decimals: number): FeeEntry {
  return {
    payment: toDecimalAmount(row.payment, decimals),
    cancellation: toDecimalAmount(row.cancellation, decimals),
    recovery: toDecimalAmount(row.recovery, decimals),
  };
}
