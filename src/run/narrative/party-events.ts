/** Events of each party of a run in order: messages received, statements signed, crashes. Runs are compared by them. */
import { isRecovery } from "../../core/base/operation.ts";
import type { StatementContent } from "../../core/consensus/message.ts";
import { submissionId } from "../../core/ledger/identity.ts";
import type { PeerMessage } from "../../core/validator/message.ts";
import type { Input } from "../../core/validator/step.ts";
import type { WorldEvent, WorldListener } from "../../simulator/listener.ts";
import { messageKind } from "../../simulator/network/message-content.ts";
import type { MessageKind } from "../../simulator/plan.ts";
import { contentsInInput, contentsInOutput } from "../contents-in.ts";
import type { Labels } from "./labels.ts";

/** A message between two validators. */
export interface ReceivedInput {
  readonly from: string;
  readonly to: string;
  readonly kind: MessageKind;
}

/** One event of one party. */
export interface PartyEvent {
  /** Number of the world event, from 1. */
  readonly event: number;
  /** Virtual milliseconds. */
  readonly at: number;
  readonly party: string;
  /** A clause that is equal in two runs if the events are equal. */
  readonly clause: string;
  /** The message received: `v2's vote for x in slot 0 of alice`. */
  readonly received: (ReceivedInput & { readonly text: string }) | undefined;
  /** True if the party signed a statement, false if it received an input. */
  readonly isSigned: boolean;
}

/** The events of a run so far, and the listener that collects them. */
export interface PartyEvents {
  readonly list: readonly PartyEvent[];
  readonly listener: WorldListener;
}

/** Background synchronization: frequent, and without effect on decisions. */
const ROUTINE_MESSAGES: ReadonlySet<MessageKind> = new Set<MessageKind>(["status", "logRequest", "logPage"]);

/** An empty list and a listener that fills it up to `most` events. */
export function partyEventsOf(labels: Labels, most: number): PartyEvents {
  const list: PartyEvent[] = [];
  const listener = partyEventListener(labels, (event) => {
    if (list.length < most) list.push(event);
  });
  return { list, listener };
}

/** A listener that reports each event as it happens. */
export function partyEventListener(labels: Labels, told: (partyEvent: PartyEvent) => void): WorldListener {
  let place = { event: 0, at: 0 };
  let current: WorldEvent | undefined;
  const add = (party: string, clause: string, heard: PartyEvent["received"], isSigned = false): void =>
    told({ ...place, party, clause, received: heard, isSigned });
  const hears = (node: string, input: Input): void => {
    switch (input.type) {
      case "message": {
        const from = current?.type === "arrival" ? current.from : "unknown";
        const kind = messageKind(input.message);
        if (from === node || ROUTINE_MESSAGES.has(kind)) return;
        const text = messageText(from, input.message, labels);
        add(node, `${text} reaches ${node}`, { from, to: node, kind, text });
        return;
      }
      case "submit":
        if (!isRecovery(input.submission)) labels.learnOperation(input.submission);
        add(node, `${input.client} submits ${labels.operation(submissionId(input.submission))} to ${node}`, undefined);
        return;
      case "govern":
        add(node, `${node} receives a proposal to close epoch ${input.signed.proposal.epoch}`, undefined);
        return;
      case "restart":
        add(node, `${node} restarts`, undefined);
        return;
      case "start":
      case "timer":
        return;
    }
  };
  return {
    eventBegins: (event, at, what) => {
      place = { event, at };
      current = what;
    },
    stepped: ({ name }, input, outputs) => {
      for (const content of contentsInInput(input)) labels.learn(content);
      for (const output of outputs) for (const content of contentsInOutput(output)) labels.learn(content);
      hears(name, input);
    },
    signed: ({ name }, body) => add(name, `${name} ${statementText(body, labels)}`, undefined, true),
    crashed: ({ name }) => add(name, `${name} crashes`, undefined),
    answered: (client, id, from, reply) =>
      add(client, `${client} receives response from ${from}: ${labels.operation(id)} ${reply.status}`, undefined),
  };
}

/** `v2's commit to x in slot 0 of alice`. */
function messageText(from: string, message: PeerMessage, labels: Labels): string {
  if (message.type === "offer") return `${from}'s offer for ${labels.slot(message.slot)}`;
  if (message.type !== "consensus") return `${from}'s ${message.type} message`;
  const { body } = message;
  switch (body.type) {
    case "vote":
      return `${from}'s vote for ${whatOf(body, labels)}`;
    case "commit":
      return `${from}'s commit to ${whatOf(body, labels)}`;
    case "proposal":
      return `${from}'s proposal of ${whatOf(body, labels)}`;
    case "lock":
      return `${from}'s lock certificate for ${whatOf(body, labels)}`;
    case "finality":
      return `${from}'s finality certificate for ${whatOf(body, labels)}`;
    case "roundChange":
      return `${from}'s change to round ${body.round} of ${labels.slot(body.slot)}`;
    case "close":
      return `${from}'s close of epoch ${body.epoch}`;
  }
}

/** `votes for x in slot 0 of alice`. */
function statementText(body: StatementContent, labels: Labels): string {
  switch (body.type) {
    case "vote":
      return `votes for ${whatOf(body, labels)}`;
    case "commit":
      return `commits to ${whatOf(body, labels)}`;
    case "proposal":
      return `proposes ${whatOf(body, labels)}`;
    case "roundChange": {
      const lock = body.lock === undefined ? "without a lock" : `with lock ${labels.value(body.lock.value)}`;
      return `changes to round ${body.round} of ${labels.slot(body.slot)} ${lock}`;
    }
    case "close": {
      const final = body.claims.filter(({ type }) => type === "finality").length;
      const [decided, locked] = [final, body.claims.length - final];
      return `closes epoch ${body.epoch} with ${decided} decided and ${locked} locked slots`;
    }
  }
}

function whatOf(
  { slot, round, value }: Pick<Extract<StatementContent, { type: "vote" }>, "slot" | "round" | "value">,
  labels: Labels,
): string {
  const when = round === 0 ? "" : `, round ${round}`;
  return `${labels.value(value)} in ${labels.slot(slot)}${when}`;
}
