/** Invariants of each state of an exploration, and the messages of their failures. */
import { parseSlotKey, type SlotKey, slotKey } from "../../core/base/slot.ts";
import type { SignedMessage } from "../../core/consensus/message.ts";
import { isSettled } from "../../core/validator/slot-position.ts";
import { conflictIn, type FinalFact, type FirstSubmissions } from "./first-submissions.ts";
import { isSatisfied } from "./guard.ts";
import { decisionsOf, type LocalState } from "./local-state.ts";
import { type NetworkKnowledge, slotName, valueName } from "./network-knowledge.ts";
import type { StatementTable } from "./statements.ts";

/** Invariants that are checked in every reached state, with the sections of docs/protocol.md that demand them. */
export const CHECKS = {
  /** No slot has two values with a quorum of commits each, and no closing omits a final slot. */
  agreement: "7.1, 6.3",
  /** No honest validator contradicts an earlier signature of its own. */
  amnesia: "7.6",
  /** No honest validator finalizes a value without a quorum of commits. */
  certificate: "3.1",
  /**
   * No operation first submitted after a final restriction becomes final; an applied restriction no longer acts as a
   * barrier.
   */
  barrier: "4.2",
  /** A fair run without further faults meets every demand. */
  liveness: "7.8",
} as const;

type CheckName = keyof typeof CHECKS;

/** Failed check with its message. */
export type CheckFailure = Readonly<{ check: CheckName; text: string }>;

/** Context of the checks: the network's knowledge, and the name of the checked validator. */
export interface CheckContext {
  readonly knowledge: NetworkKnowledge;
  readonly facts: readonly FinalFact[];
  readonly clients: FirstSubmissions;
  readonly name: string;
}

/** Parts of a local state that are checked against the signatures of all. */
export interface CheckedParts {
  readonly decisions: ReturnType<typeof decisionsOf>;
  /** Settled slot from which there still is a barrier. */
  readonly staleBarrier: SlotKey | undefined;
}

export function checkedPartsOf(localState: LocalState): CheckedParts {
  const { state } = localState;
  const barriers = [...state.slots.barriers.entries()].map(([key]) => key as SlotKey);
  return {
    decisions: decisionsOf(localState),
    staleBarrier: barriers.find((key) => isSettled(state, parseSlotKey(key))),
  };
}

/**
 * Returns the check that the validator's new signatures fail, given its contradiction (`contradictionIn`) and all
 * signatures in `signed`.
 */
export function failureInSignatures(
  { knowledge, facts, clients, name }: CheckContext,
  contradiction: string | undefined,
  signed: Int32Array,
): CheckFailure | undefined {
  if (contradiction !== undefined) return { check: "amnesia", text: `${name} ${contradiction}` };
  const conflict = conflictIn(knowledge, facts, signed);
  if (conflict !== undefined) return { check: "agreement", text: conflict };
  const late = clients.lateFinality(knowledge, facts, signed);
  return late === undefined ? undefined : { check: "barrier", text: late };
}

/** Returns the check that a local state fails apart from its signatures, given all signatures in `signed`. */
export function failureInState(
  { knowledge, facts, name }: CheckContext,
  { decisions, staleBarrier }: CheckedParts,
  signed: Int32Array,
): CheckFailure | undefined {
  for (const [slot, value] of decisions) {
    if (facts.some((fact) => fact.slot === slot && fact.value === value && isSatisfied(fact.tree, signed))) continue;
    const valueText = `${valueName(knowledge, slot, value)} in ${slotName(knowledge, slot)}`;
    return { check: "certificate", text: `${name} finalizes ${valueText} without a quorum of commits` };
  }
  // An applied or void restriction binds through the policy and no longer as a barrier (protocol 4.2).
  if (staleBarrier === undefined) return undefined;
  const text = `${name} still has a barrier from ${slotName(knowledge, staleBarrier)}, which it has applied`;
  return { check: "barrier", text };
}

/**
 * Describes the first contradiction between a new statement of a validator and an earlier one (protocol 7.6), derived
 * from the protocol and not from the core, as text that follows the signer's name.
 */
