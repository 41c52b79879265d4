import type { Output } from "../core/validator/output.ts";
import type { Bug } from "./bug.ts";

/** False undisclosed refusal (protocol 4.2; 8): a client that trusts it equivocates. */
export const unshownRefusal: Bug = {
  name: "unshown-refusal",
  wrong:
    "the entry validator responds that it disclosed the refused operation to nobody, and relays the operation all the same",
  source: "protocol 4.2; 8",
  caughtBy: ["irreversibility"],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const outputs = real.step(state, input);
      return input.type === "submit" ? outputs.map(denyShown) : outputs;
    },
  }),
};

function denyShown(output: Output): Output {
  if (output.type !== "reply" || output.reply.status !== "pending") return output;
  return { ...output, reply: { status: "refused", refusal: { code: "system_queue_full", limit: 0 }, shown: false } };
}
