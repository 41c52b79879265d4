/** Registry of Byzantine strategies, and a strategy from its plan. */
import type { Address } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { Party, Ratio } from "../settings.ts";
import type { Mutation } from "./field-mutations.ts";
import { alteredField, alteredParts } from "./strategies/altered-parts.ts";
import { doubleClose, doubleCommit, doubleProposal, doubleVote, voteFor } from "./strategies/equivocation.ts";
import { falseAnswers, falseState } from "./strategies/false-answers.ts";
import { falseBatches } from "./strategies/false-batches.ts";
import { falseCheckpoint } from "./strategies/false-checkpoint.ts";
import { falseChoices } from "./strategies/false-choices.ts";
import { falseContents } from "./strategies/false-contents.ts";
import { falseJustification } from "./strategies/false-justification.ts";
import { inflatedRounds, invalidSignatures, otherEpoch } from "./strategies/false-statements.ts";
import { falseLocks, hideLocks, staleLocks } from "./strategies/locks.ts";
import { mutate } from "./strategies/mutate.ts";
import { carelessRelay, falseRefusal, forgedOperations } from "./strategies/relays.ts";
import { replayChanged, replayStale } from "./strategies/replay.ts";
import { selectiveSilence, silence, withholdCommits, withholdVotes } from "./strategies/silence.ts";
import { worthlessReasons } from "./strategies/worthless-reasons.ts";
import { EVERY_VALIDATOR, type Strategy, type StrategyRecord, type Targets } from "./strategy.ts";

export type StrategyName =
  | "double-vote"
  | "double-commit"
  | "hide-locks"
  | "double-proposal"
  | "stale-locks"
  | "withhold-votes"
  | "withhold-commits"
  | "double-close"
  | "selective-silence"
  | "silence"
  | "false-justification"
  | "false-choices"
  | "false-checkpoint"
  | "false-state"
  | "false-answers"
  | "false-locks"
  | "false-contents"
  | "false-refusal"
  | "replay-stale"
  | "invalid-signatures"
  | "inflated-rounds"
  | "replay-changed"
  | "mutate"
  | "forged-operations"
  | "careless-relay"
  | "worthless-reasons"
  | "other-epoch"
  | "vote-for"
  | "altered-parts"
  | "false-batches"
  | "altered-field";

/** Strategies in the order in which the fuzzer draws them: another order changes what every seed draws. */
export const STRATEGIES: Readonly<Record<StrategyName, StrategyRecord>> = {
  "double-vote": doubleVote,
  "double-commit": doubleCommit,
  "hide-locks": hideLocks,
  "double-proposal": doubleProposal,
  "stale-locks": staleLocks,
  "withhold-votes": withholdVotes,
  "withhold-commits": withholdCommits,
  "double-close": doubleClose,
  "selective-silence": selectiveSilence,
  silence,
  "false-justification": falseJustification,
  "false-choices": falseChoices,
  "false-checkpoint": falseCheckpoint,
  "false-state": falseState,
  "false-answers": falseAnswers,
  "false-locks": falseLocks,
  "false-contents": falseContents,
  "false-refusal": falseRefusal,
  "replay-stale": replayStale,
  "invalid-signatures": invalidSignatures,
  "inflated-rounds": inflatedRounds,
  "replay-changed": replayChanged,
  mutate,
  "forged-operations": forgedOperations,
  "careless-relay": carelessRelay,
  "worthless-reasons": worthlessReasons,
  "other-epoch": otherEpoch,
  "vote-for": voteFor,
  "altered-parts": alteredParts,
  "false-batches": falseBatches,
  "altered-field": alteredField,
};

export const STRATEGY_NAMES: readonly StrategyName[] = Object.keys(STRATEGIES) as StrategyName[];

/** Strategy of a Byzantine validator with its parameters; the record says which of them it reads. */
export interface StrategyPlan {
  readonly name: StrategyName;
  readonly towards?: readonly Party[];
  /** Default: 1/2. */
  readonly chance?: Ratio;
  /** Mode; default: the first of the strategy. */
  readonly mode?: string;
  /** Signer of `operation`. */
  readonly account?: Address;
  readonly operation?: OperationId;
  /** Path of a field of messages. */
  readonly field?: string;
  readonly mutation?: Mutation;
}

/** Returns the modes of a strategy, the default first; empty for most. */
export function modesOf(name: StrategyName): readonly string[] {
  return Object.keys(STRATEGIES[name].modes ?? {});
}

/**
 * Returns the strategy of a plan. `addressesOf`: keys behind a node's name; a client's name is its address.
 */
export function strategyOf(plan: StrategyPlan, addressesOf: (party: Party) => readonly string[]): Strategy {
  const { name, chance = { of: 1, in: 2 }, mode, account, operation, field, mutation } = plan;
  const { create, towards: byDefault } = STRATEGIES[name];
  const towards = targetsOf(plan.towards ?? (byDefault === "none" ? [] : undefined), addressesOf);
  return create({ towards, chance, mode, account, operation, field, mutation });
}

function targetsOf(names: readonly Party[] | undefined, addressesOf: (party: Party) => readonly string[]): Targets {
  return names === undefined ? EVERY_VALIDATOR : new Set(names.flatMap(addressesOf));
}
