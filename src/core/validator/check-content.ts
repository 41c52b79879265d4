/** Check that decides if this validator votes for a content in a slot now (protocol 3, table; 4.2; 5). */
import { unreachable } from "../base/assert.ts";
import type { Address, Millis, Round } from "../base/ids.ts";
import type { SignedOperation } from "../base/operation.ts";
import { ACCEPT, type CheckResult, refuseProposal, wait } from "../base/refusal.ts";
import type { AccountSlot, BurnValue, SkipValue, Slot } from "../base/slot.ts";
import { dueOperations } from "../ledger/authorised.ts";
import type { AuthorisedOperation } from "../ledger/state.ts";
import type { Restriction } from "../ledger/token.ts";
import { checkCheckpoint, checkClosing, waitWithProposal } from "./check-chain.ts";
import type { Content } from "./content.ts";
import type { DecisionView } from "./decision-inputs.ts";
import { FAILED_BURN_MS } from "./limits.ts";
import { nextSlot } from "./slot-position.ts";

const MISPLACED = refuseProposal("this slot and round do not decide such a value");

/**
 * Returns the check result for a content that proves itself, in the next slot of its account or token. Round 0 of an
 * account slot takes operations and due burns, never a skip; later rounds take due burns and skips, never an operation.
 */
export function checkContent(state: DecisionView, at: Millis, slot: Slot, content: Content, round: Round): CheckResult {
  if (slot.kind === "token") return checkListContent(state, slot, content);
  if (slot.kind === "checkpoint") return checkCheckpoint(state, at, slot, content);
  if (slot.kind === "epoch") return checkClosing(state, at, slot, content);
  const { value } = content;
  switch (value.type) {
    case "operation":
      return round === 0 ? checkOperationContent(state, at, slot.address, content) : MISPLACED;
    case "burn":
      return checkBurnContent(state, at, slot.address, value, round);
    case "skip":
      return round === 0 ? MISPLACED : checkSkipContent(state, at, slot, value, content.operations);
    case "list":
    case "checkpoint":
    case "closing":
      return MISPLACED;
    default:
      return unreachable(value);
  }
}

const NO_BARRIER: readonly Restriction[] = [];

/** Returns the restrictions that bind this validator before they are applied (protocol 4.2, Barrier). */
export function barrierOf(state: DecisionView): readonly Restriction[] {
  return state.slots.barriers.size === 0 ? NO_BARRIER : [...state.slots.barriers.values()].flat();
}

/** Returns true if the owner of this account goes before another forced burn (protocol 5). */
export function isOwnersTurn(state: DecisionView, at: Millis, account: Address): boolean {
  const context = state.slots.ownersTurns.get(account);
  return context !== undefined && at < context.until;
}

function checkListContent(state: DecisionView, slot: Slot & { kind: "token" }, { value }: Content): CheckResult {
  if (value.type !== "list") return MISPLACED;
  return state.environment.rules.ledger.checkList(state.ledger, slot.token, value.ids, state.ledger.listLimit);
}

function checkOperationContent(
  state: DecisionView,
  at: Millis,
  account: Address,
  { operations }: Content,
): CheckResult {
  const signed = operations[0] as SignedOperation;
  if (signed.sender !== account || signed.operation.kind === "cancellation") return MISPLACED;
  const [due] = dueOperations(state.ledger, nextSlot(state, account));
  const { ledger: rules, validator } = state.environment.rules;
  if (due !== undefined && !validator.isOwnersTurn(state, at, account)) {
    // protocol 5: a validator that knows a due burn votes for no operation of the owner in a new slot.
    return wait({ code: "business_decided_otherwise", nonce: signed.operation.nonce, by: due.id });
  }
  return rules.checkVote(state.ledger, barrierOf(state), signed, rules);
}

function checkBurnContent(
  state: DecisionView,
  at: Millis,
  account: Address,
  value: BurnValue,
  round: Round,
): CheckResult {
  const { ledger: rules, validator } = state.environment.rules;
  const verdict = rules.checkBurn(state.ledger, barrierOf(state), account, value, rules);
  if (verdict.answer !== "accept" || round > 0) return verdict;
  const since = state.slots.dueSince.get(value.id) ?? at;
  const tooEarly =
    validator.isOwnersTurn(state, at, account) || (value.outcome !== "burned" && at < since + FAILED_BURN_MS);
  return tooEarly ? wait({ code: "resource_authorisation_not_found", id: value.id }) : verdict;
}

/** Checks a skip against this state, and that it evades no fee which the owner owes as far as is known here (protocol 4.4). */
function checkSkipContent(
  state: DecisionView,
  at: Millis,
  slot: AccountSlot,
  value: SkipValue,
  operations: readonly SignedOperation[],
): CheckResult {
  const { ledger, environment } = state;
  const account = slot.address;
  const [first, second] = operations as readonly [SignedOperation, SignedOperation];
  if (first.sender !== account) return MISPLACED;
  const displaced = value.by === "cancellation" ? [second] : [first, second];
  const { ledger: rules, validator } = environment.rules;
  const { chainId, nonce } = first.operation;
  const evidence = { first, second };
  const verdict =
    value.by === "cancellation"
      ? rules.checkCancellation(ledger, first, displaced, rules)
      : rules.checkRecovery(ledger, { kind: "recovery", chainId, account, nonce, evidence }, rules);
  if (verdict.answer !== "accept") return verdict;
  // The burn moves the account on, and nothing known here shows that an operation blocks it (protocol 3.2, b).
  if (
    value.by === "recovery" &&
    dueOperations(ledger, slot).length > 0 &&
    !validator.isOwnersTurn(state, at, account) &&
    !validator.isUnderWay(state, slot)
  )
    return waitWithProposal("a burn is due before it");
  const feeToken = rules.skipFeeToken(ledger, displaced, rules);
  if (feeToken === undefined && validator.owesSkipFee(state, slot))
    return waitWithProposal("the owner signed an operation for this nonce whose skip pays");
  // The issue of the token may not be applied here, or not where it was proposed.
  return feeToken === value.feeToken
    ? ACCEPT
    : waitWithProposal("the skip does not pay in the token of what it displaces");
}

/**
 * Returns the next forced burn of an account's slot; `undefined` if none is due. Authorities alternate in the order of
 * their addresses, each with its oldest burn, so that one authority's burns never starve another's (protocol 5).
 */
export function nextBurn(
  { ledger, slots: { ownersTurns: turns } }: Pick<DecisionView, "ledger" | "slots">,
  slot: AccountSlot,
): AuthorisedOperation | undefined {
  const due = dueOperations(ledger, slot);
  const last = turns.get(slot.address)?.authority;
  // Sorted by signer: the first entry past the last signer is the oldest of the next one.
  return (last === undefined ? undefined : due.find(({ signed }) => signed.sender > last)) ?? due[0];
}
