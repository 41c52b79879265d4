import type { Address } from "../core/base/ids.ts";
import type { Environment } from "../core/validator/environment.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Members of the first epoch count in every later one (bugs A10, F11). */
export const exMembersCount: KnownBadVariant = {
  name: "ex-members-count",
  mistake: "validators that have left the committee still receive requests, and their signatures still count",
  source: "protocol 6.4; bugs A10, F11",
  caughtBy: ["agreement", "accountability", "irreversibility", "convergence", "validity", "conservation", "accounts"],
  program: (real) => {
    const known = new WeakMap<Environment["committee"], Environment["committee"]>();
    return {
      ...real,
      step: (state, input) => {
        state.environment = withFirst(state.environment, known);
        return real.step(state, input);
      },
    };
  },
};

/** Returns the same environment with the first members as further members. */
function withFirst(
  environment: Environment,
  known: WeakMap<Environment["committee"], Environment["committee"]>,
): Environment {
  const { committee, genesis, keys } = environment;
  const first = genesis.parameters.validators.map(({ key }) => key);
  if (first.every((key) => committee.index.has(key))) return environment;
  const all: readonly Address[] = [...new Set([...committee.members, ...first])];
  const index = new Map(all.map((key, place) => [key, place]));
  const wider = known.get(committee) ?? { ...committee, index };
  known.set(committee, wider);
  const self = keys.find((key) => index.has(key)) ?? environment.self;
  return { ...environment, committee: wider, self, others: all.filter((key) => key !== self) };
}
