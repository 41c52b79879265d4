import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Forced burn that never gets its turn (protocol 5). */
export const alwaysOwnersTurn: KnownBadVariant = {
  name: "always-owners-turn",
  mistake: "the owner of an account may always go before a forced burn: no validator ever relays the burn",
  source: "protocol 5",
  caughtBy: ["liveness", "validity"],
  rules: (real) => ({ ...real, validator: { ...real.validator, isOwnersTurn: () => true } }),
};
