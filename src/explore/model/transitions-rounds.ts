/**
 * Transitions that leave a round: round changes that pull, justify and start timers, and the proposals that they
 * justify (protocol 3.2).
 */
import type { Epoch, Round } from "../../core/base/ids.ts";
import { type Slot, type SlotKey, slotKey } from "../../core/base/slot.ts";
import type { LockCertificate } from "../../core/consensus/message.ts";
import type { Content } from "../../core/validator/content.ts";
import { timerName } from "../../core/validator/timer.ts";
import { conjunction, holds, TRUE_GUARD } from "./guard.ts";
import { justifications } from "./justifications.ts";
import type { UntimedInput } from "./local-state.ts";
import {
  byzantineRoundChange,
  type DecidableValue,
  type IsSigned,
  type Justification,
  type NetworkKnowledge,
  type SlotRound,
  slotName,
  valueName,
  weakCertificate,
  weakGuard,
} from "./network-knowledge.ts";
import { type HighestLock, locksIn } from "./statements.ts";
import type { Transition } from "./transition.ts";
import { type DisclosedReason, disclosedReasons, message } from "./transitions-clients.ts";

/** Returns the transitions of one slot of an epoch in rounds 1 to the bound, with the proposals of its proposers. */
export function roundTransitions(knowledge: NetworkKnowledge, epoch: Epoch, slot: Slot): readonly Transition[] {
  const { rounds } = knowledge.system.bounds;
  const disclosed = [...disclosedReasons(knowledge, epoch), ...disclosedCloses(knowledge, epoch)].filter(
    (reason) => reason.slot === slotKey(slot),
  );
  const transitions: Transition[] = [...firstProposals(knowledge, epoch, slot)];
  for (let round = 1; round <= rounds; round++)
    transitions.push(...transitionsInRound({ knowledge, epoch, slot, round: round as Round, disclosed }));
  return transitions;
}

/** Returns the closes that a proposer of a closing needs in every round. */
function disclosedCloses({ closings }: NetworkKnowledge, epoch: Epoch): readonly DisclosedReason[] {
  return closings
    .filter((closing) => closing.epoch === epoch)
    .map(({ inputs, value }) => ({
      slot: value.slot,
      name: `a quorum's closes for ${value.name}`,
      guard: value.guard,
      reason: undefined,
      proof: inputs,
      wait: [],
    }));
}

interface RoundContext extends SlotRound {
  readonly knowledge: NetworkKnowledge;
  readonly disclosed: readonly DisclosedReason[];
}

function transitionsInRound(context: RoundContext): readonly Transition[] {
  const { knowledge, slot, round, disclosed } = context;
  const { quorum, faulty } = knowledge.system.committee;
  const whole = justifications(knowledge, context, quorum);
  const few = faulty + 1 === quorum ? [] : justifications(knowledge, context, faulty + 1);
  const transitions: Transition[] = [];
  for (const justification of few)
    transitions.push(roundChangeTransition(context, `${faulty + 1} round changes`, justification));
  for (const justification of whole) {
    transitions.push(roundChangeTransition(context, `${quorum} round changes`, justification));
    for (const reason of disclosed)
      transitions.push(
        roundChangeTransition(context, `${reason.name}, then ${quorum} round changes`, justification, reason),
      );
    if (round < knowledge.system.bounds.rounds) {
      const timer: UntimedInput = { type: "timer", name: timerName({ kind: "round", slot: slotKey(slot), round }) };
      const text = `the timer of round ${round} after ${quorum} round changes`;
      transitions.push(roundChangeTransition(context, text, justification, undefined, [timer]));
    }
  }
  if (!knowledge.isSilent) transitions.push(...byzantineProposals(context, whole, few));
  return transitions;
}

/**
 * Returns the proposals of the Byzantine validator in a round: in its turn or out of it, on round changes to that round, to
 * too few of them, to one of them twice, to another round, and on a lock with too few signatures.
 */
function byzantineProposals(
  context: RoundContext,
  whole: readonly Justification[],
  few: readonly Justification[],
): readonly Transition[] {
  const { knowledge, epoch, slot, round } = context;
  const { committee, byzantine, bounds } = knowledge.system;
  const { quorum, faulty } = committee;
  if (proposer(knowledge, slot, round) !== byzantine.key)
    return whole.flatMap((justification) => proposals(context, justification, " out of turn"));
  const transitions = whole.flatMap((justification) => proposals(context, justification, ""));
  transitions.push(
    ...few.flatMap((justification) => proposals(context, justification, ` on ${faulty + 1} round changes`)),
    ...justifications(knowledge, context, quorum - 1).flatMap((justification) =>
      proposals(context, repeatChange(justification), " on one round change twice"),
    ),
  );
  for (let other = 1; other <= bounds.rounds; other++)
    if (other !== round)
      transitions.push(
        ...justifications(knowledge, { epoch, slot, round: other as Round }, quorum).flatMap((justification) =>
          proposals(context, justification, ` on round changes to ${other}`),
        ),
      );
  return [...transitions, ...proposalsOnWeakLocks(context)];
}

