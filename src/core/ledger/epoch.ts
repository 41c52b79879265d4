/** Change of epochs: fees are shared, then the new parameters apply (specification 7.4, 11.3; protocol 4.4, 6). */
import type { Amount } from "../base/amount.ts";
import type { CheckpointPolicy, EpochParameters } from "../base/epoch.ts";
import { type Address, type CheckpointNumber, nextCount as following } from "../base/ids.ts";
import { credit, withdrawPool } from "./balances.ts";
import { feesFault } from "./fees.ts";
import { CHECKPOINT_INTERVAL_MS, CHECKPOINT_LIMIT, EPOCH_CHECKPOINTS, VALIDATORS_MAX } from "./limits.ts";
import type { LedgerState } from "./state.ts";

/** Returns the state with which the next epoch begins: `number` is that of the checkpoint that closes this one. */
export function beginNextEpoch(state: LedgerState, next: EpochParameters, number: CheckpointNumber): LedgerState {
  return { ...shareFees(state), epoch: following(state.epoch), opened: number, parameters: next };
}

/**
 * Pays equal shares of each token's pool to the reward accounts of the ending epoch; the remainder stays in the pool.
 * No list, pause or cap restricts these credits.
 */
export function shareFees(state: LedgerState): LedgerState {
  const { validators } = state.parameters;
  let shared = state;
  for (const [key, pool] of state.pools.entries()) {
    const token = key as Address;
    const share = (pool / BigInt(validators.length)) as Amount;
    if (share === 0n) continue;
    shared = withdrawPool(shared, token, (share * BigInt(validators.length)) as Amount);
    for (const { reward } of validators) shared = credit(shared, reward, token, share);
  }
  return shared;
}

/** Returns `undefined` if an epoch can have these parameters. */
export function parametersFault({ validators, fees, checkpoints, epochLength }: EpochParameters): string | undefined {
  if (validators.length < 1 || validators.length > VALIDATORS_MAX)
    return `validators: expected 1 to ${VALIDATORS_MAX}, got ${validators.length}`;
  if (new Set(validators.map(({ key }) => key)).size !== validators.length) return "validators: one is listed twice";
  return feesFault(fees) ?? (checkpoints && policyFault(checkpoints)) ?? lengthFault(checkpoints, epochLength);
}

function lengthFault(
  checkpoints: EpochParameters["checkpoints"],
  epochLength: EpochParameters["epochLength"],
): string | undefined {
  if (epochLength === undefined) return undefined;
  if (checkpoints === undefined) return "epoch length: no checkpoints are formed by which it counts";
  if (Number.isSafeInteger(epochLength) && epochLength >= 1 && epochLength <= EPOCH_CHECKPOINTS) return undefined;
  return `epoch length: expected 1 to ${EPOCH_CHECKPOINTS} checkpoints, got ${epochLength}`;
}

/** Returns true if an epoch forms no checkpoint of this number: its closing is due before. */
export function isPastEpochEnd(state: LedgerState, number: number): boolean {
  const last = lastCheckpointOf(state);
  return last !== undefined && number > last;
}

/** Returns the number of the checkpoint that makes this epoch's closing due; `undefined` if only governance does. */
export function lastCheckpointOf({ opened, parameters }: LedgerState): CheckpointNumber | undefined {
  return parameters.epochLength === undefined ? undefined : ((opened + parameters.epochLength) as CheckpointNumber);
}

/** Returns `undefined` if every member of the policy is in range. */
export function policyFault({ intervalMs, slots, limit, periodSeconds }: CheckpointPolicy): string | undefined {
  return (
    rangeFault("interval", intervalMs, 1, CHECKPOINT_INTERVAL_MS) ??
    rangeFault("slots", slots, 1, CHECKPOINT_LIMIT) ??
    rangeFault("limit", limit, 1, CHECKPOINT_LIMIT) ??
    rangeFault("period", periodSeconds, 0, CHECKPOINT_INTERVAL_MS / 1_000)
  );
}

function rangeFault(name: string, value: number, from: number, to: number): string | undefined {
  if (Number.isSafeInteger(value) && value >= from && value <= to) return undefined;
  return `checkpoints: ${name}: expected ${from} to ${to}, got ${value}`;
}
