import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Final refusal of a checkpoint by the voter's clock (protocol 6.1). */
export const clockInTheRules: KnownBadVariant = {
  name: "clock-in-the-rules",
  mistake:
    "a voter refuses a checkpoint with a timestamp more than two seconds from its own clock, in place of waiting",
  source: "protocol 6.1; bugs F16",
  caughtBy: ["checkpoints", "accountability"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      checkContent: (state, clock, slot, content, round) => {
        const { value } = content;
        if (value.type === "checkpoint" && Math.abs(value.header.timestamp * 1_000 - clock) > 2_000) {
          return { answer: "refuse", refusal: { code: "validation_proposal", reason: "the time is another here" } };
        }
        return real.validator.checkContent(state, clock, slot, content, round);
      },
    },
  }),
};
