/**
 * Transitions that leave a round: round changes that pull, justify and start timers, and the proposals that they
 * justify (protocol 3.2).
 */
import type { Epoch, Hash, Round } from "../../core/base/ids.ts";
import { type Slot, type SlotKey, slotKey } from "../../core/base/slot.ts";
import type { RoundChange } from "../../core/consensus/message.ts";
import type { Content } from "../../core/validator/content.ts";
import { timerName } from "../../core/validator/timer.ts";
import { choose, combinations, conjunction, disjunction, type Guard, TRUE_GUARD } from "./guard.ts";
import type { UntimedInput } from "./local-state.ts";
import {
  byzantineRoundChange,
  certificateGuard,
  type DecidableValue,
  type IsSigned,
  type Justification,
  lockFrom,
  type NetworkKnowledge,
  slotName,
  valueName,
} from "./network-knowledge.ts";
import { type HighestLock, highestLockOf, locksIn, locksText } from "./statements.ts";
import type { Transition } from "./transition.ts";
import { type DisclosedReason, disclosedReasons, message } from "./transitions-clients.ts";

/** Returns the transitions of one slot of an epoch in rounds 1 to the bound, with the proposals of its proposers. */
export function roundTransitions(
  knowledge: NetworkKnowledge,
  epoch: Epoch,
  slot: Slot,
  release: (name: string) => Guard,
): readonly Transition[] {
  const { rounds } = knowledge.system.bounds;
  const disclosed = [...disclosedReasons(knowledge, epoch, release), ...disclosedCloses(knowledge, epoch)].filter(
    (reason) => reason.slot === slotKey(slot),
  );
  const transitions: Transition[] = [...firstProposals(knowledge, epoch, slot), ...timerTransitions(knowledge, slot)];
  for (let round = 1; round <= rounds; round++)
    transitions.push(...transitionsInRound({ knowledge, epoch, slot, round: round as Round, disclosed }));
  return transitions;
}

/** Returns the closes that a proposer of a closing needs in every round. */
function disclosedCloses({ closings }: NetworkKnowledge, epoch: Epoch): readonly DisclosedReason[] {
  return closings
    .filter((closing) => closing.epoch === epoch)
    .map(({ guard, inputs, value }) => ({
      slot: value.slot,
      name: `a quorum's closes for ${value.name}`,
      guard,
      reason: undefined,
      proof: inputs,
      wait: [],
    }));
}

interface RoundContext {
  readonly knowledge: NetworkKnowledge;
  readonly epoch: Epoch;
  readonly slot: Slot;
  readonly round: Round;
  readonly disclosed: readonly DisclosedReason[];
}

function transitionsInRound(context: RoundContext): readonly Transition[] {
  const { knowledge, epoch, slot, round, disclosed } = context;
  const { quorum, faulty } = knowledge.system.committee;
  const whole = justifications(knowledge, epoch, slot, round, quorum);
  const few = justifications(knowledge, epoch, slot, round, faulty + 1);
  const transitions: Transition[] = [];
  for (const justification of few)
    transitions.push(roundChangeTransition(context, `${faulty + 1} round changes`, justification, undefined, []));
  for (const justification of whole) {
    transitions.push(roundChangeTransition(context, `${quorum} round changes`, justification, undefined, []));
    for (const reason of disclosed)
      transitions.push(
        roundChangeTransition(context, `${reason.name}, then ${quorum} round changes`, justification, reason, []),
      );
    if (round < knowledge.system.bounds.rounds) {
      const timer: UntimedInput = { type: "timer", name: timerName({ kind: "round", slot: slotKey(slot), round }) };
      transitions.push(
        roundChangeTransition(
          context,
          `the timer of round ${round} after ${quorum} round changes`,
          justification,
          undefined,
          [timer],
        ),
      );
    }
  }
  if (knowledge.isSilent || proposer(knowledge, slot, round) !== knowledge.system.byzantine.key) return transitions;
  for (const justification of whole) transitions.push(...proposals(context, justification, ""));
  if (faulty + 1 !== quorum)
    for (const justification of few)
      transitions.push(...proposals(context, justification, ` on ${faulty + 1} round changes`));
  return transitions;
}

function proposer({ system }: NetworkKnowledge, slot: Slot, round: Round): string {
  return system.compiled.commons.rules.consensus.proposerOf(system.committee, slot, round);
}

