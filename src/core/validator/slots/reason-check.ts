/** Validity of reasons to leave round 0, and the time from which they count (protocol 3.2, a to c). */
import type { Address, Millis, Nonce } from "../../base/ids.ts";
import { isSpending, type SignedOperation } from "../../base/operation.ts";
import { isChainSlot, paddedNumber, type Slot, slotKey } from "../../base/slot.ts";
import type { Vote } from "../../consensus/message.ts";
import { dueFor } from "../../ledger/authorised.ts";
import { accountOf, type LedgerState, versionOf } from "../../ledger/state.ts";
import type { DecisionView } from "../decision-inputs.ts";
import { EVIDENCE_LOCKED_MS, EVIDENCE_MS } from "../limits.ts";
import type { Reason, SlotReason } from "../message.ts";

/**
 * Returns true if a disclosed reason lets the next slot of its account or token leave round 0. Waits belong to
 * `ripeAt`, and the caller has checked the owner's signatures: `takeReason` accepts no others. A valid reason stays
 * valid while its slot is open: balances only rise in an open slot, nonces and fees stay, what is due stays due, and a
 * role that was held in this epoch counts after it is revoked.
 */
export function isReasonValid(state: DecisionView, slot: Slot, reason: SlotReason): boolean {
  const { environment, ledger } = state;
  // Rounds of the chain's slots end by timeout, or by a pull of f + 1 others.
  if (isChainSlot(slot)) return false;
  if (slot.kind === "token") {
    return reason.kind === "due" && versionOf(ledger, slot.token) === slot.version && dueFor(ledger, slot).length > 0;
  }
  const { nonce, sequence } = accountOf(ledger, slot.address);
  if (sequence !== slot.sequence || !operationsIn(reason).every((signed) => isCreated(ledger, signed))) return false;
  switch (reason.kind) {
    case "cancellation": {
      const { cancellation, displaced } = reason;
      if (!isForNonce(slot.address, nonce, [cancellation, displaced])) return false;
      if (cancellation.operation.kind !== "cancellation" || displaced.operation.kind === "cancellation") return false;
      return isPaidFor(state, slot, [displaced], reason.votes);
    }
    case "equivocation": {
      const { first, second } = reason.proof;
      if (!isForNonce(slot.address, nonce, [first, second])) return false;
      return (
        environment.rules.ledger.isEquivocation(first, second) && isPaidFor(state, slot, [first, second], reason.votes)
      );
    }
    case "burn": {
      const { value } = reason.content;
      if (value.type !== "burn" || !holdsVote(state, slot, reason.vote)) return false;
      const isDue = dueFor(ledger, slot).some((entry) => entry.id === value.id);
      return isDue && reason.vote.value !== environment.hashes.value(value);
    }
    case "due":
      return false;
  }
}

/** Later than any time of a run. */
const NEVER = Number.POSITIVE_INFINITY as Millis;

/**
 * Returns the time, by this validator's own clock, from which a valid reason makes it leave round 0; `Infinity` if
 * another timer decides. A lock only lengthens the wait for an equivocation proof: the round change carries it, so
 * leaving loses nothing, and a holder that stayed for ever would keep the others below a quorum in both rounds
 * (protocol 3.2).
 */
export function effectiveAt(state: DecisionView, at: Millis, slot: Slot, reason: SlotReason): Millis {
  switch (reason.kind) {
    case "cancellation":
      return at;
    case "equivocation": {
      const { sender, operation } = reason.proof.first;
      const seen = state.slots.evidence.get(evidenceKey(sender, operation.nonce));
      if (seen === undefined) return NEVER;
      const isLocked = state.slots.records.get(slotKey(slot))?.lock !== undefined;
      return (seen.since + (isLocked ? EVIDENCE_LOCKED_MS : EVIDENCE_MS)) as Millis;
    }
    case "burn": {
      const { isOwnersTurn } = state.environment.rules.validator;
      if (slot.kind !== "account" || !isOwnersTurn(state, at, slot.address)) return at;
      return state.slots.ownersTurns.get(slot.address)?.until ?? NEVER;
    }
    // A token slot leaves round 0 by its own timeout, or by a pull of f + 1 others.
    case "due":
      return NEVER;
  }
}

/** Returns the operations that a reason discloses and that only the slot's owner may have signed. */
export function operationsIn(reason: Reason): readonly SignedOperation[] {
  if (reason.kind === "cancellation") return [reason.cancellation, reason.displaced];
  return reason.kind === "equivocation" ? [reason.proof.first, reason.proof.second] : [];
}

/** Returns the key of the equivocation proof for an account's nonce. */
export function evidenceKey(account: Address, nonce: Nonce): string {
  return `${account} ${paddedNumber(nonce)}`;
}

function isForNonce(account: string, nonce: number, operations: readonly SignedOperation[]): boolean {
  return operations.every((signed) => signed.sender === account && signed.operation.nonce === nonce);
}

/**
 * Prevents unpaid work for others: the balance covers a payment's fee, or the operation moves no token and its signer
 * holds a role, or f + 1 votes show that an honest validator found it funded (protocol 3.2).
 */
function isPaidFor(
  state: DecisionView,
  slot: Slot & { kind: "account" },
  displaced: readonly SignedOperation[],
  votes: readonly Vote[],
): boolean {
  if (isDisplacementPaidFor(state, slot.address, displaced)) return true;
  const { committee } = state.environment;
  const voters = new Set(votes.filter((vote) => holdsVote(state, slot, vote)).map((vote) => vote.signer));
  return voters.size > committee.faulty;
}

/**
 * Returns true if the account's balance covers the fee of displacing these operations, or one of them moves no token and
 * its signer holds a role.
 */
export function isDisplacementPaidFor(
  { environment, ledger }: DecisionView,
  account: Address,
  displaced: readonly SignedOperation[],
): boolean {
  const { coversPaymentFee, holdsRoleOfToken } = environment.rules.ledger;
  return (
    coversPaymentFee(ledger, account, displaced) ||
    displaced.some((signed) => !isSpending(signed.operation) && holdsRoleOfToken(ledger, signed)) ||
    // It costs nothing itself, so a round that skips it costs nothing (specification 5.18).
    displaced.some(({ operation }) => operation.kind === "multisig")
  );
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
