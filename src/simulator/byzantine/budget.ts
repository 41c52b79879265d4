/**
 * The number of messages that a strategy may add to those of its program. Without a bound two Byzantine validators answer
 * each other for ever, as each answer is something new that the other one hears. Signatures of the program earn more:
 * their number depends on the slots that open, so a strategy stays active in a long run, and a run still comes to rest.
 */
import { type Epoch, next } from "../../core/base/ids.ts";
import type { Output } from "../../core/validator/output.ts";
import { STRATEGY_ADDED_MAX, STRATEGY_EARNED } from "../limits.ts";
import type { Turn } from "./strategy.ts";

/** Messages that may still be added: 0 to `STRATEGY_ADDED_MAX`. A message to several peers counts once. */
export type Budget = number;

export const FULL_BUDGET: Budget = STRATEGY_ADDED_MAX;

/** Returns the budget with what the signatures of this turn earn: those of the program and of strategies before this one. */
export function earned(budget: Budget, { outputs }: Turn): Budget {
  const signatures = outputs.filter(({ type }) => type === "sign").length;
  return Math.min(FULL_BUDGET, budget + STRATEGY_EARNED * signatures);
}

/** Returns the first of the wanted messages, as many as the budget allows, and the budget that is left. */
export function spent(
  budget: Budget,
  wanted: readonly Output[],
): { readonly added: readonly Output[]; readonly left: Budget } {
  const added = wanted.slice(0, budget);
  return { added, left: budget - added.length };
}

/**
 * Returns true for an epoch that has begun, and for the next one: signatures for later ones count nowhere yet. Two
 * strategies of which one moves signatures to the next epoch would otherwise climb from epoch to epoch together.
 */
export function isWithinReach(epoch: Epoch, turn: Turn): boolean {
  return epoch <= next(turn.epoch);
}
