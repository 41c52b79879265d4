/** Options of `campaign start`, and the plan that they make. */

import { readFileSync } from "node:fs";
import { BUGS, findBug } from "../../bugs/catalogue.ts";
import { variantOf } from "../../bugs/known-bad-variant.ts";
import { replaysOf } from "../../campaign/findings.ts";
import type { ExploreWork, Plan, ScenarioWork } from "../../campaign/job.ts";
import { RANGE_MAX, SEEDS_MAX } from "../../campaign/read.ts";
import { CRASHES_MAX, ROUNDS_MAX, STATES_MAX } from "../../explore/limits.ts";
import { LIVENESS_DEFAULT } from "../../explore/liveness/liveness.ts";
import { NotExplorable } from "../../explore/model/system.ts";
import { boundsReport, levelsUpTo } from "../../explore/search/deepen.ts";
import { findScenarios } from "../../scenario/files.ts";
import { createParser, type ScenarioParser } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { type Args, type CommandOptions, texts, UsageError } from "../command.ts";
import { scenarioIn } from "../files.ts";
import type { Io } from "../io.ts";
import {
  BUG_OPTION,
  FIRST_SEED_OPTION,
  firstSeedOf,
  flagOption,
  profileIn,
  profileOption,
  textOption,
  variantFor,
  variantOption,
  wholeNumber,
} from "../options.ts";
import { ownProgram, targetOf } from "./target.ts";

const RANGE = 50;
/** Seconds of one world by default: five hundred times the slowest one that was measured. */
const WORLD_SECONDS = 300;
const HUNT_SEEDS = 400;
/** Runs of one minimization: most end before. */
const SHRINK_RUNS = 400;
/** States of one level: it stays in the memory of a small machine. */
const STATES = 1_000_000;
const BENCH_RUNS = 5;

/** Options in the order of the help text. */
export const PLAN_OPTIONS: CommandOptions = {
  seeds: textOption("number of seeds; 0: none", 200),
  seed: FIRST_SEED_OPTION,
  profile: profileOption("default"),
  guided: flagOption(
    "coverage-guided: half of the worlds mutate those of any worker that reached rare coverage points",
  ),
  bug: BUG_OPTION,
  range: textOption("seeds of one job: what a lost worker repeats at most", RANGE),
  "world-seconds": textOption(
    "time after which a world is stopped between two events, and is a finding",
    WORLD_SECONDS,
  ),
  "shrink-runs": textOption("most runs to minimize one finding", SHRINK_RUNS),
  hunt: { ...textOption("known-bad variants to hunt, or all"), array: true },
  "hunt-seeds": textOption("seeds for each of them", HUNT_SEEDS),
  explore: { ...textOption("scenario files to explore, one job for each level"), array: true },
  rounds: textOption("highest round of an exploration", 1),
  crashes: textOption("most crashes of an exploration", 0),
  states: textOption("most states of one level", STATES),
  scenarios: { ...textOption("scenario files and folders to run"), array: true },
  "scenario-seeds": textOption("seeds under which each of them runs, from --seed on", 1),
  bench: { ...textOption("scenario files and folders to time"), array: true },
  "bench-runs": textOption("timed runs of each of them", BENCH_RUNS),
  keep: {
    ...textOption("worlds that results list; sums and coverage are of all", "all"),
    choices: ["all", "failures"],
  },
};

interface ScenarioFile {
  readonly file: string;
  readonly text: string;
  readonly scenario: Scenario;
}

/** @throws UsageError for invalid options and scenario files. */
export function planOf(args: Args, io: Io): Plan {
  const program = ownProgram(io);
  return {
    generator: { profile: profileIn(args, "default"), bug: variantOption(args) },
    first: String(firstSeedOf(args)),
    seeds: wholeNumber(args, "seeds", 0, SEEDS_MAX) ?? 0,
    range: wholeNumber(args, "range", 1, RANGE_MAX) ?? RANGE,
    guided: args["guided"] === true,
    hunt: huntIn(args),
    huntSeeds: wholeNumber(args, "hunt-seeds", 1, SEEDS_MAX) ?? HUNT_SEEDS,
    explore: exploreIn(args, io),
    scenarios: scenariosIn(args, io),
    bench: benchIn(args, io),
    replay: replaysOf(targetOf(args).findings, program.commit),
    worldMs: (wholeNumber(args, "world-seconds", 1, RANGE_MAX) ?? WORLD_SECONDS) * 1_000,
    shrinkRuns: wholeNumber(args, "shrink-runs", 1, RANGE_MAX) ?? SHRINK_RUNS,
    keep: args["keep"] === "failures" ? "failures" : "all",
    program,
  };
}

function huntIn(args: Args): readonly string[] {
  const named = texts(args, "hunt");
  if (named.length === 1 && named[0] === "all") return BUGS.map(({ name }) => name);
  return named.map((name) => variantFor(name, "--hunt").name);
}

function exploreIn(args: Args, io: Io): Plan["explore"] {
  const bounds = {
    rounds: wholeNumber(args, "rounds", 0, ROUNDS_MAX) ?? 1,
    crashes: wholeNumber(args, "crashes", 0, CRASHES_MAX) ?? 0,
  };
  const states = wholeNumber(args, "states", 1, STATES_MAX) ?? STATES;
  return filesIn(texts(args, "explore"), "--explore", io).flatMap(({ file, text, scenario }) => {
    try {
      boundsReport(scenario, { bounds, variant: variantOf(findBug(scenario.bug ?? "")) }, LIVENESS_DEFAULT);
    } catch (error) {
      throw error instanceof NotExplorable ? new UsageError(`--explore: ${file}: ${error.message}`) : error;
    }
    return levelsUpTo(bounds).map((level): Omit<ExploreWork, "kind"> => ({ file, text, ...level, states }));
  });
}

function scenariosIn(args: Args, io: Io): Plan["scenarios"] {
  const first = firstSeedOf(args);
  const count = wholeNumber(args, "scenario-seeds", 1, RANGE_MAX) ?? 1;
  return filesIn(texts(args, "scenarios"), "--scenarios", io).flatMap(({ file, text }) =>
    Array.from(
      { length: count },
      (_, at): Omit<ScenarioWork, "kind"> => ({ file, text, seed: String(first + BigInt(at)) }),
    ),
  );
}

function benchIn(args: Args, io: Io): Plan["bench"] {
  const runs = wholeNumber(args, "bench-runs", 1, RANGE_MAX) ?? BENCH_RUNS;
  const seed = String(firstSeedOf(args));
  return filesIn(texts(args, "bench"), "--bench", io).map(({ file, text }) => ({ file, text, seed, runs }));
}

/** Returns the parsed files with their texts: workers on other machines have no such files. */
function filesIn(paths: readonly string[], option: string, io: Io): readonly ScenarioFile[] {
  if (paths.length === 0) return [];
  const { files, problems } = findScenarios(paths);
  for (const { path, message } of problems) throw new UsageError(`${option}: ${path}: ${message}`);
  const parser: ScenarioParser = createParser();
  return files.map(({ path: file }) => {
    const scenario = scenarioIn(file, parser, io);
    if (scenario === undefined) throw new UsageError(`${option}: ${file} is no scenario`);
    return { file, text: readFileSync(file, "utf8"), scenario };
  });
}
