import { CLOSED_KEY } from "../core/validator/output.ts";
import type { Bug } from "./bug.ts";

/** Close of an epoch that is not durable (protocol 8). */
export const closeNotDurable: Bug = {
  name: "close-not-durable",
  wrong: "a close is not durable: a restarted validator votes and commits in the epoch that it has closed",
  source: "protocol 6.3, 8; bugs B1",
  caughtBy: ["amnesia", "accountability", "liveness"],
  program: (real) => ({
    ...real,
    step: (state, input) =>
      real.step(state, input).filter((output) => output.type !== "persist" || output.key !== CLOSED_KEY),
  }),
};
