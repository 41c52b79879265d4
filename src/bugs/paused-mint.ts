import type { Bug } from "./bug.ts";
import { executesDespite } from "./wrong-apply.ts";

/** Pause that stops payments only (specification 6.5). */
export const pausedMint: Bug = {
  name: "paused-mint",
  wrong: "a mint that was submitted before a pause takes effect after it in the token's order",
  source: "protocol 4.1, 7.5",
  caughtBy: ["authority", "validity"],
  rules: executesDespite(
    "business_token_paused",
    (policy) => ({ ...policy, isPaused: false }),
    (after, before) => ({ ...after, isPaused: before.isPaused }),
  ),
};
