import type { KnownBadVariant } from "./known-bad-variant.ts";
import { nonceGap, turnCome } from "./nonce-gap.ts";

/** Nonce checked at the application only, which is too late: a decision is irreversible. */
export const unreadNonce: KnownBadVariant = {
  name: "unread-nonce",
  mistake: "voters accept any nonce after the last one: the decision contradicts every ledger, and all validators halt",
  source: "bugs D1; protocol 3.1; 12",
  caughtBy: ["agreement", "convergence", "validity"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      check: (state, barrier, signed, parts) => real.ledger.check(turnCome(state, signed), barrier, signed, parts),
      checkVote: (state, barrier, signed, parts) =>
        real.ledger.checkVote(turnCome(state, signed), barrier, signed, parts),
    },
  }),
  ...(nonceGap.program === undefined ? {} : { program: nonceGap.program }),
};
