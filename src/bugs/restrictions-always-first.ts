import { LIST_WAIT_MS } from "../core/ledger/limits.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Ranks without regard to waiting time (protocol 3). */
export const restrictionsAlwaysFirst: KnownBadVariant = {
  name: "restrictions-always-first",
  mistake: "a proposer always puts restrictions first, however long other operations have waited",
  source: "protocol 3",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      chooseList: (state, token, age, limit) =>
        real.ledger.chooseList(state, token, (id) => Math.min(age(id), LIST_WAIT_MS - 1), limit),
    },
  }),
};
