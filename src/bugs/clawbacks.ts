/** Variants with wrong rules for clawbacks (protocol 5). */
import { ZERO } from "../core/base/amount.ts";
import { slotKey } from "../core/base/slot.ts";
import { applyRules } from "../core/ledger/apply.ts";
import { appliedResult } from "../core/ledger/apply-result.ts";
import { findAuthorised, removeAuthorised } from "../core/ledger/authorised.ts";
import { credit, debit } from "../core/ledger/balances.ts";
import { withListed } from "../core/ledger/lists.ts";
import { tokenOf } from "../core/ledger/state.ts";
import { alterStateAfterApply, replaceApply } from "./altered-apply.ts";
import { replaceJudged } from "./altered-rules.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Clawback in the sequence of its signer (protocol 4.1). */
export const clawbackOutruns: KnownBadVariant = {
  name: "clawback-outruns",
  mistake:
    "a clawback debits at authorisation, in its signer's slot: it has no order with payments of the account debited",
  source: "protocol 4.1, 5",
  caughtBy: ["validity", "conservation", "accounts", "convergence", "checkpoints", "liveness", "fairness"],
  rules: replaceApply((_before, { slot, value, operation: signed }, real) => {
    const done = real(applyRules);
    if (done.outcome !== "applied" || value.type !== "operation" || signed?.operation.kind !== "clawback") return done;
    const { token, from, recipient, value: amount } = signed.operation;
    const entry = findAuthorised(done.state, value.id);
    const debited = debit(done.state, from, token, amount);
    if (entry === undefined || debited === undefined) return done;
    const receipt = {
      id: value.id,
      success: true,
      fee: ZERO,
      feeToken: undefined,
      error: undefined,
      slot: slotKey(slot),
    };
    return appliedResult(removeAuthorised(credit(debited, recipient, token, amount), entry), [
      ...done.receipts,
      receipt,
    ]);
  }),
};

/** Clawback that copies (protocol 7.3). */
export const clawbackCopies: KnownBadVariant = {
  name: "clawback-copies",
  mistake: "a clawback credits its recipient and leaves the account that it takes from as it was",
  source: "protocol 5, 7.3",
  caughtBy: ["conservation", "validity"],
  rules: alterStateAfterApply((after, before, { slot, value }) => {
    if (slot.kind !== "account" || value.type !== "burn") return after;
    const operation = findAuthorised(before, value.id)?.signed.operation;
    if (operation?.kind !== "clawback" || value.outcome === "failed") return after;
    return credit(after, operation.from, operation.token, operation.value);
  }),
};

/** Recipient of a clawback that no list excludes (specification 6.4). */
export const clawbackToAnyone: KnownBadVariant = {
  name: "clawback-to-anyone",
  mistake: "a clawback credits a recipient that the list of the token excludes, like the account that it takes from",
  source: "specification 5.14, 6.4",
  caughtBy: ["validity", "authority"],
  rules: replaceJudged((state, { operation }) => {
    const token = operation.kind === "clawback" ? tokenOf(state, operation.token) : undefined;
    if (operation.kind !== "clawback" || token === undefined) return state;
    return withListed(state, operation.token, operation.recipient, token.isPrivate);
  }),
};