export function contradictionIn(
  statements: StatementTable,
  before: readonly number[],
  after: readonly number[],
): string | undefined {
  const earlier = before.map((number) => statements.get(number).message.body);
  for (const number of after) {
    if (before.includes(number)) continue;
    const { body } = statements.get(number).message;
    const text = earlier.map((one) => equivocation(one, body)).find((one) => one !== undefined);
    if (text !== undefined) return text;
    earlier.push(body);
  }
  return undefined;
}

function equivocation(before: SignedMessage, now: SignedMessage): string | undefined {
  if (before.epoch !== now.epoch) return undefined;
  if (before.type === "close" && now.slot.kind !== "epoch")
    return `signed in epoch ${now.epoch} after it had closed it`;
  if (before.type === "close" && now.type === "close" && claimsOf(before) !== claimsOf(now))
    return `closed epoch ${now.epoch} twice, with different claims`;
  if (now.type === "close") return hiddenInClose(before, now);
  if (slotKey(before.slot) !== slotKey(now.slot)) return undefined;
  return (
    equivocationBetween(before, now) ?? lateBallot(before, now) ?? hiddenLock(before, now) ?? hiddenLock(now, before)
  );
}

function equivocationBetween(before: SignedMessage, now: SignedMessage): string | undefined {
  if (before.type !== now.type || before.round !== now.round) return undefined;
  if (before.type === "roundChange" && now.type === "roundChange")
    return lockOf(before) === lockOf(now) ? undefined : `changed to round ${now.round} twice, with different locks`;
  const did = { vote: "voted", commit: "committed", proposal: "proposed" } as const;
  if (now.type === "roundChange" || now.type === "close" || before.type === "roundChange" || before.type === "close")
    return undefined;
  return before.value === now.value ? undefined : `${did[now.type]} twice in round ${now.round}`;
}

/** A validator neither votes nor commits below a round of its earlier ballots or round changes (protocol 3.2). */
function lateBallot(before: SignedMessage, now: SignedMessage): string | undefined {
  if (now.type !== "vote" && now.type !== "commit") return undefined;
  if (before.type === "proposal" || before.round <= now.round) return undefined;
  return `${now.type === "vote" ? "voted" : "committed"} in round ${now.round} after round ${before.round}`;
}

/** A commit and a change to a higher round with a lower lock contradict each other in any order (protocol 3.2). */
function hiddenLock(commit: SignedMessage, change: SignedMessage): string | undefined {
  if (commit.type !== "commit" || change.type !== "roundChange" || commit.round >= change.round) return undefined;
  const { lock } = change;
  const shows =
    lock !== undefined && (lock.round > commit.round || (lock.round === commit.round && lock.value === commit.value));
  return shows
    ? undefined
    : `committed in round ${commit.round} and omitted that lock from its change to round ${change.round}`;
}

/** A close claims for each slot what its signer committed to, or something later (protocol 6.3). */
function hiddenInClose(
  before: SignedMessage,
  { claims, epoch }: Extract<SignedMessage, { type: "close" }>,
): string | undefined {
  if (before.type !== "commit" || before.slot.kind === "epoch") return undefined;
  const claim = claims.find(({ slot }) => slotKey(slot) === slotKey(before.slot));
  if (claim?.type === "finality") return undefined;
  const shows =
    claim !== undefined &&
    (claim.round > before.round || (claim.round === before.round && claim.value === before.value));
  return shows
    ? undefined
    : `committed in round ${before.round} of ${slotKey(before.slot)} and omitted that lock in closing epoch ${epoch}`;
}

function lockOf({ lock }: Extract<SignedMessage, { type: "roundChange" }>): string {
  return lock === undefined ? "" : `${lock.round} ${lock.value}`;
}

function claimsOf({ claims }: Extract<SignedMessage, { type: "close" }>): string {
  return claims.map(({ type, slot, round, value }) => `${type} ${slotKey(slot)} ${round} ${value}`).join(";");
}
