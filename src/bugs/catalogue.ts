/** Known-bad variants by name. */
import { addedAllowance } from "./added-allowance.ts";
import { allowanceCheckedOnce } from "./allowance-checked-once.ts";
import { alwaysOwnersTurn } from "./always-owners-turn.ts";
import { blindCommit } from "./blind-commit.ts";
import { booleanBarrier } from "./boolean-barrier.ts";
import { burnKeepsSupply } from "./burn-keeps-supply.ts";
import { CANARY, CONTROL } from "./canary.ts";
import { anyChain, zeroAmounts } from "./careless-form.ts";
import { carelessLists } from "./careless-lists.ts";
import { cheapSkip } from "./cheap-skip.ts";
import { clockInTheRules } from "./clock-in-the-rules.ts";
import { closeNotDurable } from "./close-not-durable.ts";
import { countedReports } from "./counted-reports.ts";
import { creditedTwice } from "./credited-twice.ts";
import { effectAtOnce } from "./effect-at-once.ts";
import { emptyList } from "./empty-list.ts";
import { epochByHash } from "./epoch-by-hash.ts";
import { epochlessStatements } from "./epochless-statements.ts";
import { exMembersCount } from "./ex-members-count.ts";
import { failedKeepsNonce } from "./failed-keeps-nonce.ts";
import { batchBlamed, namedBlamed } from "./false-blame.ts";
import { feeNotReserved } from "./fee-not-reserved.ts";
import { firstLockWins } from "./first-lock-wins.ts";
import { foreignSigner } from "./foreign-signer.ts";
import { forgetfulRejoin } from "./forgetful-rejoin.ts";
import { forgetsDecidedBarriers } from "./forgets-decided-barriers.ts";
import { halfBlacklist } from "./half-blacklist.ts";
import { halfMinted } from "./half-minted.ts";
import { hastyClosing } from "./hasty-closing.ts";
import { hastyRefusal } from "./hasty-refusal.ts";
import { hiddenLocks } from "./hidden-locks.ts";
import { idCoversSignature } from "./id-covers-signature.ts";
import { judgedAgain } from "./judged-again.ts";
import { kindBlindProof } from "./kind-blind-proof.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";
import { lateCommit } from "./late-commit.ts";
import { listEndsEarly } from "./list-ends-early.ts";
import { listedByTime } from "./listed-by-time.ts";
import { lockByValue } from "./lock-by-value.ts";
import { lockHoldersStay } from "./lock-holders-stay.ts";
import { locksLeftBehind } from "./locks-left-behind.ts";
import { longLists } from "./long-lists.ts";
import { lostFee } from "./lost-fee.ts";
import { lowestBurnFirst } from "./lowest-burn-first.ts";
import { roundedBalances, saturatingCredit } from "./narrow-balances.ts";
import { neverAsksAgain } from "./never-asks-again.ts";
import { neverCompares } from "./never-compares.ts";
import { noBarrier } from "./no-barrier.ts";
import { noOwnersTurn } from "./no-owners-turn.ts";
import { nonceGap } from "./nonce-gap.ts";
import { nonceWraps } from "./nonce-wraps.ts";
import { oldQuorum } from "./old-quorum.ts";
import { oneOpenSlot } from "./one-open-slot.ts";
import { oneOutcomeReason } from "./one-outcome-reason.ts";
import { oneProposer } from "./one-proposer.ts";
import { oneQueue } from "./one-queue.ts";
import { overdrawnBurn } from "./overdrawn-burn.ts";
import { pausedMint } from "./paused-mint.ts";
import { poisonOperation } from "./poison-operation.ts";
import { privateCause } from "./private-cause.ts";
import { privateReasons } from "./private-reasons.ts";
import { proposerWithoutEpoch } from "./proposer-without-epoch.ts";
import { prunedWarrants } from "./pruned-warrants.ts";
import { pulledByOne } from "./pulled-by-one.ts";
import { quorumOf2fPlus1 } from "./quorum-of-2f-plus-1.ts";
import { quorumOffByOne } from "./quorum-off-by-one.ts";
import { refusedForGood } from "./refused-for-good.ts";
import { repeatBlocks } from "./repeat-blocks.ts";
import { repeatedListing } from "./repeated-listing.ts";
import { repeatedSigner } from "./repeated-signer.ts";
import { repeatsBelowItsRound } from "./repeats-below-its-round.ts";
import { restrictionsAlwaysFirst } from "./restrictions-always-first.ts";
import { revivedSlots } from "./revived-slots.ts";
import { revokedRolePaysNothing } from "./revoked-role-pays-nothing.ts";
import { roleCheckedOnce } from "./role-checked-once.ts";
import { roundedUpFees } from "./rounded-up-fees.ts";
import { selfTransferMint } from "./self-transfer-mint.ts";
import { silentAboutBars } from "./silent-about-bars.ts";
import { singleRoundFinality } from "./single-round-finality.ts";
import { skipBoundByPause } from "./skip-bound-by-pause.ts";
import { staleFees } from "./stale-fees.ts";
import { staleSnapshot } from "./stale-snapshot.ts";
import { stuckBarrier } from "./stuck-barrier.ts";
import { unappliedLeftOut } from "./unapplied-left-out.ts";
import { undurableLock, undurableProposal, undurableRound } from "./undurable.ts";
import { unfinalCredit } from "./unfinal-credit.ts";
import { unjustifiedSkip } from "./unjustified-skip.ts";
import { unprovenState } from "./unproven-state.ts";
import { unreadCheckpoint } from "./unread-checkpoint.ts";
import { unreadNonce } from "./unread-nonce.ts";
import { unshownRefusal } from "./unshown-refusal.ts";
import { unwarrantedRecovery } from "./unwarranted-recovery.ts";
import { commitIsVote, valuelessStatements } from "./vague-statements.ts";
import { voteBeforePersist } from "./vote-before-persist.ts";
import { voteOutOfSequence } from "./vote-out-of-sequence.ts";
import { waitsForAll } from "./waits-for-all.ts";
import { wrappingSupply } from "./wrapping-supply.ts";
export const BUGS: readonly KnownBadVariant[] = [
  addedAllowance,
  allowanceCheckedOnce,
  alwaysOwnersTurn,
  anyChain,
  batchBlamed,
  blindCommit,
  booleanBarrier,
  burnKeepsSupply,
  carelessLists,
  cheapSkip,
  clockInTheRules,
  closeNotDurable,
  commitIsVote,
  countedReports,
  creditedTwice,
  effectAtOnce,
  emptyList,
  epochByHash,
  epochlessStatements,
  exMembersCount,
  failedKeepsNonce,
  feeNotReserved,
  firstLockWins,
  foreignSigner,
  forgetfulRejoin,
  forgetsDecidedBarriers,
  halfBlacklist,
  halfMinted,
  hastyClosing,
  hastyRefusal,
  hiddenLocks,
  idCoversSignature,
  judgedAgain,
  kindBlindProof,
  lateCommit,
  listedByTime,
  listEndsEarly,
  lockByValue,
  lockHoldersStay,
  locksLeftBehind,
  longLists,
  lostFee,
  lowestBurnFirst,
  namedBlamed,
  neverAsksAgain,
  neverCompares,
  noBarrier,
  nonceGap,
  nonceWraps,
  noOwnersTurn,
  oldQuorum,
  oneOpenSlot,
  oneOutcomeReason,
  oneProposer,
  oneQueue,
  overdrawnBurn,
  pausedMint,
  poisonOperation,
  privateCause,
  privateReasons,
  proposerWithoutEpoch,
  prunedWarrants,
  pulledByOne,
  quorumOf2fPlus1,
  quorumOffByOne,
  refusedForGood,
  repeatBlocks,
  repeatedListing,
  repeatedSigner,
  repeatsBelowItsRound,
  restrictionsAlwaysFirst,
  revivedSlots,
  revokedRolePaysNothing,
  roleCheckedOnce,
  roundedBalances,
  roundedUpFees,
  saturatingCredit,
  selfTransferMint,
  silentAboutBars,
  singleRoundFinality,
  skipBoundByPause,
  staleFees,
  staleSnapshot,
  stuckBarrier,
  unappliedLeftOut,
  undurableLock,
  undurableProposal,
  undurableRound,
  unfinalCredit,
  unjustifiedSkip,
  unprovenState,
  unreadCheckpoint,
  unreadNonce,
  unshownRefusal,
  unwarrantedRecovery,
  valuelessStatements,
  voteBeforePersist,
  voteOutOfSequence,
  waitsForAll,
  wrappingSupply,
  zeroAmounts,
];

/** Returns the variant of a name, canary and control included; `undefined` if there is none. */
export function findBug(name: string): KnownBadVariant | undefined {
  return [...BUGS, CANARY, CONTROL].find((bug) => bug.name === name);
}
