/** Modes of Byzantine strategies. The first mode of a strategy is its default. */
import type { CheckpointLie, ChoiceLie, JustificationLie } from "../simulator/lies.ts";
import type { StrategyPlan } from "../simulator/plan.ts";

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

export const CHECKPOINT_LIES: readonly [CheckpointLie, ...CheckpointLie[]] = [
  "missing",
  "repeated",
  "reordered",
  "listed-before",
  "too-long",
  "state-root",
  "transactions-root",
  "receipts-root",
  "parent",
  "number",
  "size",
  "timestamp-late",
  "timestamp-never",
  "timestamp-early",
  "empty",
  "undecided",
  "other-value",
  "copies",
  "next-committee",
  "withheld",
];

/** The modes of a strategy; empty for most. */
export function liesOf(strategy: StrategyPlan["name"]): readonly string[] {
  switch (strategy) {
    case "false-justification":
      return JUSTIFICATION_LIES;
    case "false-choices":
      return CHOICE_LIES;
    case "false-checkpoint":
      return CHECKPOINT_LIES;
    default:
      return [];
  }
}
