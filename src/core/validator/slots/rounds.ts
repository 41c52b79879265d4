/** Reasons to leave round 0 of a slot: found, shown, waited for and acted on (protocol 3.2). */
import type { Address, Nonce, Round } from "../../base/ids.ts";
import type { OperationId, SignedOperation } from "../../base/operation.ts";
import { type AccountSlot, type Slot, slotKey } from "../../base/slot.ts";
import type { Vote } from "../../consensus/message.ts";
import { changeRound } from "../../consensus/round-change.ts";
import { accountOf } from "../../ledger/state.ts";
import type { Turn } from "../agenda.ts";
import { takeCause } from "../epochs/close-epoch.ts";
import { idOf, keep, noteShown, wantedFor } from "../mempool/pending.ts";
import type { Peer, Reason, ShownReason, SlotReason } from "../message.ts";
import { mark, setTimer } from "../speak.ts";
import type { ValidatorState } from "../state.ts";
import { askFor } from "../sync/sync.ts";
import { isAuthentic } from "./content-check.ts";
import { takeContent } from "./contents.ts";
import { isAhead } from "./place.ts";
import { evidenceKey, operationsIn } from "./reason-check.ts";
import { onSlot, reasonsOf, slotState } from "./slots.ts";

const MARK_OF = {
  cancellation: "round change by cancellation",
  equivocation: "round change by equivocation proof",
  burn: "round change by due burn",
  due: "round change by due operation",
} as const;

/** The order in which reasons of one slot are acted on and disclosed: those that wait for nothing come first. */
const PRECEDENCE = ["cancellation", "burn", "equivocation", "due"] as const satisfies readonly SlotReason["kind"][];

/** The slot in which an account's next operation is decided. */
export function nextSlot(state: ValidatorState, address: Address): AccountSlot {
  return { kind: "account", address, sequence: accountOf(state.ledger, address).sequence };
}

/** A reason was shown, with a round change or by a client: whoever sees it acts on it (protocol 3.2). */
export function takeReason(turn: Turn, slot: Slot, reason: Reason, from: Peer): void {
  switch (reason.kind) {
    case "cancellation":
      if (!areOf(turn, slot, [reason.cancellation, reason.displaced])) return;
      break;
    case "equivocation":
      if (!areOf(turn, slot, [reason.proof.first, reason.proof.second])) return;
      break;
    case "closing":
      takeCause(turn, reason.cause);
      return;
    case "burn":
    case "due": {
      const content = takeContent(turn, from, reason.content);
      if (content === undefined) return;
      noteReason(turn, slot, { ...reason, content });
      return;
    }
  }
  noteReason(turn, slot, reason);
}

/**
 * A reason by itself. It opens nothing here unless it counts, so that nobody fills memories with what no round change
 * pays for; whoever shows it does so again.
 */
export function takeShownReason(turn: Turn, from: Peer, { slot, reason }: ShownReason): void {
  const { state } = turn;
  if (isAhead(state, slot)) askFor(turn, from, slot);
  else if (state.environment.rules.validator.reasonCounts(state, slot, reason)) takeReason(turn, slot, reason, from);
}

/** Whether the slot's owner signed all of these: what nobody signed must not stand in the way of a true reason. */
function areOf({ state }: Turn, slot: Slot, operations: readonly SignedOperation[]): boolean {
  return operations.every(
    (signed) => slot.kind === "account" && signed.sender === slot.address && isAuthentic(state.environment, signed),
  );
}

function noteReason(turn: Turn, slot: Slot, reason: SlotReason): void {
  const { state } = turn;
  keepReason(state, slot, reason);
  if (reason.kind === "cancellation" && state.environment.rules.validator.reasonCounts(state, slot, reason))
    keepPair(turn, reason);
  if (reason.kind === "equivocation") noteEvidence(turn, reason);
  actOnReasons(turn, slot);
}

/** A cancellation and what it displaces are pending here: a proposer needs both for the skip. */
export function keepPair(turn: Turn, { cancellation, displaced }: Extract<Reason, { kind: "cancellation" }>): void {
  // The displaced operation first: a cancellation of an operation that is kept here needs no room.
  keep(turn, displaced, { shown: true, asked: false });
  keep(turn, cancellation, { shown: true, asked: false });
}

/** Keeps a reason of a slot beside those of other kinds; one of its kind that counts already stays. */
export function keepReason(state: ValidatorState, slot: Slot, reason: SlotReason): void {
  const known = reasonsOf(state, slot);
  const same = known.find(({ kind }) => kind === reason.kind);
  if (same !== undefined && state.environment.rules.validator.reasonCounts(state, slot, same)) return;
  const kept = PRECEDENCE.flatMap((kind) =>
    kind === reason.kind ? reason : (known.find((one) => one.kind === kind) ?? []),
  );
  state.reasons = state.reasons.set(slotKey(slot), kept);
}

