import { CLOSED_KEY } from "../core/validator/output.ts";
import type { Bug } from "./bug.ts";

/** What a validator closed its epoch with is not written down (protocol 8). */
export const closeNotDurable: Bug = {
  name: "close-not-durable",
  wrong: "an EpochClose is not durable: a restarted validator votes and commits in the epoch that it has closed",
  source: "protocol 6.3, 8; bugs B1",
  caughtBy: ["amnesia", "accountability", "liveness"],
  program: (real) => ({
    ...real,
    step: (state, input) =>
      real.step(state, input).filter((output) => output.type !== "persist" || output.key !== CLOSED_KEY),
  }),
};
