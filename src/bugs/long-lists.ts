import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Lists longer than voters allow (protocol 8). */
export const longLists: KnownBadVariant = {
  name: "long-lists",
  mistake: "proposers exceed the list length that voters allow: once two operations wait, no list is decided",
  source: "protocol 8; 3",
  caughtBy: ["liveness", "validity"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      chooseList: (state, token, age, limit) => real.ledger.chooseList(state, token, age, limit + 1),
    },
  }),
};
