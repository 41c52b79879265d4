/** When a run is looked at, when its faults end, and when it is over. */
import { assert } from "../core/base/assert.ts";
import type { Millis } from "../core/base/ids.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { bounds } from "../invariants/quorum.ts";
import type { World } from "../simulator/world.ts";
import type { Compiled } from "./compile.ts";
import { rangeOf } from "./compile-parts.ts";
import { FAULTS_GRACE_MS, HEALING_MS, RUN_STEPS } from "./limits.ts";
import type { Scenario } from "./scenario.ts";

/** Runs a world through its faulty phase and its healing; `look` is called at each time that the file names. */
export function runPhases(world: World, compiled: Compiled, look: (at: number) => void): void {
  const { scenario } = compiled;
  const times = [...new Set((scenario.expect ?? []).flatMap(({ at }) => at ?? []))].sort((a, b) => a - b);
  const healing = scenario.healing;
  const before = healing?.at === undefined ? times : times.filter((at) => at < (healing.at ?? 0));
  for (const at of before) lookAt(world, at, look);
  if (healing?.at !== undefined) runTo(world, { at: healing.at as Millis, quiet: false });
  else runTo(world, { at: Math.max(world.now, lastTimed(scenario) + FAULTS_GRACE_MS) as Millis });
  if (healing?.none !== true) world.act({ do: "endFaults", healing: healingPlan(compiled) });
  for (const at of times.slice(before.length)) lookAt(world, at, look);
  runTo(world, { at: (world.now + HEALING_MS) as Millis, quiet: () => healing?.none === true || isSettled(world) });
}

function lookAt(world: World, at: number, look: (at: number) => void): void {
  runTo(world, { at: at as Millis, quiet: false });
  look(at);
}

function runTo(world: World, until: Parameters<World["run"]>[0]): void {
  const stopped = world.run({ ...until, steps: Math.max(1, RUN_STEPS - world.steps) });
  assert(stopped !== "steps", `the run did not come to rest within ${RUN_STEPS} events`);
}

/** The last moment that a step names; triggered steps may follow it. */
function lastTimed({ steps }: Scenario): number {
  const ends = (steps ?? []).map(
    ({ at, workload }) => (at ?? 0) + (workload === undefined ? 0 : workload.count * rangeOf(workload.every_ms).to),
  );
  return Math.max(0, ...ends);
}

function healingPlan({ scenario, setting }: Compiled): {
  atLeast: number;
  core?: readonly string[];
  everywhere?: boolean;
} {
  const { quorum } = bounds(setting.genesis.validators.length);
  const correct = setting.nodes.filter(({ honest }) => honest).map(({ node }) => node);
  const wish = scenario.healing;
  // With too few correct validators there is no core that could go on: all of them heal, and the verdict says why they stall.
  const core = wish?.core ?? (correct.length < quorum ? correct : undefined);
  return {
    atLeast: quorum,
    ...(core === undefined ? {} : { core }),
    ...(wish?.everywhere === true ? { everywhere: true } : {}),
  };
}

/** Whether nobody in the core has anything left to learn from another: background comparisons may still find something. */
function isSettled(world: World): boolean {
  const core = (world.core ?? []).map((name) => world.node(name));
  const [first, ...others] = core.map(({ state }) => state as ValidatorState | undefined);
  if (first === undefined) return true;
  if (first.pending.size > 0) return false;
  return others.every(
    (other) =>
      other !== undefined &&
      other.pending.size === 0 &&
      other.log.size === first.log.size &&
      other.logDigest === first.logDigest,
  );
}
