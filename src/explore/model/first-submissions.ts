/**
 * Final values, and first submissions where their time matters: a payment of a restricted token that is first submitted
 * after the restriction is final must not become final (protocol 4.2, Barrier). All other operations are available from
 * the start.
 *
 * Final values are those of all signatures that exist (protocol 7.1): q commits for a value, the Byzantine validator's
 * included, in any round, assembled or not. Quorums are counted by the oracles' arithmetic instead of the core's.
 */
import { entryOf } from "../../core/base/entry.ts";
import type { Address, Epoch, Hash } from "../../core/base/ids.ts";
import type { SignedOperation } from "../../core/base/operation.ts";
import { type SlotKey, slotKey } from "../../core/base/slot.ts";
import { bounds } from "../../invariants/history/quorum.ts";
import { atLeast, disjunction, type Guard, hasBit, isSatisfied, NEVER, setBit, TRUE_GUARD } from "./guard.ts";
import { type NetworkKnowledge, slotName, valueName } from "./network-knowledge.ts";
import type { StatementTable } from "./statements.ts";
import type { System } from "./system.ts";
import type { Edge, VisibleStep } from "./transition.ts";
import { slotOf } from "./values.ts";

/** Payment, and the operations that bar it once they are final. */
interface BarredSubmission {
  readonly name: string;
  readonly signed: SignedOperation;
  readonly barringNames: ReadonlySet<string>;
  /** Number of its submission while no restriction was final, and of the one after a restriction was final. */
  readonly early: number;
  readonly late: number;
  lateGuard: Guard;
}

/** Number of the clients before their first step. */
export const NOTHING_SUBMITTED = 0;

const EARLY = " is first submitted";
const LATE = `${EARLY} after its restriction is final`;

/**
 * The clients as a component of the global state: its number encodes for each such payment if and when it was
 * submitted.
 */
export class FirstSubmissions {
  readonly #barred: readonly BarredSubmission[];

  constructor(system: System, statements: StatementTable) {
    this.#barred = barredIn(system).map((payment) => ({
      ...payment,
      early: statements.reserve(),
      late: statements.reserve(),
      lateGuard: NEVER,
    }));
  }

  /** Guard of every disclosure of an operation. */
  readonly release = (name: string): Guard => {
    const found = this.#barred.find((submission) => submission.name === name);
    return found === undefined ? TRUE_GUARD : [[found.early], [found.late]];
  };

  /** Updates the guards after new statements: a restriction may be final now. */
  updateGuards(knowledge: NetworkKnowledge, facts: readonly FinalFact[]): void {
    for (const submission of this.#barred)
      submission.lateGuard = disjunction(
        facts.filter((fact) => isRestriction(knowledge, fact, submission.barringNames)).map(({ guard }) => guard),
      );
  }

  addSigned(id: number, bits: Int32Array): void {
    let left = id;
    for (const { early, late } of this.#barred) {
      const digit = left % 3;
      left = (left - digit) / 3;
      if (digit === 0) continue;
      setBit(bits, digit === 1 ? early : late);
    }
  }

  forEachEdge(id: number, signed: Int32Array, report: (edge: Edge) => void): void {
    for (const [index, { lateGuard }] of this.#barred.entries()) {
      const digit = 3 ** index;
      if (Math.floor(id / digit) % 3 !== 0) continue;
      report({ state: id + digit, crashPoint: undefined, transitions: [] });
      if (isSatisfied(lateGuard, signed)) report({ state: id + 2 * digit, crashPoint: undefined, transitions: [] });
    }
  }

  /** Returns the successors of this component; every step of a client is visible. */
  successors(id: number, signed: Int32Array): readonly VisibleStep[] {
    const found: VisibleStep[] = [];
    this.forEachEdge(id, signed, ({ state: localState }) => found.push({ state: localState, isCrash: false }));
    return found;
  }

  /** Describes a step of this component. */
  describe(before: number, now: number): string {
    const index = this.#barred.findIndex((_, at) => Math.floor(before / 3 ** at) % 3 !== Math.floor(now / 3 ** at) % 3);
    const { name = "" } = this.#barred[index] ?? {};
    return Math.floor(now / 3 ** index) % 3 === 2 ? `${name}${LATE}` : `${name}${EARLY}`;
  }

  /**
   * Returns the operation that a step of this text submits, and the number of its event; `undefined` for other texts.
   */
  submissionIn(text: string): { readonly name: string; readonly statement: number } | undefined {
    for (const { name, early, late } of this.#barred) {
      if (text === `${name}${EARLY}`) return { name, statement: early };
      if (text === `${name}${LATE}`) return { name, statement: late };
    }
    return undefined;
  }

  /** Describes a final payment that was first submitted after its restriction was final. */
  lateFinality({ system }: NetworkKnowledge, facts: readonly FinalFact[], signed: Int32Array): string | undefined {
    const { hashes } = system.compiled.commons;
    for (const { name, signed: payment, late } of this.#barred) {
      if (!hasBit(signed, late)) continue;
      const [slot, value] = [slotKey(slotOf(payment)), hashes.value(hashes.operationValue(payment))];
      if (facts.some((fact) => fact.slot === slot && fact.value === value && isSatisfied(fact.guard, signed)))
        return `${name} is final, although it was first submitted after its restriction was final`;
    }
    return undefined;
  }
}

type BarredPayment = Pick<BarredSubmission, "name" | "signed" | "barringNames">;

