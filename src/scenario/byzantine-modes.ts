/** Modes of Byzantine strategies. The first mode of a strategy is its default. */
import type { CheckpointMode, ChoiceMode, JustificationMode } from "../simulator/byzantine-modes.ts";
import type { StrategyPlan } from "../simulator/plan.ts";

export const JUSTIFICATION_MODES: readonly [JustificationMode, ...JustificationMode[]] = [
  "none",
  "too-few",
  "repeated",
  "other-round",
  "other-slot",
  "no-lock",
  "other-value",
  "out-of-turn",
];

export const CHOICE_MODES: readonly [ChoiceMode, ...ChoiceMode[]] = [
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

export const CHECKPOINT_MODES: readonly [CheckpointMode, ...CheckpointMode[]] = [
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
export function modesOf(strategy: StrategyPlan["name"]): readonly string[] {
  switch (strategy) {
    case "false-justification":
      return JUSTIFICATION_MODES;
    case "false-choices":
      return CHOICE_MODES;
    case "false-checkpoint":
      return CHECKPOINT_MODES;
    default:
      return [];
  }
}