/** Forgets the reason that pairs this cancellation with an operation; one of another nonce stays. */
export function dropCancellation(state: ValidatorState, slot: Slot, id: OperationId): void {
  const others = reasonsOf(state, slot).filter(
    (reason) => reason.kind !== "cancellation" || idOf(state, reason.cancellation) !== id,
  );
  state.reasons = others.length === 0 ? state.reasons.delete(slotKey(slot)) : state.reasons.set(slotKey(slot), others);
}

/** Leaves round 0 where a reason of the slot counts by now and has waited for its time; else sets the timer for that. */
export function actOnReasons(turn: Turn, slot: Slot): void {
  const { state } = turn;
  const { reasonCounts, ripeAt } = state.environment.rules.validator;
  const current = slotState(state, slot);
  if (current.round > 0 || current.decided !== undefined) return;
  for (const reason of reasonsOf(state, slot)) {
    if (!reasonCounts(state, slot, reason)) continue;
    const at = ripeAt(state, turn.at, slot, reason);
    if (at <= turn.at) {
      leave(turn, slot, reason);
      return;
    }
    if (reason.kind === "equivocation" && at !== Number.POSITIVE_INFINITY)
      setTimer(turn, `evidence ${reason.proof.first.sender}`, at - turn.at);
  }
}

function leave(turn: Turn, slot: Slot, reason: SlotReason): void {
  mark(turn, MARK_OF[reason.kind]);
  if (reason.kind === "cancellation") keepPair(turn, reason);
  noteShown(turn, operationsIn(reason));
  onSlot(turn, slot, turn.state.environment.self, (context, transition) =>
    changeRound(context, transition, 1 as Round, "reason"),
  );
}

/** Puts together what is pending for an account's next nonce: a cancellation with its operation, or two conflicting ones. */
export function findReasons(turn: Turn, address: Address): void {
  const { state } = turn;
  const { nonce } = accountOf(state.ledger, address);
  const { operations, cancellation } = wantedFor(state, address, nonce);
  const [first] = operations;
  // One operation alone gives no reason.
  if (first === undefined || (operations.length === 1 && cancellation === undefined)) return;
  const slot = nextSlot(state, address);
  if (cancellation !== undefined) {
    const votes = votesOf(state, slot);
    const reasons = operations.map((displaced) => ({ kind: "cancellation", cancellation, displaced, votes }) as const);
    // One digest may be read as two kinds, and only one of them be paid for.
    const counting = reasons.find((reason) => state.environment.rules.validator.reasonCounts(state, slot, reason));
    showReason(turn, slot, counting ?? { kind: "cancellation", cancellation, displaced: first, votes });
    return;
  }
  const second = operations.slice(1).find((other) => state.environment.rules.ledger.isEquivocation(first, other));
  if (second === undefined) return;
  const reason: Reason = { kind: "equivocation", proof: { first, second }, votes: votesOf(state, slot) };
  noteEvidence(turn, reason);
  showReason(turn, slot, reason);
}

function showReason(turn: Turn, slot: Slot, reason: SlotReason): void {
  keepReason(turn.state, slot, reason);
  actOnReasons(turn, slot);
}

/** Remembers an equivocation proof, and since when it is known here: its wait is by this validator's own clock. */
export function noteEvidence(turn: Turn, reason: Extract<Reason, { kind: "equivocation" }>): void {
  const { state } = turn;
  const { sender, operation } = reason.proof.first;
  const key = evidenceKey(sender, operation.nonce);
  if (state.evidence.has(key)) return;
  state.evidence = state.evidence.set(key, { since: turn.at, reason });
  mark(turn, "proof formed");
}

/** The proof known for an account's nonce. */
export function evidenceFor(
  state: ValidatorState,
  account: Address,
  nonce: Nonce,
): Extract<Reason, { kind: "equivocation" }> | undefined {
  return state.evidence.get(evidenceKey(account, nonce))?.reason;
}

/** The votes of round 0 that this validator holds: f + 1 of them show that an honest one found it funded (protocol 3.2). */
export function votesOf(state: ValidatorState, slot: Slot): readonly Vote[] {
  const { epoch, ballots } = slotState(state, slot);
  const votes: Vote[] = [];
  for (const [key, seal] of ballots.within("vote ")) {
    const [, round, value] = key.split(" ");
    votes.push({ type: "vote", epoch, slot, round: Number(round) as Round, value: value as Vote["value"], ...seal });
  }
  return votes;
}
