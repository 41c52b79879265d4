import { tokenOf } from "../core/ledger/state.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Cancellation refused to an account that cannot pay (bugs C15). */
export const skipBoundByPause: KnownBadVariant = {
  name: "skip-bound-by-pause",
  mistake: "a nonce is skipped only while the token of its fee is not paused: until then its account is blocked",
  source: "bugs C15; protocol 4.2",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      checkContent: (state, at, slot, content, round) => {
        const { value } = content;
        const token = value.type === "skip" ? value.feeToken : undefined;
        if (token === undefined || tokenOf(state.ledger, token)?.isPaused !== true)
          return real.validator.checkContent(state, at, slot, content, round);
        return { answer: "refuse", refusal: { code: "business_token_paused", token } };
      },
    },
  }),
};
