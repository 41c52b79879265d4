/**
 * Bound on the messages that a strategy adds to those of its program. Without it two Byzantine validators answer each
 * other for ever, since each answer is new to the other. Signatures of the program raise the budget: their number
 * depends on the open slots, so a strategy stays active in a long run, and a run still terminates.
 */
import { type Epoch, next } from "../../core/base/ids.ts";
import type { Output } from "../../core/validator/output.ts";
import { STRATEGY_ADDED_MAX, STRATEGY_BUDGET_PER_INPUT } from "../limits.ts";
import type { InterceptedStep } from "./strategy.ts";

/** Messages that may still be added: 0 to `STRATEGY_ADDED_MAX`. A message to several peers counts once. */
export type Budget = number;

export const FULL_BUDGET: Budget = STRATEGY_ADDED_MAX;

/** Returns the budget raised by the signatures of this step: those of the program and of earlier strategies. */
export function afterInput(budget: Budget, { outputs }: InterceptedStep): Budget {
  const signatures = outputs.filter(({ type }) => type === "sign").length;
  return Math.min(FULL_BUDGET, budget + STRATEGY_BUDGET_PER_INPUT * signatures);
}

/** Returns the first of the wanted messages, as many as the budget allows, and the remaining budget. */
export function afterSend(
  budget: Budget,
  wanted: readonly Output[],
): { readonly added: readonly Output[]; readonly left: Budget } {
  const added = wanted.slice(0, budget);
  return { added, left: budget - added.length };
}

/**
 * Returns true for an epoch that has begun, and for the next one: signatures for later ones are invalid. Otherwise two
 * strategies, one of which moves signatures to the next epoch, climb from epoch to epoch together.
 */
export function isWithinBudget(epoch: Epoch, step: InterceptedStep): boolean {
  return epoch <= next(step.epoch);
}
