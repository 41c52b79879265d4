/** What a Byzantine strategy may be told to lie about: the first of each is what it does where a file says nothing. */
import type { ChoiceLie, JustificationLie, StrategyPlan } from "../simulator/plan.ts";

export const JUSTIFICATION_LIES: readonly [JustificationLie, ...JustificationLie[]] = [
  "none",
  "too-few",
  "repeated",
  "other-round",
  "other-slot",
  "no-lock",
  "other-value",
  "out-of-turn",
];

export const CHOICE_LIES: readonly [ChoiceLie, ...ChoiceLie[]] = [
  "cheap-skip",
  "operation",
  "early-skip",
  "other-outcome",
  "later-burn",
  "hasty-burn",
  "reversed-list",
  "long-list",
  "other-token",
];

/** The lies that a strategy knows; none for most. */
export function liesOf(strategy: StrategyPlan["name"]): readonly string[] {
  if (strategy === "false-justification") return JUSTIFICATION_LIES;
  return strategy === "false-choices" ? CHOICE_LIES : [];
}
