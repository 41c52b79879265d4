import { type ConsensusRules, consensusRules } from "../consensus/rules.ts";
import { type LedgerRules, ledgerRules } from "../ledger/rules.ts";
import { claimsOf, isOpen } from "./closing-rules.ts";
import { contentFault } from "./content-check.ts";
import { isOwnersTurn, judgeContent } from "./judge-content.ts";
import { nextBurn } from "./next-burn.ts";
import { pieceHolds } from "./piece-check.ts";
import { isGone } from "./place.ts";
import { holdsContent, isReady } from "./readiness.ts";
import { reasonCounts, ripeAt } from "./reason-check.ts";
import { fullQueue } from "./room.ts";

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
