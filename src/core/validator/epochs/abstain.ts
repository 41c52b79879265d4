/**
 * A validator that lost its disk may have signed what it does not know. It signs nothing in an epoch in which it may have
 * (protocol 11.3). Which is the first one in which it cannot have?
 *
 * Whoever votes in an epoch has applied the closing of the one before, which q members justified by closing it. So where
 * at least N - q + f + 1 other members say, after this validator has started again, that they have not closed epoch e,
 * an honest one of any q closers, itself left out, would be among them: nobody had justified a closing of e before the
 * disk was lost, and this validator has signed in no later epoch than e. From e + 1 on it may sign.
 */
import { type Address, type Epoch, next } from "../../base/ids.ts";
import type { Turn } from "../agenda.ts";
import type { EpochAnswer, EpochQuestion, Peer } from "../message.ts";
import { BIRTH_KEY } from "../output.ts";
import { mark, send } from "../speak.ts";

/** Asks every other member that has not answered yet. */
export function askForEpoch(turn: Turn): void {
  const { signsFrom, epochAnswers, environment, incarnation } = turn.state;
  if (signsFrom !== undefined) return;
  const silent = environment.others.filter((peer) => !epochAnswers.has(peer));
  send(turn, silent, { type: "epochQuestion", incarnation });
}

/** Says which epoch this validator is in, and whether it has closed it. */
export function takeEpochQuestion(turn: Turn, from: Peer, { incarnation }: EpochQuestion): void {
  const { closed, ledger } = turn.state;
  send(turn, [from], { type: "epochAnswer", incarnation, epoch: ledger.epoch, isClosed: closed !== undefined });
}

/** Counts who has not closed this validator's epoch; only what was asked since it started again. */
export function takeEpochAnswer(turn: Turn, from: Address, { incarnation, epoch, isClosed }: EpochAnswer): void {
  const { state } = turn;
  const { committee } = state.environment;
  if (state.signsFrom !== undefined || incarnation !== state.incarnation || !committee.index.has(from)) return;
  const here: Epoch = state.ledger.epoch;
  if (epoch > here || (epoch === here && isClosed)) return;
  state.epochAnswers = state.epochAnswers.set(from, true);
  if (state.epochAnswers.size < committee.members.length - committee.quorum + committee.faulty + 1) return;
  state.signsFrom = next(here);
  mark(turn, "disk lost for good");
  turn.outputs.push({ type: "persist", key: BIRTH_KEY, record: { of: "birth", signsFrom: state.signsFrom } });
}
