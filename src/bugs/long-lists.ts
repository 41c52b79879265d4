import type { Bug } from "./bug.ts";

/** What voters allow, where the limit is not one constant for all (design 8). */
const VOTERS_ALLOW = 1;

/** Lists longer than voters allow (design 8). */
export const longLists: Bug = {
  name: "long-lists",
  wrong: "proposers put more into a token's list than voters allow: as soon as two operations wait, no list is decided",
  source: "design 8; 3",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      checkList: (state, token, ids) => real.ledger.checkList(state, token, ids, VOTERS_ALLOW),
    },
  }),
};
