/** Helpers that append outputs. */
import type { Address, Millis } from "../base/ids.ts";
import type { OperationId } from "../base/operation.ts";
import type { StatementContent } from "../consensus/message.ts";
import type { CoveragePoint } from "./coverage-points.ts";
import type { Peer, PeerMessage, Reason } from "./message.ts";
import type { Misbehaviour, Reply } from "./output.ts";
import type { Content } from "./slots/content.ts";
import type { StepContext } from "./step-context.ts";

/** Sends to these peers; does nothing for an empty list. */
export function send(context: StepContext, to: readonly Peer[], message: PeerMessage): void {
  if (to.length > 0) context.outputs.push({ type: "send", to, message });
}

/** Has the shell sign a consensus message and send it. */
export function sign(
  context: StepContext,
  to: readonly Peer[],
  body: StatementContent,
  contents: readonly Content[] = [],
  reason?: Reason,
): void {
  const { committee, self } = context.state.environment;
  if (maySign(context.state))
    context.outputs.push({ type: "sign", to, message: { type: "consensus", body, contents, reason } });
  else if (committee.index.has(self)) coverage(context, "abstained");
}

/**
 * Returns true if its signatures count in this epoch and it knows that none can contradict an earlier one (abstain.ts).
 */
export function maySign({ environment, signsFrom }: StepContext["state"]): boolean {
  const { committee, self } = environment;
  return committee.index.has(self) && signsFrom !== undefined && committee.epoch >= signsFrom;
}

export function coverage(context: StepContext, name: CoveragePoint): void {
  context.outputs.push({ type: "mark", mark: name });
}

export function report(
  context: StepContext,
  peer: Address,
  misbehaviour: Misbehaviour,
  slot: string,
  detail?: string,
): void {
  if (peer === context.state.environment.self) return;
  coverage(context, `noticed: ${misbehaviour}`);
  context.outputs.push({ type: "report", peer, misbehaviour, slot, ...(detail === undefined ? {} : { detail }) });
}

/** Sets a timer `inMs` from now. */
export function setTimer(context: StepContext, name: string, inMs: number, background = false): void {
  context.outputs.push({ type: "setTimer", name, at: (context.at + inMs) as Millis, background });
}

/** Replies to every client that is subscribed to an operation. */
export function replyTo(context: StepContext, id: OperationId, reply: Reply): void {
  for (const [, client] of context.state.subscribers.within(`${id} `))
    context.outputs.push({ type: "reply", client, id, reply });
}

/** Returns the members of the committee, this validator included if it is one: its own message returns by loopback. */
export function allPeers(context: StepContext): readonly Peer[] {
  return context.state.environment.committee.members;
}
