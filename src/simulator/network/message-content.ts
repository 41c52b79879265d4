/** Kind, values and contents of messages. */
import { unreachable } from "../../core/base/assert.ts";
import type { Hash } from "../../core/base/ids.ts";
import { MemoTable } from "../../core/base/memo-table.ts";
import type { Value } from "../../core/base/slot.ts";
import type { ConsensusMessage, StatementContent } from "../../core/consensus/message.ts";
import { valueHash } from "../../core/ledger/value.ts";
import type { Content } from "../../core/validator/content.ts";
import type { PeerMessage, UnsignedMessage } from "../../core/validator/message.ts";
import { isWellFormed } from "../../core/validator/message-form.ts";

/** Kind of a message as patterns and texts name it: for a consensus message that of its body. */
export type PeerMessageKind = Exclude<PeerMessage["type"], "consensus"> | ConsensusMessage["type"];

/** Returns the kind of a message. */
export function messageKind(message: PeerMessage | UnsignedMessage): PeerMessageKind {
  return message.type === "consensus" ? message.body.type : message.type;
}

/** Returns the values that a statement or certificate names: of a round change its lock's, of a close its claims'. */
export function bodyValues(body: ConsensusMessage | StatementContent): readonly Hash[] {
  switch (body.type) {
    case "roundChange":
      return body.lock === undefined ? [] : [body.lock.value];
    case "close":
      return body.claims.map(({ value }) => value);
    default:
      return [body.value];
  }
}

/** Returns the contents that a message carries beside its body, without its reason; none of a malformed message. */
export function contentsOf(message: PeerMessage | UnsignedMessage): readonly Content[] {
  if (!isWellFormed(message)) return [];
  switch (message.type) {
    case "consensus":
      return message.contents;
    case "offer":
    case "snapshot":
      return [message.content];
    case "decisions":
      return [...message.decided.map(({ content }) => content), ...message.contents];
    case "fetch":
    case "status":
    case "stateRequest":
    case "statePieces":
    case "opaque":
    case "disclosure":
      return [];
    default:
      return unreachable(message);
  }
}

/** Returns the hash that votes for a content name. */
export function hashOf({ value }: Content): Hash {
  return hashes.getOrCompute(value, valueHash);
}

/** Strategies and patterns ask for the same contents in message after message. */
const hashes = new MemoTable<Value, Hash>();
