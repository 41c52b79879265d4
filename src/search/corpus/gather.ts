/** Draws runs for the corpus: seed after seed, each made small before it is taken. */

import { runInSlices } from "../../run/run.ts";
import type { Sliced } from "../../run/sliced.ts";
import { DEFAULT_SEED, RUN_STEPS } from "../../scenario/limits.ts";
import type { ScenarioParser } from "../../scenario/parse.ts";
import type { Scenario, Step } from "../../scenario/scenario.ts";
import { drawScenario } from "../fuzz/draw.ts";
import type { ProfileName } from "../fuzz/profile.ts";
import { withoutDangling } from "../shrink/references.ts";
import { type Member, newIn, withMember } from "./corpus.ts";
import { type Reached, reachedBy } from "./coverage.ts";
import { MEMBER_EVENTS } from "./limits.ts";

/** What is drawn, and who hears of it. */
export interface Gathering {
  readonly seeds: Iterable<string>;
  readonly profile: ProfileName;
  readonly parser: ScenarioParser;
  /** Told of each seed, and of the corpus where that changed it. */
  readonly heard?: (seed: string, members: readonly Member[], isChanged: boolean) => void;
}

/** The corpus after some seeds; the seed in which it is stopped does not count. */
export function* gather(
  start: readonly Member[],
  { seeds, profile, parser, heard }: Gathering,
): Sliced<readonly Member[]> {
  let members = start;
  for (const seed of seeds) {
    if (yield) return members;
    // A member comes to rest by itself: its file needs no bound.
    const { events = RUN_STEPS, ...drawn } = drawScenario(seed, profile);
    const first = yield* tried(drawn, events, parser);
    const fresh = first === undefined ? [] : newIn(first.reached, members);
    const candidate = first && fresh.length > 0 ? yield* reduced(first, fresh, parser) : first;
    const next = candidate === undefined ? members : withMember(members, named(candidate, fresh, seed));
    heard?.(seed, next, next !== members);
    members = next;
  }
  return members;
}

/** A member from a scenario that somebody else wrote; `undefined` where it does not pass. */
export function* memberOf(name: string, scenario: Scenario, parser: ScenarioParser): Sliced<Member | undefined> {
  const one = yield* tried(scenario, MEMBER_EVENTS, parser);
  return one && { ...one, name };
}

/** A run that passed. */
type Passed = Omit<Member, "name">;

/** Runs a scenario as the corpus will; `undefined` where it is none, does not pass, or shows nothing. */
function* tried(scenario: Scenario, events: number, parser: ScenarioParser): Sliced<Passed | undefined> {
  if (!parser.takes(scenario)) return undefined;
  const result = yield* runInSlices(scenario, { seed: DEFAULT_SEED, events });
  if (result.verdict !== "pass") return undefined;
  return { scenario, reached: reachedBy(scenario, result.marks), events: result.steps };
}

/** Fewer steps, for as long as it reaches what nobody else does: large parts of them at once, then single ones. */
function* reduced(start: Passed, fresh: readonly Reached[], parser: ScenarioParser): Sliced<Passed> {
  let best = start;
  for (let size = Math.ceil(stepsOf(best).length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < stepsOf(best).length; ) {
      const steps = stepsOf(best).filter((_, place) => place < from || place >= from + size);
      const smaller = steps.length === 0 ? undefined : yield* tried(withSteps(best, steps), start.events * 4, parser);
      if (smaller !== undefined && fresh.every((one) => smaller.reached.has(one))) best = smaller;
      else from += size;
    }
  }
  return best;
}

function stepsOf({ scenario }: Passed): readonly Step[] {
  return scenario.steps ?? [];
}

function withSteps({ scenario }: Passed, steps: readonly Step[]): Scenario {
  return withoutDangling({ ...scenario, steps });
}

/** Called by the first thing that nobody else reached. */
function named(one: Passed, fresh: readonly Reached[], seed: string): Member {
  const [first = "smaller"] = fresh.length > 0 ? fresh : [...one.reached];
  const slug = first.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const shows = `what validators come through: ${[...fresh].slice(0, 4).join("; ") || first}`;
  const scenario = { ...one.scenario, name: `${first}, drawn from seed ${seed}`, shows };
  return { ...one, scenario, name: `${slug}-${seed}` };
}
