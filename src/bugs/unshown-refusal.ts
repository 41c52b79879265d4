import type { Output } from "../core/validator/output.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** False undisclosed refusal (protocol 4.2; 8): a client that trusts it equivocates. */
export const unshownRefusal: KnownBadVariant = {
  name: "unshown-refusal",
  mistake:
    "the entry validator responds that it disclosed the refused operation to nobody, and relays the operation all the same",
  source: "protocol 4.2; 8",
  caughtBy: ["irreversibility"],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const outputs = real.step(state, input);
      return input.type === "submit" ? outputs.map(denyDisclosed) : outputs;
    },
  }),
};

function denyDisclosed(output: Output): Output {
  if (output.type !== "reply" || output.reply.status !== "pending") return output;
  return { ...output, reply: { status: "refused", refusal: { code: "system_queue_full", limit: 0 }, shown: false } };
}
