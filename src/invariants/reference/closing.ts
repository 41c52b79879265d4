/** End of an epoch: distribution of its fees and the parameters of the next one (protocol 4.4, 6.3). */
import type { Member } from "../../core/base/epoch.ts";
import type { Address } from "../../core/base/ids.ts";
import type { ClosingValue } from "../../core/base/slot.ts";
import { credited, type LedgerState, withChanges } from "./state.ts";

export interface ClosedEpoch {
  readonly state: LedgerState;
  /** Faults of the closing; empty if it is valid. */
  readonly problems: readonly string[];
}

/** Returns the state after a closing whose listed slots are all applied. */
export function applyClosing(before: LedgerState, { epoch, header, next }: ClosingValue): ClosedEpoch {
  const { number } = before.epoch;
  const problems = number === epoch ? [] : [`epoch ${number} is open, not ${epoch}`];
  const opened = { number: number + 1, opened: header.number, parameters: next };
  return { state: withChanges(shared(before), { epoch: opened }), problems };
}

/** Returns the share of a pool for each validator of the ending epoch: equal shares, the remainder stays. */
export function shareOf(pool: bigint, validators: readonly Member[]): bigint {
  return pool / BigInt(validators.length);
}

function shared(before: LedgerState): LedgerState {
  const { validators } = before.epoch.parameters;
  let state = before;
  for (const [token, pool] of before.pools.entries()) {
    const share = shareOf(pool, validators);
    if (share === 0n) continue;
    for (const { reward } of validators) state = credited(state, token as Address, reward, share);
    const rest = pool - share * BigInt(validators.length);
    state = withChanges(state, { pools: state.pools.set(token, rest) });
  }
  return state;
}
