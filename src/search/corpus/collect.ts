/** Collection of corpus scenarios: generates seed after seed and minimizes each candidate. */
import type { Interruptible } from "../../run/interruptible.ts";
import { runInSlices } from "../../run/run.ts";
import { DEFAULT_SEED, RUN_EVENTS } from "../../scenario/limits.ts";
import type { ScenarioParser } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Step } from "../../scenario/schema/step.ts";
import { drawScenario } from "../fuzz/draw.ts";
import type { ProfileName } from "../fuzz/swarm.ts";
import { withoutDangling } from "../shrink/json-tree.ts";
import { type CorpusScenario, type CoverageItem, coverageOf, newCoverage, withScenario } from "./corpus.ts";

/** Events of a member's run: one that takes more is too large to be replayed with every change. */
const SCENARIO_EVENTS = 50_000;

/** Seeds, generator options and callback. */
export interface CollectOptions {
  readonly seeds: Iterable<string>;
  readonly profile: ProfileName;
  readonly parser: ScenarioParser;
  /** Called with each seed, and with the corpus after it. */
  readonly onProgress?: (seed: string, scenarios: readonly CorpusScenario[], isChanged: boolean) => void;
}

/** Returns the corpus after the seeds; a seed that is stopped inside does not count. */
export function* collectScenarios(
  start: readonly CorpusScenario[],
  { seeds, profile, parser, onProgress }: CollectOptions,
): Interruptible<readonly CorpusScenario[]> {
  let scenarios = start;
  for (const seed of seeds) {
    if (yield) return scenarios;
    // Corpus scenarios become quiescent, so their files need no event limit.
    const { events = RUN_EVENTS, ...drawn } = drawScenario(seed, profile);
    const first = yield* runCandidate(drawn, events, parser);
    const fresh = first === undefined ? [] : newCoverage(first.coverage, scenarios);
    const candidate = first && fresh.length > 0 ? yield* reduceSteps(first, fresh, parser) : first;
    const next = candidate === undefined ? scenarios : withScenario(scenarios, nameScenario(candidate, fresh, seed));
    onProgress?.(seed, next, next !== scenarios);
    scenarios = next;
  }
  return scenarios;
}

/** Returns a corpus scenario from a file; `undefined` if it does not pass. */
export function* corpusScenarioOf(
  name: string,
  scenario: Scenario,
  parser: ScenarioParser,
): Interruptible<CorpusScenario | undefined> {
  const run = yield* runCandidate(scenario, SCENARIO_EVENTS, parser);
  return run && { ...run, name };
}

/** Passing run. */
type PassingRun = Omit<CorpusScenario, "name">;

/** Runs a candidate as the corpus will; `undefined` if it is invalid, does not pass, or is empty. */
function* runCandidate(
  scenario: Scenario,
  events: number,
  parser: ScenarioParser,
): Interruptible<PassingRun | undefined> {
  if (!parser.takes(scenario)) return undefined;
  const result = yield* runInSlices(scenario, { seed: DEFAULT_SEED, events });
  if (result.verdict !== "pass") return undefined;
  return { scenario, coverage: coverageOf(scenario, result.coverage), events: result.steps };
}

/** Removes steps while the fresh coverage is kept: large chunks first, then single steps. */
function* reduceSteps(
  start: PassingRun,
  fresh: readonly CoverageItem[],
  parser: ScenarioParser,
): Interruptible<PassingRun> {
  let best = start;
  for (let size = Math.ceil(stepsOf(best).length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < stepsOf(best).length; ) {
      const steps = stepsOf(best).filter((_, place) => place < from || place >= from + size);
      const smaller =
        steps.length === 0 ? undefined : yield* runCandidate(withSteps(best, steps), start.events * 4, parser);
      if (smaller !== undefined && fresh.every((one) => smaller.coverage.has(one))) best = smaller;
      else from += size;
    }
  }
  return best;
}

function stepsOf({ scenario }: PassingRun): readonly Step[] {
  return scenario.steps ?? [];
}

function withSteps({ scenario }: PassingRun, steps: readonly Step[]): Scenario {
  return withoutDangling({ ...scenario, steps });
}

/** Names a scenario by its first fresh coverage item. */
function nameScenario(run: PassingRun, fresh: readonly CoverageItem[], seed: string): CorpusScenario {
  const [first = "smaller"] = fresh.length > 0 ? fresh : [...run.coverage];
  const slug = first.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const shows = `coverage points: ${[...fresh].slice(0, 4).join("; ") || first}`;
  const scenario = { ...run.scenario, name: `${first}, drawn from seed ${seed}`, shows };
  return { ...run, scenario, name: `${slug}-${seed}` };
}