function roundChangeTransition(
  { knowledge, slot, round }: RoundContext,
  text: string,
  { locks, guard, makeInputs: build }: Justification,
  reason: DisclosedReason | undefined,
  after: readonly UntimedInput[],
): Transition {
  return {
    label: `${text} to ${round} ${locksName(knowledge, slotKey(slot), locks)} in ${slotName(knowledge, slotKey(slot))}`,
    guard: reason === undefined ? guard : knowledge.conjunctions.of(guard, reason.guard),
    makeInputs: (isSigned) => [
      ...(reason?.proof ?? []),
      ...build(isSigned).map((change, context) =>
        context === 0
          ? message(knowledge, change, contentsOf(knowledge, slotKey(slot), locks, isSigned), reason?.reason)
          : message(knowledge, change, []),
      ),
      ...after,
    ],
  };
}

/**
 * Returns the contents of the locks, as far as they can be disclosed: a proposer requests the content of a forced
 * value.
 */
function contentsOf(
  knowledge: NetworkKnowledge,
  slot: SlotKey,
  locks: readonly HighestLock[],
  isSigned: IsSigned,
): readonly Content[] {
  const hashes = [...new Set(locks.map(({ value }) => value))];
  return hashes.flatMap((hash) => {
    const decidable = knowledge.values.get(`${slot} ${hash}`);
    return decidable?.guard.some((alternative) => alternative.every(isSigned)) === true
      ? [decidable.content(isSigned)]
      : [];
  });
}

/**
 * Returns proposals of the Byzantine validator: any value of the slot on any round changes, even if their locks force
 * another.
 */
function proposals(context: RoundContext, justification: Justification, suffix: string): readonly Transition[] {
  const { knowledge, slot } = context;
  const key = slotKey(slot);
  const values = [...knowledge.values.values()].filter((value) => value.slot === key);
  return values.map((value) => ({
    label: `a proposal of ${value.name} for round ${context.round}${suffix}, ${locksName(knowledge, key, justification.locks)}, in ${slotName(knowledge, key)}`,
    guard: knowledge.conjunctions.of(justification.guard, value.guard),
    makeInputs: (isSigned) => [proposalInput(context, value, justification, isSigned)],
  }));
}

function proposalInput(
  { knowledge, epoch, slot, round }: RoundContext,
  { hash, content }: DecidableValue,
  one: Justification,
  isSigned: IsSigned,
): UntimedInput {
  const justification = one.makeInputs(isSigned);
  const body = knowledge.system.byzantine.sign({ type: "proposal", epoch, slot, round, value: hash, justification });
  return message(knowledge, body, [content(isSigned)]);
}

/** Returns the round 0 proposals of token slots and closings, which have a proposer in round 0 too. */
function firstProposals(knowledge: NetworkKnowledge, epoch: Epoch, slot: Slot): readonly Transition[] {
  const round = 0 as Round;
  if (
    knowledge.isSilent ||
    slot.kind === "account" ||
    proposer(knowledge, slot, round) !== knowledge.system.byzantine.key
  )
    return [];
  const nothing: Justification = { locks: [], guard: TRUE_GUARD, makeInputs: () => [] };
  return proposals({ knowledge, epoch, slot, round, disclosed: [] }, nothing, "");
}

/** Returns the timers of a slot: once set, a timer can fire at any time. */
function timerTransitions(knowledge: NetworkKnowledge, slot: Slot): readonly Transition[] {
  const key = slotKey(slot);
  const timer = (kind: "retry" | "token" | "closing", label: string): Transition => ({
    label,
    guard: TRUE_GUARD,
    makeInputs: () => [{ type: "timer", name: timerName({ kind, slot: key }) }],
  });
  const transitions = [timer("retry", `the retry timer in ${slotName(knowledge, key)}`)];
  if (slot.kind === "token" && knowledge.system.bounds.rounds > 0)
    transitions.push(timer("token", `the timer of round 0 in ${slotName(knowledge, key)}`));
  if (slot.kind === "epoch" && knowledge.system.bounds.rounds > 0)
    transitions.push(timer("closing", `the timer of round 0 in ${slotName(knowledge, key)}`));
  return transitions;
}

/** Returns the proposals that honest proposers signed, unchanged. */
export function honestProposals(knowledge: NetworkKnowledge): readonly Transition[] {
  return knowledge.statements.all.flatMap(({ number, signer, slot, message }): readonly Transition[] => {
    const { body } = message;
    if (body.type !== "proposal") return [];
    const name = knowledge.system.honest[signer]?.name ?? "";
    const text = valueName(knowledge, slot, body.value);
    const locks = locksName(knowledge, slot, locksIn(body.justification));
    return [
      {
        label: `${name}'s proposal of ${text} for round ${body.round}, ${locks}, in ${slotName(knowledge, slot)}`,
        guard: [[number]],
        makeInputs: () => [{ type: "message", from: body.signer, message }],
      },
    ];
  });
}

