/** Variants with wrong rules for forced burns (protocol 5). */
import type { Amount } from "../core/base/amount.ts";
import type { Address } from "../core/base/ids.ts";
import type { OperationId } from "../core/base/operation.ts";
import { BURN_OUTCOMES } from "../core/base/slot.ts";
import { dueOperations } from "../core/ledger/authorised.ts";
import { credit } from "../core/ledger/balances.ts";
import { findDueBurn } from "../core/ledger/check-due.ts";
import { type AuthorisedOperation, balanceOf, type LedgerState, tokenOf, withToken } from "../core/ledger/state.ts";
import type { DecisionView } from "../core/validator/decision-inputs.ts";
import { OWNERS_TURN_MS } from "../core/validator/limits.ts";
import type { Reason } from "../core/validator/message.ts";
import { alterStateAfterApply } from "./altered-apply.ts";
import { type KnownBadVariant, replaceRules } from "./known-bad-variant.ts";

/** Forced burn that never gets its turn (protocol 5). */
export const alwaysOwnersTurn: KnownBadVariant = {
  name: "always-owners-turn",
  mistake: "the owner of an account may always go before a forced burn: no validator ever relays the burn",
  source: "protocol 5; 7.16",
  caughtBy: ["fairness", "liveness", "validity"],
  rules: replaceRules("validator", () => ({ isOwnersTurn: () => true })),
};

/** Burn that is not counted (protocol 7.3). */
export const burnKeepsSupply: KnownBadVariant = {
  name: "burn-keeps-supply",
  mistake: "a burn debits the holder and leaves the token's supply unchanged",
  source: "protocol 4.1, 7.3",
  caughtBy: ["conservation", "validity"],
  rules: alterStateAfterApply((after, before) => ({ ...after, burned: before.burned })),
};

/** Due burns by their number, not in turn (protocol 5). */
export const busiestBurnsFirst: KnownBadVariant = {
  name: "busiest-burns-first",
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
};

/** Owner's turn without regard to what the owner wants (protocol 5). */
export const turnForNobody: KnownBadVariant = {
  name: "turn-for-nobody",
  mistake: "each forced burn gives the owner a turn of twice its length, though the owner wants nothing",
  source: "protocol 5; 7.16",
  caughtBy: ["fairness", "liveness"],
  rules: replaceRules("validator", () => ({
    isOwnersTurn: ({ slots }, at, account) => {
      const turn = slots.ownersTurns.get(account);
      return turn !== undefined && turn.until > 0 && at < turn.until + 2 * OWNERS_TURN_MS;
    },
  })),
};

/** Due burns by address, not in turn (protocol 5). */
export const lowestBurnFirst: KnownBadVariant = {
  name: "lowest-burn-first",
  mistake: "all burns of the authority with the lowest address come first",
  source: "protocol 5; 7.16",
  caughtBy: ["fairness", "liveness"],
  rules: replaceRules("validator", () => ({ nextBurn: ({ ledger }, slot) => dueOperations(ledger, slot)[0] })),
};

/** Consecutive forced burns without the owner's turn (protocol 8). */
export const noOwnersTurn: KnownBadVariant = {
  name: "no-owners-turn",
  mistake: "one forced burn may follow another at once: repeated burns of one unit leave no owner's turn",
  source: "protocol 8; 5; 7.16",
  caughtBy: ["fairness", "liveness"],
  rules: replaceRules("validator", () => ({ isOwnersTurn: () => false })),
};

/** Both outcomes of a burn with votes in round 0, and no round change (protocol 8). */
export const oneOutcomeReason: KnownBadVariant = {
  name: "one-outcome-reason",
  mistake: "a vote for the other outcome of a burn is no reason for a round change: neither outcome is decided",
  source: "protocol 8; 3.2, c; 5",
  caughtBy: ["liveness"],
  rules: replaceRules("validator", (real) => ({
    isReasonValid: (state, slot, reason) => !isOtherOutcome(state, reason) && real.isReasonValid(state, slot, reason),
  })),
};

function isOtherOutcome({ environment }: DecisionView, reason: Reason): boolean {
  if (reason.kind !== "burn" || reason.content.value.type !== "burn") return false;
  const { value } = reason.content;
  return BURN_OUTCOMES.some(
    (outcome) => outcome !== value.outcome && reason.vote.value === environment.hashes.value({ ...value, outcome }),
  );
}

/** Burn of more than the balance (bugs E7). */
export const overdrawnBurn: KnownBadVariant = {
  name: "overdrawn-burn",
  mistake: "a forced burn never fails for lack of funds: it debits the balance and counts the full amount as burned",
  source: "bugs E7; protocol 5",
  caughtBy: ["conservation", "validity"],
  rules: replaceRules("ledger", (real) => ({
    burnOutcome: (state, account, id) => {
      const outcome = real.burnOutcome(state, account, id);
      return outcome === "failed" ? "burned" : outcome;
    },
    checkBurn: (state, barrier, account, value) => {
      const verdict = real.checkBurn(state, barrier, account, value);
      const isDue = findDueBurn(state, account, value.id) !== undefined;
      return verdict.answer === "wait" && isDue && value.outcome === "burned" ? { answer: "accept" } : verdict;
    },
    apply: (state, slot, value, operation, parts) => {
      const isBurned = slot.kind === "account" && value.type === "burn" && value.outcome === "burned";
      const due = isBurned ? findDueBurn(state, slot.address, value.id) : undefined;
      if (!isBurned || due === undefined) return real.apply(state, slot, value, operation, parts);
      const { token, value: amount } = due.debit;
      const balance = balanceOf(state, slot.address, token);
      const lent = balance < amount ? credit(state, slot.address, token, (amount - balance) as Amount) : state;
      return real.apply(lent, slot, value, operation, parts);
    },
  })),
};

/** Burn that its token's pause does not stop (protocol 5). */
export const burnDespiteAPause: KnownBadVariant = {
  name: "burn-despite-a-pause",
  mistake: "a forced burn or clawback that is due takes effect although its token has been paused since",
  source: "protocol 5; specification 5.11",
  caughtBy: ["validity"],
  rules: replaceRules("ledger", (real) => ({
    burnOutcome: (state, account, id) => real.burnOutcome(withoutPause(state, account, id), account, id),
    checkBurn: (state, _barrier, account, value) =>
      real.checkBurn(withoutPause(state, account, value.id), [], account, value),
  })),
};

function withoutPause(state: LedgerState, account: Address, id: OperationId): LedgerState {
  const token = findDueBurn(state, account, id)?.debit.token;
  const policy = token && tokenOf(state, token);
  return token && policy ? withToken(state, token, { ...policy, isPaused: false }) : state;
}

/** Turns of authorities that an owner's decision ends (protocol 5). */
export const turnLostToTheOwner: KnownBadVariant = {
  name: "turn-lost-to-the-owner",
  mistake: "a decision for the owner of an account makes validators forget which authority burned last",
  source: "protocol 5; 7.16",
  caughtBy: ["fairness"],
  rules: replaceRules("validator", (real) => ({
    nextBurn: (view, slot) =>
      view.slots.ownersTurns.get(slot.address)?.until === 0
        ? dueOperations(view.ledger, slot)[0]
        : real.nextBurn(view, slot),
  })),
};
