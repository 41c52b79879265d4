/**
 * Final values by all signatures that exist (protocol 7.1): q commits for a value, the Byzantine validator's included,
 * in any round, assembled or not. Quorums are counted by the oracles' arithmetic instead of the core's.
 */
import type { Epoch, Hash } from "../core/base/ids.ts";
import { type SlotKey, slotKey } from "../core/base/slot.ts";
import { bounds } from "../invariants/history/quorum.ts";
import { any, atLeast, type Guard, type GuardTree, guardTree, isSatisfied } from "./guard.ts";
import { type NetworkKnowledge, slotName, valueName } from "./network-knowledge.ts";

/** Value that may become final in a slot, with its guard. `undefined`: the closing of this epoch omits the slot. */
export interface FinalFact {
  readonly slot: SlotKey;
  readonly epoch: Epoch;
  readonly value: Hash | undefined;
  readonly guard: Guard;
  readonly tree: GuardTree;
}

/** Returns all values of slots for which a quorum may have signed. */
export function factsOf(knowledge: NetworkKnowledge): readonly FinalFact[] {
  const { quorum } = bounds(knowledge.system.committee.members.length);
  const guards = new Map<
    string,
    { readonly slot: SlotKey; readonly epoch: Epoch; readonly value: Hash; readonly needs: Guard[] }
  >();
  for (const { kind, epoch, slot, value, statements } of knowledge.ballots) {
    if (kind !== "commit") continue;
    const key = `${epoch} ${slotKey(slot)} ${value}`;
    const known = guards.get(key) ?? { slot: slotKey(slot), epoch, value, needs: [] };
    guards.set(key, known);
    known.needs.push(atLeast(statements, quorum - 1));
  }
  const plain = [...guards.values()].map(({ slot, epoch, value, needs: some }) => fact(slot, epoch, value, any(some)));
  const found = plain.filter(({ guard }) => guard.length > 0);
  return [...found, ...closingFacts(knowledge, found)];
}

/** Returns the facts of a final closing: for each slot of its epoch the listed value or an omission (protocol 6.3). */
function closingFacts(knowledge: NetworkKnowledge, plain: readonly FinalFact[]): readonly FinalFact[] {
  const slots = new Set(plain.filter(({ slot }) => !slot.startsWith("epoch/")).map(({ slot }) => slot));
  return plain.flatMap(({ slot, epoch, value, guard }) => {
    if (!slot.startsWith("epoch/") || value === undefined) return [];
    const content = knowledge.values.get(`${slot} ${value}`)?.content(() => true).value;
    if (content?.type !== "closing") return [];
    const listed = new Map(
      content.listed.map((one) => [
        slotKey(one.slot),
        knowledge.system.compiled.commons.shared.hashes.value(one.value),
      ]),
    );
    return [...new Set([...slots, ...listed.keys()])].map((one) => fact(one, epoch, listed.get(one), guard));
  });
}

function fact(slot: SlotKey, epoch: Epoch, value: Hash | undefined, guard: Guard): FinalFact {
  return { slot, epoch, value, guard, tree: guardTree(guard) };
}

/** Describes two final facts that exclude each other. */
export function conflictIn(
  knowledge: NetworkKnowledge,
  facts: readonly FinalFact[],
  signed: Int32Array,
): string | undefined {
  const met = facts.filter(({ tree }) => isSatisfied(tree, signed));
  for (const [index, one] of met.entries()) {
    const other = met.slice(0, index).find((before) => excludes(before, one));
    if (other === undefined) continue;
    return `in ${slotName(knowledge, one.slot)} both ${told(knowledge, other)} and ${told(knowledge, one)}`;
  }
  return undefined;
}

function excludes(one: FinalFact, other: FinalFact): boolean {
  if (one.slot !== other.slot) return false;
  // The next epoch may decide a slot that its epoch's closing omits.
  if (one.value === undefined || other.value === undefined)
    return one.epoch === other.epoch && one.value !== other.value;
  return one.value !== other.value;
}

function told(knowledge: NetworkKnowledge, { slot, epoch, value }: FinalFact): string {
  if (value === undefined) return `nothing is decided, by the closing of epoch ${epoch}`;
  return `a quorum committed to ${valueName(knowledge, slot, value)}`;
}
