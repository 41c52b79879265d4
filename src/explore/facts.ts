/**
 * What is final by all signatures that exist (protocol 7.1): q commits for a value, the liar's counted, in whatever round,
 * whether or not anybody has put them together. Quorums are counted by the oracles' arithmetic, not by the core's.
 */
import type { Epoch, Hash } from "../core/base/ids.ts";
import { type SlotKey, slotKey } from "../core/base/slot.ts";
import { bounds } from "../invariants/history/quorum.ts";
import { anyOf, isMet, manyOf, type Need, type NeedTree, treeOf } from "./need.ts";
import { type Stage, slotName, valueName } from "./stage.ts";

/** A value of a slot that may become final, and when it is. `undefined`: the closing of this epoch leaves the slot out. */
export interface Fact {
  readonly slot: SlotKey;
  readonly epoch: Epoch;
  readonly value: Hash | undefined;
  readonly need: Need;
  readonly tree: NeedTree;
}

/** All values of slots for which enough may be signed. */
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

/** What a final closing says of every slot of its epoch: it lists its value, or leaves it out (protocol 6.3). */
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

/** Two things that are final and exclude each other, in words. */
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
  // Left out of its epoch's closing, a slot may be decided in the next one.
  if (one.value === undefined || other.value === undefined)
    return one.epoch === other.epoch && one.value !== other.value;
  return one.value !== other.value;
}

function told(stage: Stage, { slot, epoch, value }: Fact): string {
  if (value === undefined) return `nothing is decided, by the closing of epoch ${epoch}`;
  return `a quorum committed to ${valueName(stage, slot, value)}`;
}
