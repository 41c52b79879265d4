/** Transitions that deliver votes and commits: one by one to a collector, or combined into certificates. */

import type { Round } from "../core/base/ids.ts";
import { slotKey } from "../core/base/slot.ts";
import type { Content } from "../core/validator/content.ts";
import type { SlotReason } from "../core/validator/message.ts";
import { all, type Guard } from "./guard.ts";
import type { UntimedInput } from "./local-state.ts";
import {
  type BallotGroup,
  byzantineRoundChange,
  certificateGuard,
  finalityFrom,
  type IsSigned,
  lockFrom,
  type NetworkKnowledge,
  signedFrom,
  slotName,
  valueName,
} from "./network-knowledge.ts";
import type { Transition } from "./transition.ts";

/** Returns the transitions of each value that a quorum may have signed. */
export function ballotTransitions(knowledge: NetworkKnowledge): readonly Transition[] {
  return knowledge.ballots.flatMap((ballot) => {
    const guard = certificateGuard(knowledge, ballot);
    return guard.length === 0
      ? []
      : ballot.kind === "vote"
        ? ofVotes(knowledge, ballot, guard)
        : ofCommits(knowledge, ballot, guard);
  });
}

function ofVotes(knowledge: NetworkKnowledge, ballot: BallotGroup, guard: Guard): readonly Transition[] {
  const what = ballotName(knowledge, ballot);
  const bare = (isSigned: IsSigned): readonly UntimedInput[] => [
    message(knowledge, lockFrom(knowledge, ballot, isSigned), []),
  ];
  const transitions: Transition[] = [
    { label: `the lock on ${what}, without its content`, guard, makeInputs: bare },
    {
      label: `a quorum's votes for ${what}, one by one`,
      guard,
      makeInputs: (isSigned) => oneByOne(knowledge, ballot, isSigned),
    },
  ];
  const next = (ballot.round + 1) as Round;
  if (!knowledge.isSilent && next <= knowledge.system.bounds.rounds) {
    transitions.push({
      label: `a round change to ${next} that names the lock on ${what}`,
      guard,
      makeInputs: (isSigned) => [
        message(
          knowledge,
          byzantineRoundChange(knowledge, ballot.epoch, ballot.slot, next, lockFrom(knowledge, ballot, isSigned)),
          [],
        ),
      ],
    });
  }
  const known = knowledge.values.get(`${slotKey(ballot.slot)} ${ballot.value}`);
  if (known !== undefined) {
    transitions.push({
      label: `the lock on ${what}, with its content`,
      guard: all([guard, known.guard]),
      makeInputs: (isSigned) => [message(knowledge, lockFrom(knowledge, ballot, isSigned), [known.content(isSigned)])],
    });
  }
  return transitions;
}

function ofCommits(knowledge: NetworkKnowledge, ballot: BallotGroup, guard: Guard): readonly Transition[] {
  const what = ballotName(knowledge, ballot);
  const known = knowledge.values.get(`${slotKey(ballot.slot)} ${ballot.value}`);
  const contents = (isSigned: IsSigned): readonly Content[] => (known === undefined ? [] : [known.content(isSigned)]);
  return [
    {
      label: `the decision for ${what}`,
      guard: known === undefined ? guard : all([guard, known.guard]),
      makeInputs: (isSigned) => [message(knowledge, finalityFrom(knowledge, ballot, isSigned), contents(isSigned))],
    },
    {
      label: `the decision for ${what}, without its content`,
      guard,
      makeInputs: (isSigned) => [message(knowledge, finalityFrom(knowledge, ballot, isSigned), [])],
    },
    {
      label: `a quorum's commits to ${what}, one by one`,
      guard,
      makeInputs: (isSigned) => oneByOne(knowledge, ballot, isSigned),
    },
  ];
}

function oneByOne(knowledge: NetworkKnowledge, ballot: BallotGroup, isSigned: IsSigned): readonly UntimedInput[] {
  return signedFrom(knowledge, ballot, isSigned).map((body) => message(knowledge, body, []));
}

/** Returns a consensus message from the Byzantine validator, which can forward anything that exists. */
export function message(
  { system }: Pick<NetworkKnowledge, "system">,
  body: Extract<Extract<UntimedInput, { type: "message" }>["message"], { type: "consensus" }>["body"],
  contents: readonly Content[],
  reason?: SlotReason,
): UntimedInput {
  return { type: "message", from: system.byzantine.key, message: { type: "consensus", body, contents, reason } };
}

function ballotName(knowledge: NetworkKnowledge, { epoch, slot, round, value }: BallotGroup): string {
  const key = slotKey(slot);
  const later = epoch === 0 ? "" : ` of epoch ${epoch}`;
  return `${valueName(knowledge, key, value)} in round ${round}${later} of ${slotName(knowledge, key)}`;
}
