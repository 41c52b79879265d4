/**
 * Run of one seed of a campaign. The scenario and the seed determine it completely: all other random choices of a run
 * come from the seed under stable labels, so nothing more must be saved to reproduce it.
 */

import { findBug } from "../../bugs/catalogue.ts";
import { fitScenario } from "../../external/fit.ts";
import { type NodeSettings, programsOf } from "../../external/nodes.ts";
import type { Interruptible } from "../../run/interruptible.ts";
import { runInSlices } from "../../run/run.ts";
import { type PlainResult, plainResultOf } from "../../run/verdict.ts";
import { isNative } from "../../scenario/node-commands.ts";
import { createParser } from "../../scenario/parse.ts";
import { Rng } from "../../scenario/rng.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { withoutDangling } from "../shrink/json-tree.ts";
import { withConflict } from "./conflict.ts";
import { type DrawnWorld, drawWorld } from "./draw.ts";
import { type FailureSignature, failureSignatureOf } from "./failure-signature.ts";
import type { GeneratorName } from "./generators.ts";
import { neighbourOf, withAttacker } from "./neighbours.ts";
import { SEED_SEPARATOR } from "./rng.ts";
import type { ProfileName } from "./swarm.ts";

/** The source of drawn worlds. */
export interface WorldSource {
  readonly profile: ProfileName;
  /** Written scenarios whose neighbours are drawn, one after the other, in place of worlds of the profile. */
  readonly from?: readonly Scenario[] | undefined;
}

/** Options of the scenario generator. */
export interface GeneratorOptions extends WorldSource {
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

/** Returns the neighbour that a seed draws; `736~2` is a neighbour of that of seed 736. */
function neighbourOfSeed(seed: string, from: readonly Scenario[], bug: string | undefined): Scenario {
  const [first = "0", ...numbers] = seed.split(SEED_SEPARATOR);
  const file = from[Number(BigInt(first) % BigInt(from.length))] as Scenario;
  const written = bug !== undefined && findBug(bug)?.attack !== undefined ? withAttacker(file) : file;
  const parser = createParser();
  let [neighbour, path] = [neighbourOf(written, first, parser), first];
  for (const number of numbers) {
    path = `${path}${SEED_SEPARATOR}${number}`;
    neighbour = neighbourOf(neighbour, path, parser);
  }
  return { ...neighbour, ...(bug === undefined ? {} : { bug }) };
}

/** Returns the world of a seed: drawn for a profile, or beside a written scenario; of it what `nodes` can take part in. */
export function worldOfSeed(seed: string, { profile, from, bug, nodes }: GeneratorOptions): DrawnWorld {
  const world: DrawnWorld =
    from === undefined
      ? drawWorld(seed, profile, bug)
      : { scenario: neighbourOfSeed(seed, from, bug), drawn: new Set() };
  return nodes === undefined || isNative(nodes.commands)
    ? world
    : { ...world, scenario: worldForNodes(seed, world.scenario) };
}

/** Generates and runs the scenario of a seed, some events at a time. */
export function* runSeed(seed: string, options: GeneratorOptions): Interruptible<SeedRun> {
  const { scenario, drawn } = worldOfSeed(seed, options);
  const result = yield* runInSlices(scenario, { seed, programs: programsOf(options.nodes) });
  return { seed, scenario, drawn, result: plainResultOf(result), signature: failureSignatureOf(scenario, result) };
}