function locksName(knowledge: NetworkKnowledge, slot: SlotKey, locks: readonly HighestLock[]): string {
  const counts = new Map<string, number>();
  for (const { round, value } of locks) {
    const name = `on ${valueName(knowledge, slot, value)} of round ${round}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const text = [...counts].map(([name, count]) =>
    count === 1 ? `the lock ${name}` : `${count} times the lock ${name}`,
  );
  return text.length === 0 ? "without a lock" : `with ${text.join(" and ")}`;
}

/** Round change that one validator may contribute. */
interface RoundChangeContribution {
  readonly lock: HighestLock | undefined;
  readonly guard: Guard;
  readonly exists: (isSigned: IsSigned) => boolean;
  readonly make: (isSigned: IsSigned) => RoundChange;
}

/**
 * Returns all justifications by `size` validators in a round, made again only after a new statement that is of use for
 * them; the Byzantine validator contributes any lock that exists.
 */
function justifications(
  knowledge: NetworkKnowledge,
  epoch: Epoch,
  slot: Slot,
  round: Round,
  size: number,
): readonly Justification[] {
  const byzantineSets = knowledge.isSilent ? [] : [byzantineContributions(knowledge, epoch, slot, round)];
  const parts = [...honestContributions(knowledge, epoch, slotKey(slot), round), ...byzantineSets];
  const from = parts.map((some) => some.map(contributionText).join(";")).join("|");
  const key = `${knowledge.isSilent} ${epoch} ${slotKey(slot)} ${round} ${size}`;
  const known = knowledge.justifications.get(key);
  if (known?.from === from) return known.list;
  const list = justificationsFrom(parts, round, size);
  knowledge.justifications.set(key, { from, list });
  return list;
}

function contributionText({ lock, guard }: RoundChangeContribution): string {
  return `${lock === undefined ? "" : locksText([lock])}:${guard.join("+")}`;
}

function justificationsFrom(
  parts: readonly (readonly RoundChangeContribution[])[],
  round: Round,
  size: number,
): readonly Justification[] {
  const found = new Map<
    string,
    { readonly locks: readonly HighestLock[]; readonly sets: (readonly RoundChangeContribution[])[] }
  >();
  for (const signers of choose(parts, size)) {
    for (const set of combinations(signers)) {
      for (const ordered of lockOrders(set)) {
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
    guard: disjunction(sets.map((set) => conjunction(set.map((part) => part.guard)))),
    makeInputs: (isSigned) => {
      const set = sets.find((candidate) => candidate.every((part) => part.exists(isSigned)));
      if (set === undefined) throw new RangeError(`no such round changes to round ${round} exist`);
      return set.map((part) => part.make(isSigned));
    },
  }));
}

function honestContributions(
  knowledge: NetworkKnowledge,
  epoch: Epoch,
  slot: SlotKey,
  round: Round,
): readonly (readonly RoundChangeContribution[])[] {
  return knowledge.system.honest.map((_, validator) =>
    knowledge.changes.flatMap(({ number, message, signer, slot: key }): readonly RoundChangeContribution[] => {
      const { body } = message;
      if (
        signer !== validator ||
        key !== slot ||
        body.type !== "roundChange" ||
        body.epoch !== epoch ||
        body.round !== round
      )
        return [];
      const lock = body.lock === undefined ? undefined : { round: body.lock.round, value: body.lock.value };
      return [{ lock, guard: [[number]], exists: (isSigned) => isSigned(number), make: () => body }];
    }),
  );
}

function byzantineContributions(
  knowledge: NetworkKnowledge,
  epoch: Epoch,
  slot: Slot,
  round: Round,
): readonly RoundChangeContribution[] {
  const key = slotKey(slot);
  const none: RoundChangeContribution = {
    lock: undefined,
    guard: TRUE_GUARD,
    exists: () => true,
    make: () => byzantineRoundChange(knowledge, epoch, slot, round, undefined),
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
        exists: (isSigned) => guard.some((alternative) => alternative.every(isSigned)),
        make: (isSigned) => byzantineRoundChange(knowledge, epoch, slot, round, lockFrom(knowledge, ballot, isSigned)),
      },
    ];
  });
  return [none, ...locks];
}

/** Orders a set by its locks alone; two highest locks of one round, possible only after a mistake, give two orders. */
function lockOrders(set: readonly RoundChangeContribution[]): readonly (readonly RoundChangeContribution[])[] {
  const top = highestLockOf(set.map(({ lock }) => lock));
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
function placeIn(sorted: readonly HighestLock[], { lock }: RoundChangeContribution): number {
  if (lock === undefined) return sorted.length;
  return sorted.findIndex((candidate) => candidate.round === lock.round && candidate.value === lock.value);
}
