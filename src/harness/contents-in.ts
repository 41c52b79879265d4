/** The contents of values that inputs and outputs carry: what value hashes stand for. */
import { unreachable } from "../core/base/assert.ts";
import type { Content } from "../core/validator/content.ts";
import type { Input } from "../core/validator/input.ts";
import type { PeerMessage, UnsignedMessage } from "../core/validator/message.ts";
import type { Output } from "../core/validator/output.ts";

const NONE: readonly Content[] = [];

export function contentsInInput(input: Input): readonly Content[] {
  if (input.type === "message") return contentsInMessage(input.message);
  return input.type === "restart" ? input.records.flatMap(([, record]) => record.contents) : NONE;
}

export function contentsInOutput(output: Output): readonly Content[] {
  switch (output.type) {
    case "persist":
      return output.record.contents;
    case "sign":
    case "send":
      return contentsInMessage(output.message);
    case "event":
      return output.event.content === undefined ? NONE : [output.event.content];
    case "reply":
      return output.reply.status === "final" ? [output.reply.content] : NONE;
    case "setTimer":
    case "cancelTimer":
    case "report":
    case "mark":
      return NONE;
    default:
      return unreachable(output);
  }
}

function contentsInMessage(message: PeerMessage | UnsignedMessage): readonly Content[] {
  switch (message.type) {
    case "consensus": {
      const { reason, contents } = message;
      const carried = reason !== undefined && "content" in reason ? [reason.content] : NONE;
      return [...contents, ...carried];
    }
    case "offer":
      return [message.content];
    case "decisions":
      return [...message.decided.map(({ content }) => content), ...message.contents];
    case "shown":
    case "fetch":
    case "status":
    case "logRequest":
    case "logPage":
      return NONE;
    default:
      return unreachable(message);
  }
}
