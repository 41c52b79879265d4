/** Transitions that deliver votes and commits: one by one to a collector, or combined into certificates. */

import type { Round } from "../core/base/ids.ts";
import { slotKey } from "../core/base/slot.ts";
import type { SlotReason } from "../core/validator/message.ts";
import type { Content } from "../core/validator/slots/content.ts";
import type { Timeless } from "./life.ts";
import { allOf, type Need } from "./need.ts";
import {
  type Ballot,
  certificateNeed,
  finalityFrom,
  type Has,
  liarsChange,
  lockFrom,
  type Stage,
  signedFrom,
  slotName,
  valueName,
} from "./stage.ts";
import type { Stimulus } from "./stimulus.ts";

/** Returns the transitions of each value that a quorum may have signed. */
export function ballotStimuli(stage: Stage): readonly Stimulus[] {
  return stage.ballots.flatMap((ballot) => {
    const need = certificateNeed(stage, ballot);
    return need.length === 0
      ? []
      : ballot.kind === "vote"
        ? ofVotes(stage, ballot, need)
        : ofCommits(stage, ballot, need);
  });
}

function ofVotes(stage: Stage, ballot: Ballot, need: Need): readonly Stimulus[] {
  const what = ballotName(stage, ballot);
  const bare = (has: Has): readonly Timeless[] => [message(stage, lockFrom(stage, ballot, has), [])];
  const stimuli: Stimulus[] = [
    { label: `the lock on ${what}, without its content`, need, build: bare },
    { label: `a quorum's votes for ${what}, one by one`, need, build: (has) => oneByOne(stage, ballot, has) },
  ];
  const next = (ballot.round + 1) as Round;
  if (!stage.isSilent && next <= stage.arena.bounds.rounds) {
    stimuli.push({
      label: `a round change to ${next} that names the lock on ${what}`,
      need,
      build: (has) => [
        message(stage, liarsChange(stage, ballot.epoch, ballot.slot, next, lockFrom(stage, ballot, has)), []),
      ],
    });
  }
  const known = stage.values.get(`${slotKey(ballot.slot)} ${ballot.value}`);
  if (known !== undefined) {
    stimuli.push({
      label: `the lock on ${what}, with its content`,
      need: allOf([need, known.need]),
      build: (has) => [message(stage, lockFrom(stage, ballot, has), [known.content(has)])],
    });
  }
  return stimuli;
}

function ofCommits(stage: Stage, ballot: Ballot, need: Need): readonly Stimulus[] {
  const what = ballotName(stage, ballot);
  const known = stage.values.get(`${slotKey(ballot.slot)} ${ballot.value}`);
  const contents = (has: Has): readonly Content[] => (known === undefined ? [] : [known.content(has)]);
  return [
    {
      label: `the decision for ${what}`,
      need: known === undefined ? need : allOf([need, known.need]),
      build: (has) => [message(stage, finalityFrom(stage, ballot, has), contents(has))],
    },
    {
      label: `the decision for ${what}, without its content`,
      need,
      build: (has) => [message(stage, finalityFrom(stage, ballot, has), [])],
    },
    { label: `a quorum's commits to ${what}, one by one`, need, build: (has) => oneByOne(stage, ballot, has) },
  ];
}

function oneByOne(stage: Stage, ballot: Ballot, has: Has): readonly Timeless[] {
  return signedFrom(stage, ballot, has).map((body) => message(stage, body, []));
}

/** Returns a consensus message from the Byzantine validator, which can forward anything that exists. */
export function message(
  { arena }: Pick<Stage, "arena">,
  body: Extract<Extract<Timeless, { type: "message" }>["message"], { type: "consensus" }>["body"],
  contents: readonly Content[],
  reason?: SlotReason,
): Timeless {
  return { type: "message", from: arena.liar.key, message: { type: "consensus", body, contents, reason } };
}

function ballotName(stage: Stage, { epoch, slot, round, value }: Ballot): string {
  const key = slotKey(slot);
  const later = epoch === 0 ? "" : ` of epoch ${epoch}`;
  return `${valueName(stage, key, value)} in round ${round}${later} of ${slotName(stage, key)}`;
}
