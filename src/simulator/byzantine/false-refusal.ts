/**
 * Strategy: tells its clients that it refused undisclosed what it relays; a client that trusts it may sign another
 * operation (protocol 4.2).
 */
import type { Output } from "../../core/validator/output.ts";
import { type Strategy, withoutMemory } from "./strategy.ts";

export function falseRefusal(): Strategy<undefined> {
  return withoutMemory((step) => step.outputs.map(lie));
}

function lie(output: Output): Output {
  if (output.type !== "reply" || output.reply.status === "refused") return output;
  const refusal = { code: "system_queue_full", limit: 0 } as const;
  return { ...output, reply: { status: "refused", refusal, shown: false } };
}
