import { type ConsensusRules, consensusRules } from "../consensus/rules.ts";
import { type LedgerRules, ledgerRules } from "../ledger/rules.ts";
import { claimsOf, isOpen } from "./check-chain.ts";
import { checkContent, isOwnersTurn, nextBurn } from "./check-content.ts";
import { exceededLimit } from "./limits.ts";
import { isWellFormed } from "./message-form.ts";
import { hasContent, isPruned, mayVoteInSlot } from "./slot-position.ts";
import { contentFault, provenPiece, warrantFault } from "./slots/content-check.ts";
import { effectiveReasons, isReasonValid, isUnderWay, mayLeave, owesSkipFee } from "./slots/reason-check.ts";
import { sourcesAtOnce } from "./transfer/transfer-rules.ts";

/** Decision functions of one validator that join ledger and agreement. */
const validatorRules = {
  isWellFormed,
  contentFault,
  warrantFault,
  checkContent,
  isReasonValid,
  countingReasons: effectiveReasons,
  mayLeave,
  isUnderWay,
  owesSkipFee,
  mayVoteInSlot,
  hasContent,
  isOwnersTurn,
  nextBurn,
  isPruned,
  provenPiece,
  sourcesAtOnce,
  isOpen,
  claimsOf,
  exceededLimit,
};
export type ValidatorRules = Readonly<typeof validatorRules>;

/** All decision functions that a known-bad variant may replace, grouped by folder (architecture law 6). */
export type Rules = Readonly<{ consensus: ConsensusRules; ledger: LedgerRules; validator: ValidatorRules }>;

/** The real rules, the only value of this type in the core. */
export const rules: Rules = { consensus: consensusRules, ledger: ledgerRules, validator: validatorRules };
