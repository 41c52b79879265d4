/** Sets of round changes, distinguished by their locks and not by their signers (protocol 3.2). */
import type { Epoch, Hash, Round } from "../core/base/ids.ts";
import { type Slot, type SlotKey, slotKey } from "../core/base/slot.ts";
import type { RoundChange } from "../core/consensus/message.ts";
import { ALWAYS, allOf, anyOf, choose, type Need } from "./need.ts";
import { locksIn, locksText, type Top, topOf } from "./sayings.ts";
import { certificateNeed, type Has, liarsChange, lockFrom, type Stage, voteBehind } from "./stage.ts";

/** Round changes of different validators for one round, identified by their locks. */
export interface Justification {
  readonly locks: readonly Top[];
  readonly need: Need;
  /** Returns the first such set that exists, highest locks first. */
  readonly build: (has: Has) => readonly RoundChange[];
}

/** Round change that one validator may contribute. */
interface Part {
  readonly lock: Top | undefined;
  readonly need: Need;
  readonly exists: (has: Has) => boolean;
  readonly make: (has: Has) => RoundChange;
}

/** Returns all justifications by `size` validators in a round; the Byzantine one contributes any lock that exists. */
export function justifications(
  stage: Stage,
  epoch: Epoch,
  slot: Slot,
  round: Round,
  size: number,
): readonly Justification[] {
  const key = slotKey(slot);
  const own = stage.isSilent ? [] : [liarsParts(stage, epoch, slot, round)];
  const parts = [...honestParts(stage, epoch, key, round), ...own];
  const found = new Map<string, { readonly locks: readonly Top[]; readonly sets: (readonly Part[])[] }>();
  for (const signers of choose(parts, size)) {
    for (const set of combinations(signers)) {
      for (const ordered of ways(set)) {
        const locks = ordered.flatMap(({ lock }) => lock ?? []);
        const text = locksText(locks);
        const known = found.get(text) ?? { locks, sets: [] };
        found.set(text, known);
        known.sets.push(ordered);
      }
    }
  }
  return [...found.values()].map(({ locks, sets }) => ({
    locks,
    need: anyOf(sets.map((set) => allOf(set.map((part) => part.need)))),
    build: (has) => {
      const set = sets.find((one) => one.every((part) => part.exists(has)));
      if (set === undefined) throw new RangeError(`no round changes to round ${round} of ${key} exist for this`);
      return set.map((part) => part.make(has));
    },
  }));
}

function honestParts(stage: Stage, epoch: Epoch, slot: SlotKey, round: Round): readonly (readonly Part[])[] {
  return stage.arena.honest.map((_, by) =>
    stage.changes.flatMap(({ number, message, by: signer, slot: key }): readonly Part[] => {
      const { body } = message;
      if (signer !== by || key !== slot || body.type !== "roundChange" || body.epoch !== epoch || body.round !== round)
        return [];
      const lock = body.lock === undefined ? undefined : { round: body.lock.round, value: body.lock.value };
      return [{ lock, need: [[number]], exists: (has) => has(number), make: () => body }];
    }),
  );
}

function liarsParts(stage: Stage, epoch: Epoch, slot: Slot, round: Round): readonly Part[] {
  const key = slotKey(slot);
  const none: Part = {
    lock: undefined,
    need: ALWAYS,
    exists: () => true,
    make: () => liarsChange(stage, epoch, slot, round, undefined),
  };
  const locks = stage.ballots.flatMap((ballot): readonly Part[] => {
    const { kind, value } = ballot;
    if (kind !== "vote" || ballot.epoch !== epoch || slotKey(ballot.slot) !== key || ballot.round >= round) return [];
    const need = certificateNeed(stage, ballot);
    if (need.length === 0) return [];
    return [
      {
        lock: { round: ballot.round, value },
        need,
        exists: (has) => need.some((one) => one.every(has)),
        make: (has) =>
          liarsChange(
            stage,
            epoch,
            slot,
            round,
            lockFrom(stage, voteBehind(stage, key, epoch, { round: ballot.round, value }), has),
          ),
      },
    ];
  });
  return [none, ...locks];
}

/** Returns all selections of one contribution for each signer. */
function combinations(signers: readonly (readonly Part[])[]): readonly (readonly Part[])[] {
  return signers.reduce<readonly (readonly Part[])[]>(
    (sets, parts) => sets.flatMap((set) => parts.map((part) => [...set, part])),
    [[]],
  );
}

/** Orders a set by its locks alone; two highest locks of one round, possible only after a mistake, give two orders. */
function ways(set: readonly Part[]): readonly (readonly Part[])[] {
  const top = topOf(set.map(({ lock }) => lock));
  const sorted = locksIn(set);
  const inOrder = set.toSorted((a, b) => placeIn(sorted, a) - placeIn(sorted, b));
  if (top === undefined) return [inOrder];
  const values = new Set<Hash>(set.flatMap(({ lock }) => (lock?.round === top.round ? [lock.value] : [])));
  return [...values].map((value) => {
    const first = inOrder.filter(({ lock }) => lock?.round === top.round && lock.value === value);
    return [...first, ...inOrder.filter((part) => !first.includes(part))];
  });
}

/** Round changes without a lock come last. */
function placeIn(sorted: readonly Top[], { lock }: Part): number {
  if (lock === undefined) return sorted.length;
  return sorted.findIndex((one) => one.round === lock.round && one.value === lock.value);
}
