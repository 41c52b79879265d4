import type { OperationId } from "../core/base/operation.ts";
import type { CheckResult } from "../core/base/refusal.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";
import { createVariantState } from "./variant-state.ts";

const refused = createVariantState<ReadonlySet<OperationId>>("refused");
const REFUSAL: CheckResult = {
  answer: "refuse",
  refusal: { code: "validation_proposal", reason: "it was refused before" },
};

/** Refusal in place of waiting for a credit (bugs D17). */
export const refusedForGood: KnownBadVariant = {
  name: "refused-for-good",
  mistake: "a voter that lacks a credit refuses what spends it, and goes on refusing it after the credit has arrived",
  source: "bugs D17; protocol 4.2",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      checkContent: (state, at, slot, content, round) => {
        const { value } = content;
        const verdict = real.validator.checkContent(state, at, slot, content, round);
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
