import type { KnownBadVariant } from "./known-bad-variant.ts";

/** New epoch that overrides locks of the old one: a hidden certificate is lost (protocol 6.3). */
export const locksLeftBehind: KnownBadVariant = {
  name: "locks-left-behind",
  mistake:
    "a validator that closes an epoch shows what it saw decided, and not what it has locked: hidden certificates are voided",
  source: "protocol 6.3, 3.3; bugs B8",
  caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "checkpoints", "convergence", "validity"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      claimsOf: (state) => real.validator.claimsOf(state).filter(({ type }) => type === "finality"),
    },
  }),
};
