import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Unchecked order of lists (protocol 8). */
export const carelessLists: KnownBadVariant = {
  name: "careless-lists",
  mistake: "a token's list may omit earlier operations of a signer, and its proposer takes the newest operation first",
  source: "protocol 8; 3",
  caughtBy: ["validity"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      checkList: () => ({ answer: "accept" }),
      chooseList: (state, token, age, limit) =>
        [...real.ledger.chooseList(state, token, age, limit)].reverse().slice(0, 1),
    },
  }),
};
