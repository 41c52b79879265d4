import type { Bug } from "./bug.ts";

/** Close of an epoch without its cause, so that no other validator closes it (protocol 8). */
export const privateCause: Bug = {
  name: "private-cause",
  wrong: "a close carries no cause: the one validator that knows it stops, and the others never close the epoch",
  source: "protocol 6.3, 8",
  caughtBy: ["liveness"],
  program: (real) => ({
    ...real,
    step: (state, input) =>
      real
        .step(state, input)
        .map((output) =>
          output.type === "sign" && output.message.body.type === "close"
            ? { ...output, message: { ...output.message, reason: undefined } }
            : output,
        ),
  }),
};
