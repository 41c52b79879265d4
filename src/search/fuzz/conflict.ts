/** A conflict of two payments in drawn worlds: what a network of payments must bear, whatever its protocol. */
import { declarationsOf, validatorNames } from "../../scenario/declarations.ts";
import type { Rng } from "../../scenario/rng.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { Step } from "../../scenario/schema/step.ts";
import { sortByTime } from "./draw.ts";

/** Owner of the conflict: an account that signs nothing else. */
const OWNER = "rival";
/** Latest start in virtual milliseconds. */
const START_MS = 500;

/**
 * Returns a scenario in which, in half of all draws, an owner signs two payments for one nonce, each for one half of the
 * validators; often some validators restart before either is decided. Others are returned as they are.
 */
export function withConflict(scenario: Scenario, rng: Rng): Scenario {
  const validators = validatorNames(scenario);
  const [token] = Object.keys(scenario.genesis?.tokens ?? {});
  const isKnown = declarationsOf(scenario).accounts.has(OWNER);
  if (rng.chance(1, 2) || token === undefined || validators.length < 3 || isKnown) return scenario;
  const { genesis = {}, steps = [] } = scenario;
  return {
    ...scenario,
    genesis: { ...genesis, balances: { ...genesis.balances, [OWNER]: { [token]: "10" } } },
    steps: sortByTime([...steps, ...drawSteps(rng, validators, token)]),
  };
}

function drawSteps(rng: Rng, validators: readonly Name[], token: Name): readonly Step[] {
  const at = rng.integer(0, START_MS);
  const names = rng.shuffle(validators);
  const half = Math.ceil(names.length / 2);
  // One validator alone brings its payment to the others, so that their votes depend on what arrives first.
  const count = rng.chance(1, 2) ? half : 1;
  const groups = [names.slice(0, half), names.slice(half)].map((group) => group.slice(0, count));
  const payments = groups.map((only, index): Step => {
    const payment = { from: OWNER, to: OWNER, token, value: `0.0${index + 1}` };
    return { at: at + rng.pickSkewed(0, 3), submit: { id: `rival${index + 1}`, nonce: 0, payment }, only };
  });
  if (rng.chance(1, 3)) return payments;
  // The last of each half has voted and brings no payment to others, so that both payments are still asked for.
  const lasts = [names[half - 1], names.at(-1)].filter((name) => name !== undefined);
  const restarted = rng.chance(1, 2) ? lasts : rng.pickSome(validators, rng.integer(1, validators.length));
  const crashes = restarted.map((node): Step => {
    return { at: at + rng.integer(5, 350), crash: { node, restart_after_ms: rng.pickSkewed(1, 200) } };
  });
  return [...payments, ...crashes];
}
