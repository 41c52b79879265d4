/**
 * Run of one seed of a campaign. The scenario and the seed determine it completely: all other random choices of a run
 * come from the seed under stable labels, so nothing more must be saved to reproduce it.
 */

import { fitScenario } from "../../external/fit.ts";
import { type NodeSettings, programsOf } from "../../external/nodes.ts";
import type { Interruptible } from "../../run/interruptible.ts";
import { runInSlices } from "../../run/run.ts";
import { type PlainResult, plainResultOf } from "../../run/verdict.ts";
import { Rng } from "../../scenario/rng.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { withoutDangling } from "../shrink/json-tree.ts";
import { withConflict } from "./conflict.ts";
import { drawWorld } from "./draw.ts";
import { type FailureSignature, failureSignatureOf } from "./failure-signature.ts";
import type { GeneratorName } from "./generators.ts";
import type { ProfileName } from "./swarm.ts";

/** Options of the scenario generator. */
export interface GeneratorOptions {
  readonly profile: ProfileName;
  /** Known-bad variant that runs instead of the real program. */
  readonly bug: string | undefined;
  /** Validators that others wrote, in place of the real program. */
  readonly nodes?: NodeSettings | undefined;
}

export interface SeedRun {
  readonly seed: string;
  readonly scenario: Scenario;
  /** Generators that added steps to the scenario. */
  readonly drawn: ReadonlySet<GeneratorName>;
  readonly result: PlainResult;
  /** `undefined` if it passed, or finalized nothing: an empty run is no failure. */
  readonly signature: FailureSignature | undefined;
}

/** Returns what of a drawn world nodes of others can take part in, with a conflict in many. */
function worldForNodes(seed: string, world: Scenario): Scenario {
  return withConflict(withoutDangling(fitScenario(world).scenario), new Rng(seed, "conflict"));
}

/** Generates and runs the scenario of a seed, some events at a time. */
export function* runSeed(seed: string, { profile, bug, nodes }: GeneratorOptions): Interruptible<SeedRun> {
  const { scenario: world, drawn } = drawWorld(seed, profile, bug);
  const scenario = nodes === undefined ? world : worldForNodes(seed, world);
  const result = yield* runInSlices(scenario, { seed, programs: programsOf(nodes) });
  return { seed, scenario, drawn, result: plainResultOf(result), signature: failureSignatureOf(scenario, result) };
}
