/** Round changes that may justify a proposal or pull a validator: what each validator may contribute, and their sets. */
import { entryOf } from "../../core/base/entry.ts";
import type { Hash } from "../../core/base/ids.ts";
import { slotKey } from "../../core/base/slot.ts";
import type { LockCertificate, RoundChange } from "../../core/consensus/message.ts";
import { choose, combinations, conjunction, disjunction, type Guard, holds, TRUE_GUARD } from "./guard.ts";
import {
  byzantineRoundChange,
  certificateFrom,
  certificateGuard,
  type IsSigned,
  type Justification,
  type NetworkKnowledge,
  type SlotRound,
} from "./network-knowledge.ts";
import { type HighestLock, locksIn, locksText } from "./statements.ts";

/** Round change that one validator may contribute. */
interface RoundChangeContribution {
  readonly lock: HighestLock | undefined;
  readonly guard: Guard;
  readonly make: (isSigned: IsSigned) => RoundChange;
}

/** Returns all justifications by `size` validators in a round; the Byzantine one contributes any lock that exists. */
export function justifications(knowledge: NetworkKnowledge, at: SlotRound, size: number): readonly Justification[] {
  const byzantineSets = knowledge.isSilent ? [] : [byzantineContributions(knowledge, at)];
  const parts = [...honestContributions(knowledge, at), ...byzantineSets];
  const byLocks = new Map<
    string,
    { readonly locks: readonly HighestLock[]; readonly sets: (readonly RoundChangeContribution[])[] }
  >();
  for (const set of choose(parts, size).flatMap(combinations)) {
    for (const ordered of lockOrders(set)) {
      const locks = ordered.flatMap(({ lock }) => lock ?? []);
      entryOf(byLocks, locksText(locks), () => ({ locks, sets: [] })).sets.push(ordered);
    }
  }
  return [...byLocks.values()].map(({ locks, sets }) => ({
    locks,
    guard: disjunction(sets.map((set) => conjunction(set.map((part) => part.guard)))),
    makeInputs: (isSigned) => {
      const set = sets.find((candidate) => candidate.every((part) => holds(part.guard, isSigned)));
      if (set === undefined) throw new RangeError("no such round changes exist");
      return set.map((part) => part.make(isSigned));
    },
  }));
}

function honestContributions(
  knowledge: NetworkKnowledge,
  { epoch, slot, round }: SlotRound,
): readonly (readonly RoundChangeContribution[])[] {
  const wanted = slotKey(slot);
  return knowledge.system.honest.map((_, validator) =>
    knowledge.changes.flatMap(({ number, message, signer, slot: key }): readonly RoundChangeContribution[] => {
      const { body } = message;
      if (
        signer !== validator ||
        key !== wanted ||
        body.type !== "roundChange" ||
        body.epoch !== epoch ||
        body.round !== round
      )
        return [];
      const lock = body.lock === undefined ? undefined : { round: body.lock.round, value: body.lock.value };
      return [{ lock, guard: [[number]], make: () => body }];
    }),
  );
}

function byzantineContributions(knowledge: NetworkKnowledge, at: SlotRound): readonly RoundChangeContribution[] {
  const { epoch, slot, round } = at;
  const key = slotKey(slot);
  const none: RoundChangeContribution = {
    lock: undefined,
    guard: TRUE_GUARD,
    make: () => byzantineRoundChange(knowledge, at),
  };
  const locks = knowledge.ballots.flatMap((ballot): readonly RoundChangeContribution[] => {
    const { kind, value } = ballot;
    if (kind !== "vote" || ballot.epoch !== epoch || slotKey(ballot.slot) !== key || ballot.round >= round) return [];
    const guard = certificateGuard(knowledge, ballot);
    if (guard.length === 0) return [];
    return [
      {
        lock: { round: ballot.round, value },
        guard,
        make: (isSigned) =>
          byzantineRoundChange(knowledge, at, certificateFrom(knowledge, ballot, isSigned) as LockCertificate),
      },
    ];
  });
  return [none, ...locks];
}

/** Orders a set by its locks alone; two highest locks of one round, possible only after a mistake, give two orders. */
function lockOrders(set: readonly RoundChangeContribution[]): readonly (readonly RoundChangeContribution[])[] {
  const sorted = locksIn(set);
  const [top] = sorted;
  const inOrder = set.toSorted((a, b) => placeIn(sorted, a) - placeIn(sorted, b));
  if (top === undefined) return [inOrder];
  const values = new Set<Hash>(set.flatMap(({ lock }) => (lock?.round === top.round ? [lock.value] : [])));
  return [...values].map((value) => {
    const first = inOrder.filter(({ lock }) => lock?.round === top.round && lock.value === value);
    return [...first, ...inOrder.filter((part) => !first.includes(part))];
  });
}

/** Round changes without a lock come last. */
function placeIn(sorted: readonly HighestLock[], { lock }: RoundChangeContribution): number {
  if (lock === undefined) return sorted.length;
  return sorted.findIndex((candidate) => candidate.round === lock.round && candidate.value === lock.value);
}
