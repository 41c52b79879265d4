import type { Committee } from "../core/consensus/committee.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Quorum that does not grow with the committee (bugs F11). */
export const oldQuorum: KnownBadVariant = {
  name: "old-quorum",
  mistake: "after a change of the committee the quorum is still that of the first committee",
  source: "protocol 6.4; bugs F11",
  caughtBy: ["agreement", "accountability", "irreversibility", "amnesia"],
  program: (real) => {
    const known = new WeakMap<Committee, Committee>();
    return {
      ...real,
      step: (state, input) => {
        keepQuorum(state, known);
        return real.step(state, input);
      },
    };
  },
};

function keepQuorum(state: ValidatorState, known: WeakMap<Committee, Committee>): void {
  const { environment } = state;
  const { committee } = environment;
  const { quorum } = environment.committeeOf(environment.genesis.epoch, environment.genesis.parameters.validators);
  if (committee.quorum === quorum) return;
  const kept = known.get(committee) ?? { ...committee, quorum };
  known.set(committee, kept);
  state.environment = { ...environment, committee: kept };
}
