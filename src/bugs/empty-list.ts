import type { KnownBadVariant } from "./known-bad-variant.ts";
import { proposesLists } from "./list-attack.ts";

const attack = proposesLists(0);

/** Empty version of a token (protocol 8). */
export const emptyList: KnownBadVariant = {
  name: "empty-list",
  mistake: "a token's list may be empty: a proposer uses up version after version and decides nothing",
  source: "protocol 8; 3",
  caughtBy: ["validity"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      checkList: (state, token, ids, limit) =>
        ids.length === 0 ? { answer: "accept" } : real.ledger.checkList(state, token, ids, limit),
    },
  }),
  program: attack,
  attack,
};
