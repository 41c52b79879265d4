import type { Bug } from "./bug.ts";

/** A slot is voted for before the one before it is applied (protocol 8). */
export const voteOutOfSequence: Bug = {
  name: "vote-out-of-sequence",
  wrong: "a slot is voted for before every earlier slot of its sequence is applied",
  source: "protocol 8, first trap; 3.1",
  caughtBy: ["validity"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      isReady: () => true,
      judgeContent: (state, at, slot, content, round) => {
        const verdict = real.validator.judgeContent(state, at, slot, content, round);
        const isOperation = content.value.type === "operation";
        return verdict.answer !== "accept" && isOperation && !real.validator.isReady(state, slot)
          ? { answer: "accept" }
          : verdict;
      },
    },
  }),
};
