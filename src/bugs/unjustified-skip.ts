import type { Input } from "../core/validator/input.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Skip by f + 1 round changes, which need not include a holder of the lock (protocol 3.3). */
export const unjustifiedSkip: KnownBadVariant = {
  name: "unjustified-skip",
  mistake:
    "f + 1 round changes justify a proposal: a validator that voted or committed in round 0 votes for a skip in round 1",
  source: "protocol 3.2, 3.3; bugs C2, C3",
  caughtBy: ["agreement", "irreversibility", "accountability", "convergence"],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      if (!isAboutRounds(input)) return real.step(state, input);
      const { environment } = state;
      const committee = { ...environment.committee, quorum: environment.committee.faulty + 1 };
      const lenient = { ...state, environment: { ...environment, committee } };
      const outputs = real.step(lenient, input);
      Object.assign(state, lenient, { environment });
      return outputs;
    },
  }),
};

function isAboutRounds(input: Input): boolean {
  if (input.type !== "message" || input.message.type !== "consensus") return false;
  return input.message.body.type === "roundChange" || input.message.body.type === "proposal";
}
