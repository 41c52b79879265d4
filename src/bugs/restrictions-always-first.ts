import { LIST_WAIT_MS } from "../core/ledger/limits.ts";
import type { Bug } from "./bug.ts";

/** Ranks without regard to waiting time (protocol 3). */
export const restrictionsAlwaysFirst: Bug = {
  name: "restrictions-always-first",
  wrong: "a proposer always puts restrictions first, however long other operations have waited",
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
