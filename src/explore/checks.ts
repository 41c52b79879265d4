/** Invariants of each state of an exploration, and the messages of their failures. */
import { parseSlotKey } from "../core/base/slot.ts";
import { isSettled } from "../core/validator/slots/place.ts";
import type { Clients } from "./clients.ts";
import { conflictIn, type Fact } from "./facts.ts";
import { decisionsOf, type Life } from "./life.ts";
import { isMet } from "./need.ts";
import { offenceIn } from "./offence.ts";
import { type Stage, slotName, valueName } from "./stage.ts";

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
export interface Failed {
  readonly check: CheckName;
  readonly words: string;
}

/** Context of the checks: the network's knowledge, and the name of the checked validator. */
export interface Checking {
  readonly stage: Stage;
  readonly facts: readonly Fact[];
  readonly clients: Clients;
  readonly name: string;
}

/** Returns the check that the validator's new signatures fail, given all signatures in `signed`. */
export function failedInSaid(
  { stage, facts, clients, name }: Checking,
  before: Life,
  now: Life,
  signed: Int32Array,
): Failed | undefined {
  const offence = offenceIn(stage.sayings, before.said, now.said);
  if (offence !== undefined) return { check: "amnesia", words: `${name} ${offence}` };
  const conflict = conflictIn(stage, facts, signed);
  if (conflict !== undefined) return { check: "agreement", words: conflict };
  const passed = clients.passed(stage, facts, signed);
  return passed === undefined ? undefined : { check: "barrier", words: passed };
}

/** Returns the check that a local state fails apart from its signatures, given all signatures in `signed`. */
export function failedInLife(checking: Checking, life: Life, signed: Int32Array): Failed | undefined {
  return undecided(checking, life, signed) ?? barred(checking, life);
}

function undecided({ stage, facts, name }: Checking, life: Life, signed: Int32Array): Failed | undefined {
  for (const [slot, value] of decisionsOf(life)) {
    if (facts.some((fact) => fact.slot === slot && fact.value === value && isMet(fact.tree, signed))) continue;
    const what = `${valueName(stage, slot, value)} in ${slotName(stage, slot)}`;
    return { check: "certificate", words: `${name} finalizes ${what} without a quorum of commits` };
  }
  return undefined;
}

/** An applied or void restriction binds through the policy and no longer as a barrier (protocol 4.2). */
function barred({ stage, name }: Checking, { state }: Life): Failed | undefined {
  for (const [key] of state.barriers.entries()) {
    if (!isSettled(state, parseSlotKey(key))) continue;
    return {
      check: "barrier",
      words: `${name} still has a barrier from ${slotName(stage, key)}, which it has applied`,
    };
  }
  return undefined;
}