function repeatChange({ locks, guard, makeInputs: build }: Justification): Justification {
  const makeInputs: Justification["makeInputs"] = (isSigned) => {
    const changes = build(isSigned);
    return [...changes, ...changes.slice(-1)];
  };
  return { locks, guard, makeInputs };
}

/** Returns proposals that a lock with too few signatures forces, in the Byzantine validator's own round change. */
function proposalsOnWeakLocks(context: RoundContext): readonly Transition[] {
  const { knowledge, epoch, slot, round } = context;
  const key = slotKey(slot);
  const silent = { ...knowledge, isSilent: true };
  const honest = justifications(silent, context, knowledge.system.committee.quorum - 1);
  return knowledge.ballots.flatMap((ballot) => {
    const value = knowledge.values.get(`${key} ${ballot.value}`);
    const isLower =
      ballot.kind === "vote" && ballot.epoch === epoch && slotKey(ballot.slot) === key && ballot.round < round;
    const weak = weakGuard(knowledge, ballot);
    if (!isLower || value === undefined || weak.length === 0) return [];
    return honest.map(({ locks, guard, makeInputs }): Transition => {
      const justification: Justification = {
        locks,
        guard: conjunction([guard, weak]),
        makeInputs: (isSigned) => {
          const lock = weakCertificate(knowledge, ballot, isSigned) as LockCertificate;
          return [byzantineRoundChange(knowledge, context, lock), ...makeInputs(isSigned)];
        },
      };
      const weakLock = `a lock on ${value.name} of round ${ballot.round} with too few signatures`;
      const strongLocks = `beside others ${locksName(knowledge, key, locks)}`;
      return proposal(context, value, justification, ` on ${weakLock}, ${strongLocks}`);
    });
  });
}

/** Returns the slot of a round as text, with its epoch if that is not the first. */
function placeName({ knowledge, epoch, slot }: RoundContext): string {
  return `${epochPrefix(epoch)}${slotName(knowledge, slotKey(slot))}`;
}

function epochPrefix(epoch: Epoch): string {
  return epoch === 0 ? "" : `epoch ${epoch}, `;
}

function proposer({ system }: NetworkKnowledge, slot: Slot, round: Round): string {
  return system.compiled.commons.rules.consensus.proposerOf(system.committee, slot, round);
}

function roundChangeTransition(
  context: RoundContext,
  text: string,
  { locks, guard, makeInputs: build }: Justification,
  reason?: DisclosedReason,
  after: readonly UntimedInput[] = [],
): Transition {
  const { knowledge, slot, round } = context;
  return {
    label: `${text} to ${round} ${locksName(knowledge, slotKey(slot), locks)} in ${placeName(context)}`,
    guard: reason === undefined ? guard : conjunction([guard, reason.guard]),
    makeInputs: (isSigned) => [
      ...(reason?.proof ?? []),
      ...build(isSigned).map((change, index) =>
        index === 0
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
    return decidable !== undefined && holds(decidable.guard, isSigned) ? [decidable.content(isSigned)] : [];
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
  const about = `${suffix}, ${locksName(knowledge, key, justification.locks)}`;
  return values.map((value) => proposal(context, value, justification, about));
}

function proposal(
  context: RoundContext,
  { name, hash: value, content, guard }: DecidableValue,
  justified: Justification,
  about: string,
): Transition {
  const { knowledge, epoch, slot, round } = context;
  return {
    label: `a proposal of ${name} for round ${round}${about}, in ${placeName(context)}`,
    guard: conjunction([justified.guard, guard]),
    makeInputs: (isSigned) => {
      const justification = justified.makeInputs(isSigned);
      const body = knowledge.system.byzantine.sign({ type: "proposal", epoch, slot, round, value, justification });
      return [message(knowledge, body, [content(isSigned)])];
    },
  };
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
export function timerTransitions(knowledge: NetworkKnowledge, slot: Slot): readonly Transition[] {
  const key = slotKey(slot);
  const timer = (kind: "retry" | "token" | "closing", label: string, times = 1): Transition => ({
    label,
    guard: TRUE_GUARD,
    makeInputs: () => Array.from({ length: times }, () => ({ type: "timer", name: timerName({ kind, slot: key }) })),
  });
  const retry = `the retry timer in ${slotName(knowledge, key)}`;
  const transitions = [timer("retry", retry), timer("retry", `${retry}, three times`, 3)];
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
        label: `${name}'s proposal of ${text} for round ${body.round}, ${locks}, in ${epochPrefix(body.epoch)}${slotName(knowledge, slot)}`,
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
