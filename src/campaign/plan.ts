/** Plan of a campaign: what it covers, and the program that every worker has to run. */
import type { GeneratorOptions } from "../search/fuzz/seed-run.ts";
import {
  type BenchWork,
  type ExploreWork,
  type Job,
  jobOf,
  partsOf,
  type ReplayWork,
  type ScenarioWork,
  SPLIT_JOBS,
} from "./job.ts";

export interface Plan {
  readonly generator: GeneratorOptions;
  /** First seed in decimal, and number of seeds. */
  readonly first: string;
  readonly seeds: number;
  /** Seeds of one job. */
  readonly range: number;
  /** True if the coverage of all jobs so far guides each of them. */
  readonly guided: boolean;
  /** Known-bad variants that are hunted in `huntSeeds` seeds each. */
  readonly hunt: readonly string[];
  readonly huntSeeds: number;
  readonly explore: readonly Omit<ExploreWork, "kind">[];
  readonly scenarios: readonly Omit<ScenarioWork, "kind">[];
  readonly bench: readonly Omit<BenchWork, "kind">[];
  readonly replay: readonly Omit<ReplayWork, "kind">[];
  /** Milliseconds after which a world is stopped between two events, and becomes a finding. */
  readonly worldMs: number;
  /** Runs that the minimization of one finding may take. */
  readonly shrinkRuns: number;
  /** Rows of worlds that results keep. */
  readonly keep: "all" | "failures";
  readonly program: CampaignProgram;
}

/** Program of a campaign. */
export interface CampaignProgram {
  readonly quorumlab: string;
  /** `undefined` if neither a git clone nor the environment tells it. */
  readonly commit: string | undefined;
}

/** Returns the jobs of a plan. A plan of many jobs begins with splits, so that no queue holds them all at once. */
export function* jobsOf(plan: Plan): Generator<Job> {
  for (const one of plan.replay) yield jobOf({ kind: "replay", ...one });
  for (const one of plan.scenarios) yield jobOf({ kind: "scenario", ...one });
  for (const one of plan.explore) yield jobOf({ kind: "explore", ...one });
  const { generator, first, seeds, range, guided, huntSeeds } = plan;
  const { profile } = generator;
  for (const bug of plan.hunt) yield jobOf({ kind: "hunt", bug, profile, first, count: huntSeeds });
  for (const one of plan.bench) yield jobOf({ kind: "bench", ...one });
  const whole = { ...generator, kind: "split", first, count: seeds, guided, range } as const;
  if (seeds <= range * SPLIT_JOBS) yield* partsOf(whole);
  else
    for (const { work } of partsOf({ ...whole, range: range * SPLIT_JOBS }))
      if (work.kind === "fuzz") yield jobOf({ ...work, kind: "split", range });
}

/** Returns why a program may not work on a plan; `undefined` if it may. */
export function programFault(plan: Plan, own: CampaignProgram): string | undefined {
  const { quorumlab, commit } = plan.program;
  if (quorumlab !== own.quorumlab) return `the campaign runs version ${quorumlab}, this is ${own.quorumlab}`;
  if (commit === own.commit) return undefined;
  return `the campaign runs commit ${commit ?? "unknown"}, this is ${own.commit ?? "unknown"}`;
}
