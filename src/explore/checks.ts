/** Invariants of each state of an exploration, and the messages of their failures. */
import { parseSlotKey } from "../core/base/slot.ts";
import { isSettled } from "../core/validator/slot-position.ts";
import { conflictIn, type FinalFact } from "./final-facts.ts";
import type { FirstSubmissions } from "./first-submissions.ts";
import { isSatisfied } from "./guard.ts";
import { decisionsOf, type LocalState } from "./local-state.ts";
import { type NetworkKnowledge, slotName, valueName } from "./network-knowledge.ts";
import { ruleViolationIn } from "./rule-violations.ts";

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

export type CheckName = keyof typeof CHECKS;

/** Failed check with its message. */
export interface CheckFailure {
  readonly check: CheckName;
  readonly text: string;
}

/** Context of the checks: the network's knowledge, and the name of the checked validator. */
export interface CheckContext {
  readonly stage: NetworkKnowledge;
  readonly facts: readonly FinalFact[];
  readonly clients: FirstSubmissions;
  readonly name: string;
}

/** Returns the check that the validator's new signatures fail, given all signatures in `signed`. */
export function failureInSignatures(
  { stage: knowledge, facts, clients, name }: CheckContext,
  before: LocalState,
  now: LocalState,
  signed: Int32Array,
): CheckFailure | undefined {
  const offence = ruleViolationIn(knowledge.statements, before.signed, now.signed);
  if (offence !== undefined) return { check: "amnesia", text: `${name} ${offence}` };
  const conflict = conflictIn(knowledge, facts, signed);
  if (conflict !== undefined) return { check: "agreement", text: conflict };
  const passed = clients.passed(knowledge, facts, signed);
  return passed === undefined ? undefined : { check: "barrier", text: passed };
}

/** Returns the check that a local state fails apart from its signatures, given all signatures in `signed`. */
export function failureInState(
  checking: CheckContext,
  localState: LocalState,
  signed: Int32Array,
): CheckFailure | undefined {
  return undecided(checking, localState, signed) ?? barred(checking, localState);
}

function undecided(
  { stage: knowledge, facts, name }: CheckContext,
  localState: LocalState,
  signed: Int32Array,
): CheckFailure | undefined {
  for (const [slot, value] of decisionsOf(localState)) {
    if (facts.some((fact) => fact.slot === slot && fact.value === value && isSatisfied(fact.tree, signed))) continue;
    const what = `${valueName(knowledge, slot, value)} in ${slotName(knowledge, slot)}`;
    return { check: "certificate", text: `${name} finalizes ${what} without a quorum of commits` };
  }
  return undefined;
}

/** An applied or void restriction binds through the policy and no longer as a barrier (protocol 4.2). */
function barred({ stage: knowledge, name }: CheckContext, { state }: LocalState): CheckFailure | undefined {
  for (const [key] of state.barriers.entries()) {
    if (!isSettled(state, parseSlotKey(key))) continue;
    return {
      check: "barrier",
      text: `${name} still has a barrier from ${slotName(knowledge, key)}, which it has applied`,
    };
  }
  return undefined;
}
