/**
 * Groups of single votes or commits of one slot, delivered one after the other to one validator: of any values and rounds,
 * up to a quorum, complete or not. Signers do not matter beyond being different, so a group is the multiset of its values
 * and rounds; the Byzantine validator may sign one ballot of a group, or two for different values of one round.
 */
import { slotKey } from "../../core/base/slot.ts";
import type { Content } from "../../core/validator/content.ts";
import { conjunction, disjunction, type Guard, holds, TRUE_GUARD } from "./guard.ts";
import type { UntimedInput } from "./local-state.ts";
import { type BallotGroup, type IsSigned, type NetworkKnowledge, slotName, valueName } from "./network-knowledge.ts";
import type { Transition } from "./transition.ts";
import { message } from "./transitions-clients.ts";

/** Ballots of one kind in a slot. */
type SlotBallots = Pick<BallotGroup, "kind" | "epoch" | "slot">;

/** Value and round of a ballot, with the honest statements that are such ballots. */
interface Choice extends BallotGroup {
  /** Guard of the value's disclosure: until then the Byzantine validator cannot sign for it. */
  readonly guard: Guard;
  readonly content: ((isSigned: IsSigned) => Content) | undefined;
}

/** Assignment of a group: for each ballot the honest statement, or `undefined` for one of the Byzantine validator. */
type Assignment = readonly (number | undefined)[];

/** Returns the transitions that deliver groups of one kind of ballots in a slot. */
export function ballotGroups(knowledge: NetworkKnowledge, ballots: SlotBallots): readonly Transition[] {
  const { quorum } = knowledge.system.committee;
  const groups = multisets(choicesOf(knowledge, ballots), quorum);
  return groups.flatMap((group) => {
    const assignments = assignmentsOf(knowledge, group);
    const isDouble = (assignment: Assignment): boolean => assignment.filter((by) => by === undefined).length > 1;
    const name = textOf(knowledge, group);
    const double = `${name}, two of them by ${knowledge.system.byzantine.name}`;
    return [
      ...deliveries(
        knowledge,
        group,
        assignments.filter((by) => !isDouble(by)),
        name,
      ),
      ...deliveries(knowledge, group, assignments.filter(isDouble), double),
    ];
  });
}

/** Returns the transitions that deliver a group, signed in one of these ways; votes also with the contents of their values. */
function deliveries(
  knowledge: NetworkKnowledge,
  group: readonly Choice[],
  assignments: readonly Assignment[],
  label: string,
): readonly Transition[] {
  const guards = assignments.map((assignment) => guardOf(group, assignment));
  const guard = disjunction(guards);
  if (guard.length === 0) return [];
  const makeInputs =
    (shown: boolean) =>
    (isSigned: IsSigned): readonly UntimedInput[] => {
      const at = guards.findIndex((signed) => holds(signed, isSigned));
      return inputsOf(knowledge, group, assignments[at] as Assignment, shown ? isSigned : undefined);
    };
  const bare: Transition = { label, guard, makeInputs: makeInputs(false) };
  const hasContents = group.some(({ kind, content }) => kind === "vote" && content !== undefined);
  return hasContents ? [bare, { label: `${label}, with contents`, guard, makeInputs: makeInputs(true) }] : [bare];
}

/** Returns the ballots that somebody may sign: those of honest validators, and for each disclosed value in each round. */
function choicesOf(knowledge: NetworkKnowledge, { kind, epoch, slot }: SlotBallots): readonly Choice[] {
  const key = slotKey(slot);
  const choices = new Map<string, Choice>();
  for (const ballot of knowledge.ballots) {
    if (ballot.kind !== kind || ballot.epoch !== epoch || slotKey(ballot.slot) !== key) continue;
    const content = knowledge.values.get(`${key} ${ballot.value}`)?.content;
    choices.set(`${ballot.round} ${ballot.value}`, { ...ballot, guard: TRUE_GUARD, content });
  }
  if (knowledge.isSilent) return [...choices.values()];
  for (const { slot: other, hash, guard, content } of knowledge.values.values()) {
    if (other !== key) continue;
    for (let round = 0; round <= knowledge.system.bounds.rounds; round++) {
      const name = `${round} ${hash}`;
      if (choices.has(name)) continue;
      const cast = { kind, epoch, slot, round: round as Choice["round"], value: hash, statements: [] };
      choices.set(name, { ...cast, guard, content });
    }
  }
  return [...choices.values()];
}

/** Returns all multisets of 1 to `size` choices. */
function multisets(choices: readonly Choice[], size: number): readonly (readonly Choice[])[] {
  const sets: (readonly Choice[])[] = [];
  const extend = (set: readonly Choice[], from: number): void => {
    for (let at = from; at < choices.length; at++) {
      const larger = [...set, choices[at] as Choice];
      sets.push(larger);
      if (larger.length < size) extend(larger, at);
    }
  };
  extend([], 0);
  return sets;
}

/** Returns all ways to sign a group: by different honest validators, and by the Byzantine one once, or twice in one round. */
function assignmentsOf({ statements, isSilent }: NetworkKnowledge, group: readonly Choice[]): readonly Assignment[] {
  const assignments: Assignment[] = [];
  const assign = (assigned: Assignment, signers: readonly number[], byzantine: readonly Choice[]): void => {
    const choice = group[assigned.length];
    if (choice === undefined) {
      assignments.push(assigned);
      return;
    }
    for (const number of choice.statements) {
      const { signer } = statements.get(number);
      if (!signers.includes(signer)) assign([...assigned, number], [...signers, signer], byzantine);
    }
    const [firstBallot, second] = byzantine;
    const isSecond =
      firstBallot !== undefined && firstBallot.round === choice.round && firstBallot.value !== choice.value;
    if (!isSilent && second === undefined && (firstBallot === undefined || isSecond))
      assign([...assigned, undefined], signers, [...byzantine, choice]);
  };
  assign([], [], []);
  return assignments;
}

function guardOf(group: readonly Choice[], assignment: Assignment): Guard {
  return conjunction(
    group.map(({ guard }, index) => (assignment[index] === undefined ? guard : [[assignment[index]]])),
  );
}

function inputsOf(
  knowledge: NetworkKnowledge,
  group: readonly Choice[],
  assignment: Assignment,
  isSigned: IsSigned | undefined,
): readonly UntimedInput[] {
  return group.map(({ kind, epoch, slot, round, value, content }, index) => {
    const number = assignment[index];
    const body =
      number === undefined
        ? knowledge.system.byzantine.sign({ type: kind, epoch, slot, round, value })
        : knowledge.statements.get(number).message.body;
    return message(knowledge, body, isSigned === undefined || content === undefined ? [] : [content(isSigned)]);
  });
}

function textOf(knowledge: NetworkKnowledge, group: readonly Choice[]): string {
  const counts = new Map<string, number>();
  const { kind, slot, epoch } = group[0] as Choice;
  const key = slotKey(slot);
  for (const { round, value } of group) {
    const name = `${valueName(knowledge, key, value)} in round ${round}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const parts = [...counts].map(([name, count]) => `${count === 1 ? `a ${kind}` : `${count} ${kind}s`} for ${name}`);
  return `${parts.join(" and ")}${epoch === 0 ? "" : ` of epoch ${epoch}`} of ${slotName(knowledge, key)}`;
}
