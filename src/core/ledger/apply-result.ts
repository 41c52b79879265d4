/** Result of applying a decided slot. */
import type { Receipt, Refusal } from "../base/refusal.ts";
import type { LedgerState } from "./state.ts";

export type ApplyResult =
  | { readonly outcome: "applied"; readonly state: LedgerState; readonly receipts: readonly Receipt[] }
  /** The decision still lacks funds that are on their way, or the slot that authorises it (protocol 3.1, 4.3). */
  | { readonly outcome: "waiting"; readonly missing: Refusal }
  /** No honest quorum can have decided this on the state: more than f validators are Byzantine. */
  | { readonly outcome: "impossible"; readonly reason: string };

/** Returns the result of a slot that has taken effect. */
export function appliedResult(state: LedgerState, receipts: readonly Receipt[]): ApplyResult {
  return { outcome: "applied", state, receipts };
}

/** Returns the result of a slot that must be applied again later. */
export function waitingResult(missing: Refusal): ApplyResult {
  return { outcome: "waiting", missing };
}

/** Returns the result of a decision that contradicts the state. */
export function impossibleResult(reason: string): ApplyResult {
  return { outcome: "impossible", reason };
}
