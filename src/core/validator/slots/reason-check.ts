/** Validity of reasons to leave round 0, and the skips that follow from them (protocol 3.2, a to c; 3.0, 4.4). */
import type { Millis } from "../../base/ids.ts";
import type { SignedOperation } from "../../base/operation.ts";
import { type AccountSlot, type SkipValue, type Slot, slotKey } from "../../base/slot.ts";
import type { Vote } from "../../consensus/message.ts";
import { dueOperations } from "../../ledger/authorised.ts";
import { recoveryId } from "../../ledger/identity.ts";
import { accountOf, type LedgerState } from "../../ledger/state.ts";
import type { Content } from "../content.ts";
import type { DecisionInputs, DecisionView } from "../decision-inputs.ts";
import type { Reason, SlotReason } from "../message.ts";

/**
 * Returns true if a disclosed reason lets the next slot of its account leave round 0, at once or after a wait. The caller
 * has checked the owner's signatures. A valid reason stays valid while its slot is open: its nonce stays the next one, and
 * what is due stays due.
 */
export function isReasonValid(state: DecisionView, slot: Slot, reason: SlotReason): boolean {
  const { environment, ledger } = state;
  // Rounds of other slots end by timeout, or by a pull of f + 1 others.
  if (slot.kind !== "account") return false;
  const { nonce, sequence } = accountOf(ledger, slot.address);
  if (sequence !== slot.sequence || !operationsIn(reason).every((signed) => isCreated(ledger, signed))) return false;
  switch (reason.kind) {
    case "cancellation": {
      const { cancellation, displaced } = reason;
      if (!isForNonce(slot.address, nonce, [cancellation, displaced])) return false;
      return cancellation.operation.kind === "cancellation" && displaced.operation.kind !== "cancellation";
    }
    case "equivocation": {
      const { first, second } = reason.proof;
      if (!isForNonce(slot.address, nonce, [first, second])) return false;
      return environment.rules.ledger.isEquivocation(first, second);
    }
    case "burn": {
      const { value } = reason.content;
      if (value.type !== "burn" || !holdsVote(state, slot, reason.vote)) return false;
      const isDue = dueOperations(ledger, slot).some((entry) => entry.id === value.id);
      return isDue && reason.vote.value !== environment.hashes.value(value);
    }
  }
}

/**
 * Returns true if a valid reason, whose wait is over, makes this validator leave round 0 at this time of its own clock: a
 * burn only outside the owner's turn. A lock changes nothing: the round change carries it, so leaving loses nothing, and a
 * holder that stayed would keep the others below a quorum in both rounds (protocol 3.2).
 */
export function mayLeave(state: DecisionView, at: Millis, slot: Slot, reason: SlotReason): boolean {
  if (reason.kind !== "burn" || slot.kind !== "account") return true;
  return !state.environment.rules.validator.isOwnersTurn(state, at, slot.address);
}

/**
 * Returns true if an operation of the owner is under way here: this validator has voted for one in the slot. A proof
 * alone, whose operations nobody votes for, blocks no account and frees none, and a burn has a reason of its own
 * (protocol 3.2, b; specification 5.4).
 */
export function isUnderWay({ slots }: DecisionView, slot: Slot): boolean {
  const votes = slots.records.get(slotKey(slot))?.votes ?? [];
  return votes.some((vote) => slots.contents.get(vote.value)?.value.type === "operation");
}

/** Returns the operations that a reason discloses and that only the slot's owner may have signed. */
export function operationsIn(reason: Reason): readonly SignedOperation[] {
  if (reason.kind === "cancellation") return [reason.cancellation, reason.displaced];
  return reason.kind === "equivocation" ? [reason.proof.first, reason.proof.second] : [];
}

function isForNonce(account: string, nonce: number, operations: readonly SignedOperation[]): boolean {
  return operations.every((signed) => signed.sender === account && signed.operation.nonce === nonce);
}

/** Returns true if a skip for this reason pays a fee: the displaced operation names a token that exists (protocol 4.4). */
export function isPaying(view: DecisionView, reason: SlotReason): boolean {
  return owesFee(view, reason.kind === "cancellation" ? [reason.displaced] : operationsIn(reason));
}

/** Returns true if a skip that displaces these operations pays a fee. */
export function owesFee({ environment, ledger }: DecisionView, displaced: readonly SignedOperation[]): boolean {
  const { ledger: rules } = environment.rules;
  return rules.skipFeeToken(ledger, displaced, rules) !== undefined;
}

/** Returns the reasons kept of a slot, at most one of each kind, by precedence: they count as long as it is open. */
export function reasonsOf(state: DecisionView, slot: Slot): readonly SlotReason[] {
  return state.slots.reasons.get(slotKey(slot)) ?? NO_REASONS;
}

const NO_REASONS: readonly SlotReason[] = [];

/**
 * Returns the reasons of a slot that its proposers follow and its round changes show, by precedence: a skip that pays
 * nothing gets no votes beside a reason whose skip pays (protocol 4.4).
 */
export function effectiveReasons(state: DecisionView, slot: Slot): readonly SlotReason[] {
  const kept = reasonsOf(state, slot);
  const isOwed = kept.some((reason) => isPaying(state, reason));
  return isOwed ? kept.filter((reason) => reason.kind === "burn" || isPaying(state, reason)) : kept;
}

/**
 * Returns true if a reason known here displaces an operation of a token: a skip of another operation for the
 * nonce must not evade its fee. The validator shows that reason, so all learn of it (protocol 4.4).
 */
export function owesSkipFee(state: DecisionView, slot: AccountSlot): boolean {
  return reasonsOf(state, slot).some((reason) => isPaying(state, reason));
}

/** A multisig account decides nothing before it is created, so nothing of it is skipped either. */
export function isCreated(ledger: LedgerState, { operation: { account } }: SignedOperation): boolean {
  return account === undefined || accountOf(ledger, account).multisig !== undefined;
}

/** Returns true if a vote is for this slot and its signature is valid. */
function holdsVote(state: DecisionView, slot: Slot, vote: Vote): boolean {
  const { committee, authenticator } = state.environment;
  const { signer, signature, ...statement } = vote;
  return (
    vote.type === "vote" &&
    vote.epoch === committee.epoch &&
    slotKey(vote.slot) === slotKey(slot) &&
    committee.index.has(signer) &&
    authenticator.verifies(statement, signer, signature)
  );
}

/**
 * Returns the skip of a nonce by its owner's cancellation or by an equivocation proof, with the token of its fee
 * by `ledger`. One proof has one value: the lower id comes first.
 */
export function skipContent(
  { hashes, rules }: Pick<DecisionInputs, "hashes" | "rules">,
  ledger: LedgerState,
  reason: Exclude<SlotReason, { kind: "burn" }>,
): Content {
  const { operationId } = hashes;
  const [first, second] = operationsIn(reason) as readonly [SignedOperation, SignedOperation];
  const account = first.sender;
  const isCancelled = reason.kind === "cancellation";
  const by = isCancelled ? "cancellation" : "recovery";
  const id = isCancelled ? operationId(first) : recoveryId(ledger.chainId, account, first.operation.nonce);
  const isInOrder = isCancelled || operationId(first) < operationId(second);
  const operations = isInOrder ? [first, second] : [second, first];
  const displaced = isCancelled ? [second] : operations;
  const feeToken = rules.ledger.skipFeeToken(ledger, displaced, rules.ledger);
  const value: SkipValue = { type: "skip", by, id, displaced: displaced.map(operationId), feeToken };
  return { value, operations, certificates: [] };
}
