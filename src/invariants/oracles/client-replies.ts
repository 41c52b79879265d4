/** Client replies that are binding. */
import { unreachable } from "../../core/base/assert.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { ClientReply, EventOf } from "../observation.ts";
import { shortId } from "../text.ts";

type Refused = Extract<ClientReply, { readonly status: "refused" }>;

/** Binding reply to a client. */
export interface BindingReply {
  readonly status: "final" | "superseded" | "refused";
  readonly by: OperationId | undefined;
  readonly words: string;
}

/** Reply that an epoch closed without an operation. */
export interface VoidReply {
  readonly epoch: number;
  readonly words: string;
}

/**
 * Returns true if a refusal is permanent because another decision used the nonce. Any other refusal leaves the
 * operation unadmitted at the entry validator only; if disclosed, others may still bring it to a decision (protocol
 * 4.2).
 */
export function isBindingRefusal({ refusal, shown }: Refused): boolean {
  return shown && refusal.code === "business_decided_otherwise";
}

/**
 * Returns a reply if it is binding. Not binding are a refusal for any other reason than a lost nonce (protocol 4.2), a
 * `void`, which concerns its epoch only, and an unproven reply of a Byzantine validator.
 */
export function bindingReply(
  { answer, client, from }: EventOf<"answered">,
  isTrusted: boolean,
): BindingReply | undefined {
  const text = `client ${client} received ${answer.status} from ${from}`;
  switch (answer.status) {
    case "pending":
    case "settled":
    case "void":
      return undefined;
    case "final":
      return { status: "final", by: undefined, words: text };
    case "refused":
      return isTrusted && isBindingRefusal(answer) ? { status: "refused", by: undefined, words: text } : undefined;
    case "superseded":
      return isTrusted
        ? {
            status: "superseded",
            by: answer.by,
            words: `client ${client} received superseded by ${shortId(answer.by)} from ${from}`,
          }
        : undefined;
    default:
      return unreachable(answer);
  }
}
