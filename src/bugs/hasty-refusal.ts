import type { Output } from "../core/validator/output.ts";
import type { Bug } from "./bug.ts";

/** What is refused was relayed all the same (design 8; 4.2). */
export const hastyRefusal: Bug = {
  name: "hasty-refusal",
  wrong: "the asked validator tells its client that an operation was refused, and relays it all the same",
  source: "design 8; 4.2",
  caughtBy: ["irreversibility"],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const outputs = real.step(state, input);
      return input.type === "submit" ? outputs.map(refuseAnyway) : outputs;
    },
  }),
};

function refuseAnyway(output: Output): Output {
  if (output.type !== "reply" || output.reply.status !== "pending") return output;
  return { ...output, reply: { status: "refused", refusal: { code: "system_queue_full", limit: 0 }, shown: true } };
}
