import type { OperationId } from "../core/base/operation.ts";
import type { Verdict } from "../core/base/refusal.ts";
import type { Bug } from "./bug.ts";
import { createMemory } from "./memory.ts";

const refused = createMemory<ReadonlySet<OperationId>>("refused");
const REFUSAL: Verdict = {
  answer: "refuse",
  refusal: { code: "validation_proposal", reason: "it was refused before" },
};

/** Refusal in place of waiting for a credit (bugs D17). */
export const refusedForGood: Bug = {
  name: "refused-for-good",
  wrong: "a voter that lacks a credit refuses what spends it, and goes on refusing it after the credit has arrived",
  source: "bugs D17; protocol 4.2",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      judgeContent: (state, at, slot, content, round) => {
        const { value } = content;
        const verdict = real.validator.judgeContent(state, at, slot, content, round);
        if (value.type !== "operation") return verdict;
        const known = refused.of(state) ?? new Set();
        if (known.has(value.id)) return REFUSAL;
        if (verdict.answer !== "wait" || verdict.missing.code !== "business_insufficient_funds") return verdict;
        refused.keep(state, new Set([...known, value.id]));
        return REFUSAL;
      },
    },
  }),
};
