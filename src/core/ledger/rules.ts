/**
 * Decision functions of the ledger as one record (architecture law 6). The core calls them through the record that it
 * receives, and hands it on to those that call others, so one that is replaced is replaced everywhere.
 */
import { apply } from "./apply.ts";
import { check, checkAuthority, checkCancellation, checkRecovery, checkVote, formFault } from "./check.ts";
import { burnOutcome, checkBurn, checkList, chooseList, restrictionsOf } from "./check-due.ts";
import { beginNextEpoch } from "./epoch.ts";
import { executeOne } from "./execute.ts";
import { paymentFee, skipFee, skipFeeToken } from "./fees.ts";
import { isEquivocation, operationId } from "./identity.ts";
import { withRestrictions } from "./lists.ts";
import { multisigFault } from "./multisig.ts";

/** The real rules, the only value of this type in the core. */
export const ledgerRules = {
  check,
  checkVote,
  checkCancellation,
  checkRecovery,
  checkAuthority,
  withRestrictions,
  checkList,
  chooseList,
  checkBurn,
  burnOutcome,
  paymentFee,
  skipFee,
  skipFeeToken,
  restrictionsOf,
  apply,
  executeOne,
  openNext: beginNextEpoch,
  wellFormed: formFault,
  multisigFault,
  isEquivocation,
  operationId,
};
export type LedgerRules = Readonly<typeof ledgerRules>;