/** Returns the payments and batches of tokens that the scenario pauses, or bars one of their parties from, and never unbars. */
function barredIn({ operations }: System): readonly BarredPayment[] {
  return operations.flatMap(({ name, signed }): readonly BarredPayment[] => {
    const { operation } = signed;
    if (operation.kind !== "payment" && operation.kind !== "batch") return [];
    const paid = operation.kind === "batch" ? operation.legs.map((leg) => leg.recipient) : [operation.recipient];
    const parties = [signed.sender, ...paid];
    const touching = operations.map((other) => ({
      name: other.name,
      effect: restrictionEffect(other.signed, operation.token, parties),
    }));
    if (touching.some(({ effect }) => effect === "lifts")) return [];
    const barringNames = new Set(touching.flatMap((other) => (other.effect === "bars" ? [other.name] : [])));
    return barringNames.size === 0 ? [] : [{ name, signed, barringNames }];
  });
}

function restrictionEffect(
  { operation }: SignedOperation,
  token: Address,
  parties: readonly Address[],
): "bars" | "lifts" | undefined {
  if (operation.kind === "pause" && operation.token === token)
    return operation.action.toLowerCase() === "pause" ? "bars" : "lifts";
  if (operation.kind !== "list" || operation.token !== token || !parties.includes(operation.address)) return undefined;
  const adds = operation.action.toLowerCase() === "add";
  return adds === (operation.list === "blacklist") ? "bars" : "lifts";
}

function isRestriction({ values }: NetworkKnowledge, { slot, value }: FinalFact, names: ReadonlySet<string>): boolean {
  if (!slot.startsWith("token/") || value === undefined) return false;
  return values.get(`${slot} ${value}`)?.carries.some((name) => names.has(name)) ?? false;
}

/** Value that may become final in a slot, with its guard. `undefined`: the closing of this epoch omits the slot. */
export interface FinalFact {
  readonly slot: SlotKey;
  readonly epoch: Epoch;
  readonly value: Hash | undefined;
  readonly guard: Guard;
  /** Earlier facts that exclude it. */
  readonly rivals: readonly FinalFact[];
}

type UnrivalledFact = Omit<FinalFact, "rivals">;

/** Returns all values of slots for which a quorum may have signed. */
export function factsOf(knowledge: NetworkKnowledge): readonly FinalFact[] {
  const { quorum } = bounds(knowledge.system.committee.members.length);
  const guards = new Map<
    string,
    { readonly slot: SlotKey; readonly epoch: Epoch; readonly value: Hash; readonly guards: Guard[] }
  >();
  for (const { kind, epoch, slot, value, statements } of knowledge.ballots) {
    if (kind !== "commit") continue;
    const key = slotKey(slot);
    const fact = entryOf(guards, `${epoch} ${key} ${value}`, () => ({ slot: key, epoch, value, guards: [] }));
    fact.guards.push(atLeast(statements, quorum - 1));
  }
  const plain = [...guards.values()].map(({ guards: alternatives, ...fact }) => ({
    ...fact,
    guard: disjunction(alternatives),
  }));
  const possible = plain.filter(({ guard }) => guard.length > 0);
  const facts = [...possible, ...closingFacts(knowledge, possible)];
  const rivalled: FinalFact[] = [];
  for (const fact of facts) rivalled.push({ ...fact, rivals: rivalled.filter((before) => excludes(before, fact)) });
  return rivalled;
}

/** Returns the facts of a final closing: for each slot of its epoch the listed value or an omission (protocol 6.3). */
function closingFacts(knowledge: NetworkKnowledge, plain: readonly UnrivalledFact[]): readonly UnrivalledFact[] {
  const slots = new Set(plain.filter(({ slot }) => !slot.startsWith("epoch/")).map(({ slot }) => slot));
  return plain.flatMap(({ slot, epoch, value, guard }) => {
    if (!slot.startsWith("epoch/") || value === undefined) return [];
    const content = knowledge.values.get(`${slot} ${value}`)?.content(() => true).value;
    if (content?.type !== "closing") return [];
    const listed = new Map(
      content.listed.map((decision) => [
        slotKey(decision.slot),
        knowledge.system.compiled.commons.shared.hashes.value(decision.value),
      ]),
    );
    const keys = new Set([...slots, ...listed.keys()]);
    return [...keys].map((key) => ({ slot: key, epoch, value: listed.get(key), guard }));
  });
}

/** Describes two final facts that exclude each other. */
export function conflictIn(
  knowledge: NetworkKnowledge,
  facts: readonly FinalFact[],
  signed: Int32Array,
): string | undefined {
  for (const fact of facts) {
    if (fact.rivals.length === 0 || !isSatisfied(fact.guard, signed)) continue;
    const other = fact.rivals.find(({ guard }) => isSatisfied(guard, signed));
    if (other === undefined) continue;
    return `in ${slotName(knowledge, fact.slot)} both ${factText(knowledge, other)} and ${factText(knowledge, fact)}`;
  }
  return undefined;
}

function excludes(a: UnrivalledFact, b: UnrivalledFact): boolean {
  if (a.slot !== b.slot) return false;
  // The next epoch may decide a slot that its epoch's closing omits.
  if (a.value === undefined || b.value === undefined) return a.epoch === b.epoch && a.value !== b.value;
  return a.value !== b.value;
}

function factText(knowledge: NetworkKnowledge, { slot, epoch, value }: FinalFact): string {
  if (value === undefined) return `nothing is decided, by the closing of epoch ${epoch}`;
  return `a quorum committed to ${valueName(knowledge, slot, value)}`;
}
