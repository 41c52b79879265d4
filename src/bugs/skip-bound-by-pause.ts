import { tokenOf } from "../core/ledger/state.ts";
import type { Bug } from "./bug.ts";

/** Cancellation refused to an account that cannot pay (bugs C15). */
export const skipBoundByPause: Bug = {
  name: "skip-bound-by-pause",
  wrong: "a nonce is skipped only while the token of its fee is not paused: until then its account is blocked",
  source: "bugs C15; protocol 4.2",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      judgeContent: (state, at, slot, content, round) => {
        const { value } = content;
        const token = value.type === "skip" ? value.feeToken : undefined;
        if (token === undefined || tokenOf(state.ledger, token)?.isPaused !== true)
          return real.validator.judgeContent(state, at, slot, content, round);
        return { answer: "refuse", refusal: { code: "business_token_paused", token } };
      },
    },
  }),
};
