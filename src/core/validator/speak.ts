/** Short forms of outputs. */
import type { Address, Millis } from "../base/ids.ts";
import type { OperationId } from "../base/operation.ts";
import type { Unsigned } from "../consensus/message.ts";
import type { Turn } from "./agenda.ts";
import type { Mark } from "./marks.ts";
import type { Peer, PeerMessage, Reason } from "./message.ts";
import type { Misbehaviour, Reply } from "./output.ts";
import type { Content } from "./slots/content.ts";

/** Sends to these peers; nothing where there is nobody. */
export function send(turn: Turn, to: readonly Peer[], message: PeerMessage): void {
  if (to.length > 0) turn.outputs.push({ type: "send", to, message });
}

/** Has the shell sign a consensus message and send it. */
export function sign(
  turn: Turn,
  to: readonly Peer[],
  body: Unsigned,
  contents: readonly Content[] = [],
  reason?: Reason,
): void {
  const { committee, self } = turn.state.environment;
  if (maySign(turn.state))
    turn.outputs.push({ type: "sign", to, message: { type: "consensus", body, contents, reason } });
  else if (committee.index.has(self)) mark(turn, "abstained");
}

/** Whether its signatures count in this epoch, and it knows that it cannot contradict them (abstain.ts). */
export function maySign({ environment, signsFrom }: Turn["state"]): boolean {
  const { committee, self } = environment;
  return committee.index.has(self) && signsFrom !== undefined && committee.epoch >= signsFrom;
}

export function mark(turn: Turn, name: Mark): void {
  turn.outputs.push({ type: "mark", mark: name });
}

export function report(turn: Turn, peer: Address, misbehaviour: Misbehaviour, slot: string, detail?: string): void {
  if (peer === turn.state.environment.self) return;
  mark(turn, `noticed: ${misbehaviour}`);
  turn.outputs.push({ type: "report", peer, misbehaviour, slot, ...(detail === undefined ? {} : { detail }) });
}

/** Sets a timer `inMs` from now. */
export function setTimer(turn: Turn, name: string, inMs: number, background = false): void {
  turn.outputs.push({ type: "setTimer", name, at: (turn.at + inMs) as Millis, background });
}

/** Tells every client that asked about an operation. */
export function tell(turn: Turn, id: OperationId, reply: Reply): void {
  for (const [, client] of turn.state.listeners.within(`${id} `))
    turn.outputs.push({ type: "reply", client, id, reply });
}

/** Every member of the committee, this validator included if it is one: a message to oneself comes back by loopback. */
export function everyone(turn: Turn): readonly Peer[] {
  return turn.state.environment.committee.members;
}
