/** Whether a reason to leave round 0 counts here and now (design 3.2, a to c). */
import type { SignedOperation } from "../base/operation.ts";
import { isChainSlot, type Slot, slotKey } from "../base/slot.ts";
import type { Vote } from "../consensus/message.ts";
import { accountOf, dueFor, versionOf } from "../ledger/state.ts";
import type { View } from "./grounds.ts";
import type { SlotReason } from "./message.ts";

/**
 * Whether a reason that is shown for the next slot of its account or token lets that slot leave round 0. Timeouts
 * (of a proof, of the owner's turn) are the caller's, and so are the owner's signatures: `takeReason` takes no others.
 */
export function reasonCounts(state: View, slot: Slot, reason: SlotReason): boolean {
  const { environment, ledger } = state;
  // Rounds of the chain's slots end by timeout, or pulled by f + 1 others.
  if (isChainSlot(slot)) return false;
  if (slot.kind === "token") {
    return reason.kind === "due" && versionOf(ledger, slot.token) === slot.version && dueFor(ledger, slot).length > 0;
  }
  const { nonce, sequence } = accountOf(ledger, slot.address);
  if (sequence !== slot.sequence) return false;
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

function isForNonce(account: string, nonce: number, operations: readonly SignedOperation[]): boolean {
  return operations.every((signed) => signed.sender === account && signed.operation.nonce === nonce);
}

/**
 * So that nobody spends others' work for nothing: the balance covers a payment's fee, or the operation moves no token
 * and its signer holds a role, or f + 1 votes show that an honest validator found it funded (design 3.2).
 */
function isPaidFor(
  state: View,
  slot: Slot & { kind: "account" },
  displaced: readonly SignedOperation[],
  votes: readonly Vote[],
): boolean {
  const { rules, committee } = state.environment;
  if (rules.ledger.coversPaymentFee(state.ledger, slot.address, displaced)) return true;
  if (
    displaced.some(
      (signed) => signed.operation.kind !== "payment" && rules.ledger.holdsRoleOfToken(state.ledger, signed),
    )
  )
    return true;
  const voters = new Set(votes.filter((vote) => holdsVote(state, slot, vote)).map((vote) => vote.signer));
  return voters.size > committee.faulty;
}

/** Whether a vote is for this slot and its signature holds. */
function holdsVote(state: View, slot: Slot, vote: Vote): boolean {
  const { committee, authenticator } = state.environment;
  const { signer, signature, ...statement } = vote;
  return (
    vote.type === "vote" &&
    vote.epoch === committee.epoch &&
    slotKey(vote.slot) === slotKey(slot) &&
    committee.index.has(signer) &&
    authenticator.holds(statement, signer, signature)
  );
}
