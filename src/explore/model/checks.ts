/** Invariants of each state of an exploration, and the messages of their failures. */
import { entryOf } from "../../core/base/entry.ts";
import type { Epoch } from "../../core/base/ids.ts";
import { parseSlotKey, type SlotKey } from "../../core/base/slot.ts";
import { isSettled } from "../../core/validator/slot-position.ts";
import { contradictionOf } from "../../invariants/evidence/close-violations.ts";
import type { ValueNames } from "../../invariants/evidence/rule-violations.ts";
import { closerKey } from "../../invariants/history/chronicle.ts";
import { SlotBook } from "../../invariants/history/slot-signatures.ts";
import { statementOf } from "../../run/translate.ts";
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
  /** No honest validator decides a value without a quorum of commits. */
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

/** Returns the check that all signatures together fail. */
export function failureInSignatures(
  { knowledge, facts, clients }: CheckContext,
  signed: Int32Array,
): CheckFailure | undefined {
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
    if (facts.some((fact) => fact.slot === slot && fact.value === value && isSatisfied(fact.guard, signed))) continue;
    const valueText = `${valueName(knowledge, slot, value)} in ${slotName(knowledge, slot)}`;
    return { check: "certificate", text: `${name} decides ${valueText} without a quorum of commits` };
  }
  // An applied or void restriction binds through the policy and no longer as a barrier (protocol 4.2).
  if (staleBarrier === undefined) return undefined;
  const text = `${name} still has a barrier from ${slotName(knowledge, staleBarrier)}, which it has applied`;
  return { check: "barrier", text };
}

/**
 * Describes the first contradiction between a new statement of a validator and an earlier one (protocol 7.6), as the
 * oracle `amnesia` sees it, as text that follows the signer's name.
 */
export function contradictionIn(
  statements: StatementTable,
  before: readonly number[],
  after: readonly number[],
  name: ValueNames,
): string | undefined {
  const books = new Map<Epoch, Map<SlotKey, SlotBook>>();
  const closers = new Set<string>();
  const history = { books, closers, epochs: [], contents: new Map(), valueName: name };
  for (const number of new Set([...before, ...after])) {
    const statement = statementOf(statements.get(number).message.body, undefined);
    const { epoch, slot } = statement;
    const ofEpoch = entryOf(books, epoch, () => new Map<SlotKey, SlotBook>());
    const book = entryOf(ofEpoch, slot, () => new SlotBook(slot, epoch));
    const earlier = book.add(SIGNER, statement);
    if (statement.kind === "close") closers.add(closerKey(epoch, SIGNER));
    if (earlier === undefined || before.includes(number)) continue;
    const contradiction = contradictionOf(history, { signer: SIGNER, statement, before: earlier, book });
    if (contradiction !== undefined) return contradiction;
  }
  return undefined;
}

/** Index of the only signer whose statements are compared. */
const SIGNER = 0;
