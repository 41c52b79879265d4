/** How an epoch ends: its fees are shared, then the next one's parameters hold (protocol 4.4, 6.3). */
import type { Member } from "../../core/base/epoch.ts";
import type { Address } from "../../core/base/ids.ts";
import type { ClosingValue } from "../../core/base/slot.ts";
import { changed, credited, type LedgerState } from "./state.ts";

export interface Closed {
  readonly state: LedgerState;
  /** Why the epoch could not have been closed so; empty when all is well. */
  readonly problems: readonly string[];
}

/** What applying a closing gives, once all that it lists is applied. */
export function applyClosing(before: LedgerState, { epoch, header, next }: ClosingValue): Closed {
  const { number } = before.epoch;
  const problems = number === epoch ? [] : [`epoch ${number} is open, not ${epoch}`];
  const opened = { number: number + 1, opened: header.number, parameters: next };
  return { state: changed(shared(before), { epoch: opened }), problems };
}

/** What each validator of the ending epoch gets of a pool: equal shares, what is left over stays. */
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
    state = changed(state, { pools: state.pools.set(token, rest) });
  }
  return state;
}
