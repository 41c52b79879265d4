import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Close of an epoch without its cause, so that no other validator closes it (protocol 8). */
export const privateCause: KnownBadVariant = {
  name: "private-cause",
  mistake:
    "an EpochClose carries no cause: the one validator that knows the cause stops, another is silent, and nothing goes on",
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
