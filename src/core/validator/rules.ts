import { type ConsensusRules, consensusRules } from "../consensus/rules.ts";
import { type LedgerRules, ledgerRules } from "../ledger/rules.ts";
import { claimsOf, isOpen } from "./epochs/closing-rules.ts";
import { fullQueue } from "./mempool/room.ts";
import { contentFault } from "./slots/content-check.ts";
import { isOwnersTurn, judgeContent } from "./slots/judge-content.ts";
import { nextBurn } from "./slots/next-burn.ts";
import { isGone } from "./slots/place.ts";
import { holdsContent, isReady } from "./slots/readiness.ts";
import { reasonCounts, ripeAt } from "./slots/reason-check.ts";
import { pieceHolds } from "./sync/piece-check.ts";

/** Decisions of one validator that join ledger and agreement. */
export interface ValidatorRules {
  readonly contentFault: typeof contentFault;
  readonly judgeContent: typeof judgeContent;
  readonly reasonCounts: typeof reasonCounts;
  readonly ripeAt: typeof ripeAt;
  readonly isReady: typeof isReady;
  readonly holdsContent: typeof holdsContent;
  readonly isOwnersTurn: typeof isOwnersTurn;
  readonly nextBurn: typeof nextBurn;
  readonly isGone: typeof isGone;
  readonly pieceHolds: typeof pieceHolds;
  readonly isOpen: typeof isOpen;
  readonly claimsOf: typeof claimsOf;
  readonly fullQueue: typeof fullQueue;
}

/** All decision functions that a known-bad variant may replace, grouped by folder (architecture law 6). */
export interface Rules {
  readonly consensus: ConsensusRules;
  readonly ledger: LedgerRules;
  readonly validator: ValidatorRules;
}

/** The real rules, the only value of this type in the core. */
export const rules: Rules = {
  consensus: consensusRules,
  ledger: ledgerRules,
  validator: {
    contentFault,
    judgeContent,
    reasonCounts,
    ripeAt,
    isReady,
    holdsContent,
    isOwnersTurn,
    nextBurn,
    isGone,
    pieceHolds,
    isOpen,
    claimsOf,
    fullQueue,
  },
};
