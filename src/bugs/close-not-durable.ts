import { CLOSE_RECORD_KEY } from "../core/validator/output.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Close of an epoch that is not durable (protocol 8). */
export const closeNotDurable: KnownBadVariant = {
  name: "close-not-durable",
  mistake: "a close is not durable: a restarted validator votes and commits in the epoch that it has closed",
  source: "protocol 6.3, 8; bugs B1",
  caughtBy: ["amnesia", "accountability", "liveness"],
  program: (real) => ({
    ...real,
    step: (state, input) =>
      real.step(state, input).filter((output) => output.type !== "persist" || output.key !== CLOSE_RECORD_KEY),
  }),
};
