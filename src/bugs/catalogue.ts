/** All known-bad variants, by name. */
import { blindCommit } from "./blind-commit.ts";
import { booleanBarrier } from "./boolean-barrier.ts";
import type { Bug } from "./bug.ts";
import { carelessLists } from "./careless-lists.ts";
import { countedReports } from "./counted-reports.ts";
import { hastyRefusal } from "./hasty-refusal.ts";
import { kindBlindProof } from "./kind-blind-proof.ts";
import { lateCommit } from "./late-commit.ts";
import { noOwnersTurn } from "./no-owners-turn.ts";
import { oneOutcomeReason } from "./one-outcome-reason.ts";
import { privateReasons } from "./private-reasons.ts";
import { pulledByOne } from "./pulled-by-one.ts";
import { quorumOf2fPlus1 } from "./quorum-of-2f-plus-1.ts";
import { quorumOffByOne } from "./quorum-off-by-one.ts";
import { singleRoundFinality } from "./single-round-finality.ts";
import { stuckBarrier } from "./stuck-barrier.ts";
import { voteBeforePersist } from "./vote-before-persist.ts";
import { voteOutOfSequence } from "./vote-out-of-sequence.ts";

export const BUGS: readonly Bug[] = [
  blindCommit,
  booleanBarrier,
  carelessLists,
  countedReports,
  hastyRefusal,
  kindBlindProof,
  lateCommit,
  noOwnersTurn,
  oneOutcomeReason,
  privateReasons,
  pulledByOne,
  quorumOf2fPlus1,
  quorumOffByOne,
  singleRoundFinality,
  stuckBarrier,
  voteBeforePersist,
  voteOutOfSequence,
];

/** The variant of a name, `undefined` where there is none. */
export function findBug(name: string): Bug | undefined {
  return BUGS.find((bug) => bug.name === name);
}
