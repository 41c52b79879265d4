/** Variants with wrong rules for forced burns and clawbacks (protocol 5). */
import { type Amount, ZERO } from "../core/base/amount.ts";
import type { Address } from "../core/base/ids.ts";
import type { OperationId } from "../core/base/operation.ts";
import { BURN_OUTCOMES, slotKey } from "../core/base/slot.ts";
import { appliedResult } from "../core/ledger/apply-result.ts";
import { dueOperations, findAuthorised, removeAuthorised } from "../core/ledger/authorised.ts";
import { credit, debit } from "../core/ledger/balances.ts";
import { findDueBurn } from "../core/ledger/check-due.ts";
import { withListed } from "../core/ledger/lists.ts";
import { type AuthorisedOperation, balanceOf, type LedgerState, tokenOf, withToken } from "../core/ledger/state.ts";
import type { DecisionView } from "../core/validator/decision-inputs.ts";
import { OWNERS_TURN_MS } from "../core/validator/limits.ts";
import type { Reason } from "../core/validator/message.ts";
import { alterStateAfterApply, replaceApply, replaceJudged } from "./altered-rules.ts";
import { replaceRules, type VariantTable } from "./known-bad-variant.ts";

export const BURNS: VariantTable = {
  "always-owners-turn": {
    mistake: "the owner of an account may always go before a forced burn: no validator ever relays the burn",
    source: "protocol 5; 7.16",
    caughtBy: ["fairness", "liveness", "validity"],
    rules: replaceRules("validator", () => ({ isOwnersTurn: () => true })),
  },
  "burn-keeps-supply": {
    mistake: "a burn debits the holder and leaves the token's supply unchanged",
    source: "protocol 4.1, 7.3",
    caughtBy: ["conservation", "validity"],
    rules: alterStateAfterApply((after, before) => ({ ...after, burned: before.burned })),
  },
  "busiest-burns-first": {
    mistake: "the authority with the most due burns of an account comes first, so that a long queue is worked off",
    source: "protocol 5; 7.16",
    caughtBy: ["fairness", "liveness"],
    rules: replaceRules("validator", () => ({
      nextBurn: ({ ledger }, slot) => {
        const due = dueOperations(ledger, slot);
        const count = (operation: AuthorisedOperation): number =>
          due.filter(({ signed }) => signed.sender === operation.signed.sender).length;
        const most = Math.max(...due.map(count));
        return due.find((operation) => count(operation) === most);
      },
    })),
  },
  "turn-for-nobody": {
    mistake: "each forced burn gives the owner a turn of twice its length, though the owner wants nothing",
    source: "protocol 5; 7.16",
    caughtBy: ["fairness", "liveness"],
    rules: replaceRules("validator", () => ({
      isOwnersTurn: ({ slots }, at, account) => {
        const turn = slots.ownersTurns.get(account);
        return turn !== undefined && turn.until > 0 && at < turn.until + 2 * OWNERS_TURN_MS;
      },
    })),
  },
  "lowest-burn-first": {
    mistake: "all burns of the authority with the lowest address come first",
    source: "protocol 5; 7.16",
    caughtBy: ["fairness", "liveness"],
    rules: replaceRules("validator", () => ({ nextBurn: ({ ledger }, slot) => dueOperations(ledger, slot)[0] })),
  },
  "no-owners-turn": {
    mistake: "one forced burn may follow another at once: repeated burns of one unit leave no owner's turn",
    source: "protocol 8; 5; 7.16",
    caughtBy: ["fairness", "liveness"],
    rules: replaceRules("validator", () => ({ isOwnersTurn: () => false })),
  },
  "one-outcome-reason": {
    mistake: "a vote for the other outcome of a burn is no reason for a round change: neither outcome is decided",
    source: "protocol 8; 3.2, c; 5",
    caughtBy: ["liveness"],
    rules: replaceRules("validator", (real) => ({
      isReasonValid: (state, slot, reason) => !isOtherOutcome(state, reason) && real.isReasonValid(state, slot, reason),
    })),
  },
  "overdrawn-burn": {
    mistake: "a forced burn never fails for lack of funds: it debits the balance and counts the full amount as burned",
    source: "bugs E7; protocol 5",
    caughtBy: ["conservation", "validity"],
    rules: replaceRules("ledger", (real) => ({
      burnOutcome: (state, account, id) => {
        const outcome = real.burnOutcome(state, account, id);
        return outcome === "failed" ? "burned" : outcome;
      },
      apply: (state, slot, value, operation, rules) => {
        const isBurned = slot.kind === "account" && value.type === "burn" && value.outcome === "burned";
        const due = isBurned ? findDueBurn(state, slot.address, value.id) : undefined;
        if (!isBurned || due === undefined) return real.apply(state, slot, value, operation, rules);
        const { token, value: amount } = due.debit;
        const balance = balanceOf(state, slot.address, token);
        const lent = balance < amount ? credit(state, slot.address, token, (amount - balance) as Amount) : state;
        return real.apply(lent, slot, value, operation, rules);
      },
    })),
  },
  "burn-despite-a-pause": {
    mistake: "a forced burn or clawback that is due takes effect although its token has been paused since",
    source: "protocol 5; specification 5.11",
    caughtBy: ["validity"],
    rules: replaceRules("ledger", (real) => ({
      burnOutcome: (state, account, id) => real.burnOutcome(withoutPause(state, account, id), account, id),
      checkBurn: (state, _barrier, account, value, rules) => real.checkBurn(state, [], account, value, rules),
    })),
  },
  "turn-lost-to-the-owner": {
    mistake: "a decision for the owner of an account makes validators forget which authority burned last",
    source: "protocol 5; 7.16",
    caughtBy: ["fairness"],
    rules: replaceRules("validator", (real) => ({
      nextBurn: (view, slot) =>
        view.slots.ownersTurns.get(slot.address)?.until === 0
          ? dueOperations(view.ledger, slot)[0]
          : real.nextBurn(view, slot),
    })),
  },
  "clawback-outruns": {
    mistake:
      "a clawback debits at authorisation, in its signer's slot: it has no order with payments of the account debited",
    source: "protocol 4.1, 5",
    caughtBy: ["validity", "conservation", "accounts", "convergence", "checkpoints", "liveness", "fairness"],
    rules: replaceApply((_before, { slot, value, operation: signed }, real) => {
      const done = real();
      if (done.outcome !== "applied" || value.type !== "operation" || signed?.operation.kind !== "clawback")
        return done;
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
  },
  "clawback-copies": {
    mistake: "a clawback credits its recipient and leaves the account that it takes from as it was",
    source: "protocol 5, 7.3",
    caughtBy: ["conservation", "validity"],
    rules: alterStateAfterApply((after, before, { slot, value }) => {
      if (slot.kind !== "account" || value.type !== "burn") return after;
      const operation = findAuthorised(before, value.id)?.signed.operation;
      if (operation?.kind !== "clawback" || value.outcome === "failed") return after;
      return credit(after, operation.from, operation.token, operation.value);
    }),
  },
  "clawback-to-anyone": {
    mistake: "a clawback credits a recipient that the list of the token excludes, like the account that it takes from",
    source: "specification 5.14, 6.4",
    caughtBy: ["validity", "authority"],
    rules: replaceJudged((state, { operation }) => {
      const token = operation.kind === "clawback" ? tokenOf(state, operation.token) : undefined;
      if (operation.kind !== "clawback" || token === undefined) return state;
      return withListed(state, operation.token, operation.recipient, token.isPrivate);
    }),
  },
};

function isOtherOutcome({ environment }: DecisionView, reason: Reason): boolean {
  if (reason.kind !== "burn" || reason.content.value.type !== "burn") return false;
  const { value } = reason.content;
  return BURN_OUTCOMES.some(
    (outcome) => outcome !== value.outcome && reason.vote.value === environment.hashes.value({ ...value, outcome }),
  );
}

function withoutPause(state: LedgerState, account: Address, id: OperationId): LedgerState {
  const token = findDueBurn(state, account, id)?.debit.token;
  const policy = token && tokenOf(state, token);
  return token && policy ? withToken(state, token, { ...policy, isPaused: false }) : state;
}
