import type { KnownBadVariant } from "./known-bad-variant.ts";

/** A slot is voted for before the one before it is applied (protocol 8). */
export const voteOutOfSequence: KnownBadVariant = {
  name: "vote-out-of-sequence",
  mistake: "a slot is voted for before every earlier slot of its sequence is applied",
  source: "protocol 8, first trap; 3.1",
  caughtBy: ["validity"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      mayVoteInSlot: () => true,
      checkContent: (state, at, slot, content, round) => {
        const verdict = real.validator.checkContent(state, at, slot, content, round);
        const isOperation = content.value.type === "operation";
        return verdict.answer !== "accept" && isOperation && !real.validator.mayVoteInSlot(state, slot)
          ? { answer: "accept" }
          : verdict;
      },
    },
  }),
};
