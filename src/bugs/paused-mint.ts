import { ignoreRefusal } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Pause that stops payments only (specification 6.5). */
export const pausedMint: KnownBadVariant = {
  name: "paused-mint",
  mistake: "a mint that was submitted before a pause takes effect after it in the token's order",
  source: "protocol 4.1, 7.5",
  caughtBy: ["authority", "validity"],
  rules: ignoreRefusal(
    "business_token_paused",
    (policy) => ({ ...policy, isPaused: false }),
    (after, before) => ({ ...after, isPaused: before.isPaused }),
  ),
};
