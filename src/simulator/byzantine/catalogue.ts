/** Strategies by the names in plans. */
import { unreachable } from "../../core/base/assert.ts";
import type { Party, StrategyPlan } from "../plan.ts";
import { carelessRelay } from "./careless-relay.ts";
import { double } from "./double.ts";
import { doubleClose } from "./double-close.ts";
import { doubleProposal } from "./double-proposal.ts";
import { falseAnswers } from "./false-answers.ts";
import { falseCheckpoint } from "./false-checkpoint.ts";
import { falseChoices } from "./false-choices.ts";
import { falseContents } from "./false-contents.ts";
import { falseJustification } from "./false-justification.ts";
import { falseLocks } from "./false-locks.ts";
import { falseRefusal } from "./false-refusal.ts";
import { falseState } from "./false-state.ts";
import { forgedOperations } from "./forged-operations.ts";
import { inflatedRounds } from "./inflated-rounds.ts";
import { invalidSignatures } from "./invalid-signatures.ts";
import { hideLocks, staleLocks } from "./locks.ts";
import { mutate } from "./mutate.ts";
import { otherEpoch } from "./other-epoch.ts";
import { replayChanged } from "./replay-changed.ts";
import { replayStale } from "./replay-stale.ts";
import { silence } from "./silence.ts";
import type { Strategy, Targets } from "./strategy.ts";
import { voteFor } from "./vote-for.ts";
import { withhold } from "./withhold.ts";
import { worthlessReasons } from "./worthless-reasons.ts";

const EVERYBODY: Targets = { has: () => true };

/** `addressesOf`: keys behind a node's name; a client's name is its address. */
export function strategyOf(plan: StrategyPlan, addressesOf: (party: Party) => readonly string[]): Strategy {
  const targets = (names: readonly Party[] | undefined): Targets =>
    names === undefined ? EVERYBODY : new Set(names.flatMap(addressesOf));
  switch (plan.name) {
    case "double-vote":
      return double("vote") as Strategy;
    case "double-close":
      return doubleClose() as Strategy;
    case "double-commit":
      return double("commit") as Strategy;
    case "withhold-votes":
      return withhold("vote", targets(plan.towards)) as Strategy;
    case "withhold-commits":
      return withhold("commit", targets(plan.towards)) as Strategy;
    case "hide-locks":
      return hideLocks() as Strategy;
    case "stale-locks":
      return staleLocks() as Strategy;
    case "replay-stale":
      return replayStale(plan.chance) as Strategy;
    case "invalid-signatures":
      return invalidSignatures(plan.chance) as Strategy;
    case "selective-silence":
      return silence(targets(plan.towards)) as Strategy;
    case "silence":
      return silence(EVERYBODY) as Strategy;
    case "false-refusal":
      return falseRefusal() as Strategy;
    case "double-proposal":
      return doubleProposal() as Strategy;
    case "false-justification":
      return falseJustification(plan.lie) as Strategy;
    case "inflated-rounds":
      return inflatedRounds() as Strategy;
    case "false-answers":
      return falseAnswers() as Strategy;
    case "replay-changed":
      return replayChanged() as Strategy;
    case "false-locks":
      return falseLocks() as Strategy;
    case "false-choices":
      return falseChoices(plan.lie) as Strategy;
    case "forged-operations":
      return forgedOperations() as Strategy;
    case "false-state":
      return falseState();
    case "careless-relay":
      return carelessRelay() as Strategy;
    case "worthless-reasons":
      return worthlessReasons() as Strategy;
    case "false-contents":
      return falseContents() as Strategy;
    case "other-epoch":
      return otherEpoch() as Strategy;
    case "false-checkpoint":
      return falseCheckpoint(plan.lie) as Strategy;
    case "mutate":
      return mutate() as Strategy;
    case "vote-for":
      return voteFor(plan.account, plan.operation) as Strategy;
    default:
      return unreachable(plan);
  }
}
