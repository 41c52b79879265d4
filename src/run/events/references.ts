/** Messages, statements, responses, actions and epoch parameters as references of events. */
import { unreachable } from "../../core/base/assert.ts";
import type { EpochParameters, FeeEntry } from "../../core/base/epoch.ts";
import type { StatementContent } from "../../core/consensus/message.ts";
import type { PeerMessage } from "../../core/validator/message.ts";
import type { Reply } from "../../core/validator/output.ts";
import type { Parcel } from "../../simulator/listener.ts";
import { messageKind } from "../../simulator/network/message-content.ts";
import type { Action, MessagePattern } from "../../simulator/plan.ts";
import type { EventNames } from "./names.ts";
import type { ActionRef, EpochRef, FeeRef, MessageRef, MessagesRef, ResponseRef, SignedRef } from "./run-event.ts";

export function messageRef(parcel: Parcel, names: EventNames): MessageRef {
  if (parcel.type === "peer") return peerMessageRef(parcel.message, names);
  const operation = names.operation(parcel.id);
  return parcel.type === "submit"
    ? { type: "submit", operation }
    : { type: "reply", operation, status: parcel.reply.status };
}

function peerMessageRef(message: PeerMessage, names: EventNames): MessageRef {
  const type = messageKind(message);
  if (message.type === "opaque") return { type, tag: message.tag };
  if (message.type === "offer") return { type, slot: names.slot(message.slot) };
  if (message.type !== "consensus") return { type };
  const { epoch, slot, round } = message.body;
  const place = { type, epoch, slot: names.slot(slot), round };
  return "value" in message.body ? { ...place, value: names.value(message.body.value) } : place;
}

export function signedRef(body: StatementContent, names: EventNames): SignedRef {
  const place = { epoch: body.epoch, slot: names.slot(body.slot), round: body.round };
  switch (body.type) {
    case "vote":
    case "commit":
    case "proposal":
      return { statement: body.type, ...place, value: names.value(body.value) };
    case "roundChange": {
      const { lock } = body;
      if (lock === undefined) return { statement: "roundChange", ...place };
      return { statement: "roundChange", ...place, lock: { round: lock.round, value: names.value(lock.value) } };
    }
    case "close": {
      const decided = body.claims.filter(({ type }) => type === "finality").length;
      return { statement: "close", ...place, decided, locked: body.claims.length - decided };
    }
    default:
      return unreachable(body);
  }
}

export function responseRef(reply: Reply, names: EventNames): ResponseRef {
  const { status } = reply;
  switch (reply.status) {
    case "pending":
      return reply.barred === undefined ? { status } : { status, refusal: reply.barred.code };
    case "refused":
      return { status, refusal: reply.refusal.code };
    case "superseded":
      return { status, by: names.operation(reply.by) };
    case "void":
      return { status, epoch: reply.epoch };
    case "final":
    case "settled":
      return { status };
    default:
      return unreachable(reply);
  }
}

/** `released`: messages that a `release` delivers. */
export function actionRef(action: Action, names: EventNames, released: number): ActionRef {
  switch (action.do) {
    case "hold":
      return { do: "hold", rule: action.rule, messages: messagesRef(action.messages, names) };
    case "drop": {
      const dropped: ActionRef = { do: "drop", rule: action.rule, messages: messagesRef(action.messages, names) };
      return action.count === undefined ? dropped : { ...dropped, count: action.count };
    }
    case "submit":
      return { do: "submit", client: action.client, operation: names.submissionRef(action.submission) };
    case "workload":
      return { do: "workload", workload: action.workload.name, count: action.workload.count };
    case "govern": {
      const { epoch, next } = action.signed.proposal;
      return { do: "govern", to: action.to, epoch, next: epochRef(next, names) };
    }
    case "release":
      return { ...action, count: released };
    case "endFaults":
      return { do: "endFaults" };
    default:
      return action;
  }
}

function messagesRef({ slot, operation, ...rest }: MessagePattern, names: EventNames): MessagesRef {
  return {
    ...rest,
    ...(slot === undefined ? {} : { slots: names.slots(slot) }),
    ...(operation === undefined ? {} : { operation: names.operation(operation) }),
  };
}

export function epochRef({ validators, fees, epochLength }: EpochParameters, names: EventNames): EpochRef {
  const { directory } = names;
  const rows = [...fees.tokens].map(([token, row]) => feeRef(row, directory.nameOf(token)));
  const committee = validators.map(({ key }) => directory.nameOf(key));
  return {
    committee,
    fees: [feeRef(fees.default), ...rows],
    ...(epochLength === undefined ? {} : { length: epochLength }),
  };
}

function feeRef({ payment, cancellation, recovery }: FeeEntry, token?: string): FeeRef {
  const row = { payment: `${payment}`, cancellation: `${cancellation}`, recovery: `${recovery}` };
  return token === undefined ? row : { token, ...row };
}
