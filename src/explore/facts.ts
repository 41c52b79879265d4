/**
 * Final values by all signatures that exist (protocol 7.1): q commits for a value, the Byzantine validator's included,
 * in any round, assembled or not. Quorums are counted by the oracles' arithmetic instead of the core's.
 */
import type { Epoch, Hash } from "../core/base/ids.ts";
import { type SlotKey, slotKey } from "../core/base/slot.ts";
import { bounds } from "../invariants/history/quorum.ts";
import { anyOf, isMet, manyOf, type Need, type NeedTree, treeOf } from "./need.ts";
import { type Stage, slotName, valueName } from "./stage.ts";

/** Value that may become final in a slot, with its guard. `undefined`: the closing of this epoch omits the slot. */
export interface Fact {
  readonly slot: SlotKey;
  readonly epoch: Epoch;
  readonly value: Hash | undefined;
  readonly need: Need;
  readonly tree: NeedTree;
}

/** Returns all values of slots for which a quorum may have signed. */
export function factsOf(stage: Stage): readonly Fact[] {
  const { quorum } = bounds(stage.arena.committee.members.length);
  const needs = new Map<
    string,
    { readonly slot: SlotKey; readonly epoch: Epoch; readonly value: Hash; readonly needs: Need[] }
  >();
  for (const { kind, epoch, slot, value, sayings } of stage.ballots) {
    if (kind !== "commit") continue;
    const key = `${epoch} ${slotKey(slot)} ${value}`;
    const known = needs.get(key) ?? { slot: slotKey(slot), epoch, value, needs: [] };
    needs.set(key, known);
    known.needs.push(manyOf(sayings, quorum - 1));
  }
  const plain = [...needs.values()].map(({ slot, epoch, value, needs: some }) => fact(slot, epoch, value, anyOf(some)));
  const found = plain.filter(({ need }) => need.length > 0);
  return [...found, ...closingFacts(stage, found)];
}

/** Returns the facts of a final closing: for each slot of its epoch the listed value or an omission (protocol 6.3). */
function closingFacts(stage: Stage, plain: readonly Fact[]): readonly Fact[] {
  const slots = new Set(plain.filter(({ slot }) => !slot.startsWith("epoch/")).map(({ slot }) => slot));
  return plain.flatMap(({ slot, epoch, value, need }) => {
    if (!slot.startsWith("epoch/") || value === undefined) return [];
    const content = stage.values.get(`${slot} ${value}`)?.content(() => true).value;
    if (content?.type !== "closing") return [];
    const listed = new Map(
      content.listed.map((one) => [slotKey(one.slot), stage.arena.compiled.commons.shared.hashes.value(one.value)]),
    );
    return [...new Set([...slots, ...listed.keys()])].map((one) => fact(one, epoch, listed.get(one), need));
  });
}

function fact(slot: SlotKey, epoch: Epoch, value: Hash | undefined, need: Need): Fact {
  return { slot, epoch, value, need, tree: treeOf(need) };
}

/** Describes two final facts that exclude each other. */
export function conflictIn(stage: Stage, facts: readonly Fact[], signed: Int32Array): string | undefined {
  const met = facts.filter(({ tree }) => isMet(tree, signed));
  for (const [place, one] of met.entries()) {
    const other = met.slice(0, place).find((before) => excludes(before, one));
    if (other === undefined) continue;
    return `in ${slotName(stage, one.slot)} both ${told(stage, other)} and ${told(stage, one)}`;
  }
  return undefined;
}

function excludes(one: Fact, other: Fact): boolean {
  if (one.slot !== other.slot) return false;
  // The next epoch may decide a slot that its epoch's closing omits.
  if (one.value === undefined || other.value === undefined)
    return one.epoch === other.epoch && one.value !== other.value;
  return one.value !== other.value;
}

function told(stage: Stage, { slot, epoch, value }: Fact): string {
  if (value === undefined) return `nothing is decided, by the closing of epoch ${epoch}`;
  return `a quorum committed to ${valueName(stage, slot, value)}`;
}
