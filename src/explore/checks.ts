/** What must hold in each state of an exploration, and the words for what does not. */
import { parseSlotKey } from "../core/base/slot.ts";
import { isSettled } from "../core/validator/slots/place.ts";
import type { Clients } from "./clients.ts";
import { conflictIn, type Fact } from "./facts.ts";
import { decisionsOf, type Life } from "./life.ts";
import { isMet } from "./need.ts";
import { offenceIn } from "./offence.ts";
import { type Stage, slotName, valueName } from "./stage.ts";

/** What is checked in every state that is reached, and the section of docs/protocol.md that demands it. */
export const CHECKS = {
  /** No slot has two values with a quorum of commits each, and no closing leaves out what is final. */
  agreement: "7.1, 6.3",
  /** Nobody honest contradicts what it signed before. */
  amnesia: "7.6",
  /** Nobody honest takes for decided what no quorum has committed to. */
  certificate: "3.1",
  /** Nothing first handed in after a restriction was final becomes final; what is applied bars no more by itself. */
  barrier: "4.2",
  /** Every decision that is owed is made in a fair run without further faults. */
  liveness: "7.8",
} as const;

export type CheckName = keyof typeof CHECKS;

/** A check that failed, in words. */
export interface Failed {
  readonly check: CheckName;
  readonly words: string;
}

/** What a check has to know: of the network, and the name of the validator that is checked. */
export interface Checking {
  readonly stage: Stage;
  readonly facts: readonly Fact[];
  readonly clients: Clients;
  readonly name: string;
}

/** What fails by what a validator has newly signed, where all of this is signed. */
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

/** What fails in a life beside what it has signed, where all of this is signed. */
export function failedInLife(checking: Checking, life: Life, signed: Int32Array): Failed | undefined {
  return undecided(checking, life, signed) ?? barred(checking, life);
}

function undecided({ stage, facts, name }: Checking, life: Life, signed: Int32Array): Failed | undefined {
  for (const [slot, value] of decisionsOf(life)) {
    if (facts.some((fact) => fact.slot === slot && fact.value === value && isMet(fact.tree, signed))) continue;
    const what = `${valueName(stage, slot, value)} for decided in ${slotName(stage, slot)}`;
    return { check: "certificate", words: `${name} takes ${what}, and no quorum has committed to it` };
  }
  return undefined;
}

/** A restriction that is applied, or void, binds by the policy and no more by itself (protocol 4.2). */
function barred({ stage, name }: Checking, { state }: Life): Failed | undefined {
  for (const [key] of state.barriers.entries()) {
    if (!isSettled(state, parseSlotKey(key))) continue;
    return { check: "barrier", words: `${name} is still barred by ${slotName(stage, key)}, which it has applied` };
  }
  return undefined;
}
