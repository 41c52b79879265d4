/**
 * Abstaining of a validator that lost its disk: it may have signed statements that it does not know, and signs nothing
 * in an epoch in which it may have (protocol 11.3). This file determines the first safe epoch.
 *
 * A validator that votes in an epoch has applied the closing of the one before, which q members justified by closing
 * it. Suppose that at least N - q + f + 1 other members report, after this validator has started again, that they have
 * not closed epoch e. Then any q closers, without this validator, would include an honest one of them: no closing of e
 * was justified before the disk was lost, and this validator has signed in no later epoch than e. From e + 1 on it may
 * sign.
 */
import { type Address, type Epoch, next } from "../../base/ids.ts";
import type { EpochQuery, EpochQueryReply, Peer } from "../message.ts";
import { FIRST_START_KEY } from "../output.ts";
import { coverage, type StepContext, send } from "../step-context.ts";

/** Asks every other member that has not replied yet. */
export function queryEpochs(context: StepContext): void {
  const { signsFrom, epochAnswers, environment, incarnation } = context.state;
  if (signsFrom !== undefined) return;
  const silent = environment.others.filter((peer) => !epochAnswers.has(peer));
  send(context, silent, { type: "epochQuestion", incarnation });
}

/** Replies with this validator's epoch, and whether it has closed it. */
export function receiveEpochQuery(context: StepContext, from: Peer, { incarnation }: EpochQuery): void {
  const { closed, ledger } = context.state;
  send(context, [from], { type: "epochAnswer", incarnation, epoch: ledger.epoch, isClosed: closed !== undefined });
}

/**
 * Counts the members that have not closed this validator's epoch; ignores replies to queries of earlier incarnations.
 */
export function receiveEpochQueryReply(
  context: StepContext,
  from: Address,
  { incarnation, epoch, isClosed }: EpochQueryReply,
): void {
  const { state } = context;
  const { committee } = state.environment;
  if (state.signsFrom !== undefined || incarnation !== state.incarnation || !committee.index.has(from)) return;
  const here: Epoch = state.ledger.epoch;
  if (epoch > here || (epoch === here && isClosed)) return;
  state.epochAnswers = state.epochAnswers.set(from, true);
  if (state.epochAnswers.size < committee.members.length - committee.quorum + committee.faulty + 1) return;
  state.signsFrom = next(here);
  coverage(context, "disk lost for good");
  context.outputs.push({ type: "persist", key: FIRST_START_KEY, record: { of: "birth", signsFrom: state.signsFrom } });
}
