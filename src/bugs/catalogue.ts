/** All known-bad variants, by name. */
import { blindCommit } from "./blind-commit.ts";
import { booleanBarrier } from "./boolean-barrier.ts";
import type { Bug } from "./bug.ts";
import { carelessLists } from "./careless-lists.ts";
import { clockInTheRules } from "./clock-in-the-rules.ts";
import { closeNotDurable } from "./close-not-durable.ts";
import { countedReports } from "./counted-reports.ts";
import { emptyList } from "./empty-list.ts";
import { epochByHash } from "./epoch-by-hash.ts";
import { epochlessStatements } from "./epochless-statements.ts";
import { exMembersCount } from "./ex-members-count.ts";
import { foreignSigner } from "./foreign-signer.ts";
import { forgetfulRejoin } from "./forgetful-rejoin.ts";
import { hastyRefusal } from "./hasty-refusal.ts";
import { hiddenLocks } from "./hidden-locks.ts";
import { kindBlindProof } from "./kind-blind-proof.ts";
import { lateCommit } from "./late-commit.ts";
import { listedByTime } from "./listed-by-time.ts";
import { locksLeftBehind } from "./locks-left-behind.ts";
import { longLists } from "./long-lists.ts";
import { noOwnersTurn } from "./no-owners-turn.ts";
import { oldQuorum } from "./old-quorum.ts";
import { oneOutcomeReason } from "./one-outcome-reason.ts";
import { privateCause } from "./private-cause.ts";
import { privateReasons } from "./private-reasons.ts";
import { prunedWarrants } from "./pruned-warrants.ts";
import { pulledByOne } from "./pulled-by-one.ts";
import { quorumOf2fPlus1 } from "./quorum-of-2f-plus-1.ts";
import { quorumOffByOne } from "./quorum-off-by-one.ts";
import { repeatedListing } from "./repeated-listing.ts";
import { repeatedSigner } from "./repeated-signer.ts";
import { revivedSlots } from "./revived-slots.ts";
import { singleRoundFinality } from "./single-round-finality.ts";
import { staleSnapshot } from "./stale-snapshot.ts";
import { stuckBarrier } from "./stuck-barrier.ts";
import { unappliedLeftOut } from "./unapplied-left-out.ts";
import { unjustifiedSkip } from "./unjustified-skip.ts";
import { unprovenState } from "./unproven-state.ts";
import { unshownRefusal } from "./unshown-refusal.ts";
import { unwarrantedRecovery } from "./unwarranted-recovery.ts";
import { voteBeforePersist } from "./vote-before-persist.ts";
import { voteOutOfSequence } from "./vote-out-of-sequence.ts";

export const BUGS: readonly Bug[] = [
  blindCommit,
  booleanBarrier,
  carelessLists,
  clockInTheRules,
  closeNotDurable,
  countedReports,
  emptyList,
  epochByHash,
  epochlessStatements,
  exMembersCount,
  foreignSigner,
  forgetfulRejoin,
  hastyRefusal,
  hiddenLocks,
  kindBlindProof,
  lateCommit,
  listedByTime,
  locksLeftBehind,
  longLists,
  noOwnersTurn,
  oldQuorum,
  oneOutcomeReason,
  privateCause,
  privateReasons,
  prunedWarrants,
  pulledByOne,
  quorumOf2fPlus1,
  quorumOffByOne,
  repeatedListing,
  repeatedSigner,
  revivedSlots,
  singleRoundFinality,
  staleSnapshot,
  stuckBarrier,
  unappliedLeftOut,
  unjustifiedSkip,
  unprovenState,
  unshownRefusal,
  unwarrantedRecovery,
  voteBeforePersist,
  voteOutOfSequence,
];

/** The variant of a name, `undefined` where there is none. */
export function findBug(name: string): Bug | undefined {
  return BUGS.find((bug) => bug.name === name);
}
