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
import type { ValidatorState } from "../state.ts";
import { coverage, type StepContext, send } from "../step-context.ts";

/** Asks every other member that has not replied yet. */
export function queryEpochs(context: StepContext): void {
  const { sync, environment } = context.state;
  const { signsFrom, epochAnswers, incarnation } = sync;
  if (signsFrom !== undefined) return;
  const silent = environment.others.filter((peer) => !epochAnswers.has(peer));
  send(context, silent, { type: "epochQuery", incarnation });
}

/** Replies with this validator's epoch, and whether it has closed it. */
export function receiveEpochQuery(context: StepContext, from: Peer, { incarnation }: EpochQuery): void {
  const { epochs, ledger } = context.state;
  const isClosed = epochs.closed !== undefined;
  send(context, [from], { type: "epochQueryReply", incarnation, epoch: ledger.epoch, isClosed });
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
  if (state.sync.signsFrom !== undefined || incarnation !== state.sync.incarnation || !committee.index.has(from))
    return;
  const here: Epoch = state.ledger.epoch;
  if (epoch > here || (epoch === here && isClosed)) return;
  state.sync.epochAnswers.set(from, true);
  if (state.sync.epochAnswers.size < committee.members.length - committee.quorum + committee.faulty + 1) return;
  setSignsFrom(state, next(here));
  coverage(context, "signing epoch learned");
  context.outputs.push({
    type: "persist",
    key: FIRST_START_KEY,
    record: { of: "birth", signsFrom: state.sync.signsFrom },
  });
}

/** Begins an incarnation: queries of earlier ones need no reply. */
export function beginIncarnation({ sync }: ValidatorState, incarnation: number): void {
  sync.incarnation = incarnation;
}

/** Sets the first epoch in which this validator may sign; `undefined` while it does not know. */
export function setSignsFrom({ sync }: ValidatorState, epoch: Epoch | undefined): void {
  sync.signsFrom = epoch;
}

/** Forgets which members have not closed this validator's epoch: it is over. */
export function forgetEpochAnswers({ sync }: ValidatorState): void {
  sync.epochAnswers.clear();
}
