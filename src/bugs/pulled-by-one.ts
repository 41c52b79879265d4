import type { Round } from "../core/base/ids.ts";
import type { Bug } from "./bug.ts";

/** The highest round that anybody names (design 8). */
export const pulledByOne: Bug = {
  name: "pulled-by-one",
  wrong: "a validator moves to the highest round that any one validator names: one liar keeps everybody moving",
  source: "design 8; 3.2",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    consensus: { ...real.consensus, pulledRound: (rounds) => Math.max(0, ...rounds) as Round },
  }),
};
