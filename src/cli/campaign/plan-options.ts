/** Options of `campaign start`, and the plan that they make. */
import { replaysOf } from "../../campaign/findings.ts";
import type { Plan } from "../../campaign/job.ts";
import type { Args, CommandOptions } from "../command.ts";
import type { Io } from "../io.ts";
import {
  BUG_OPTION,
  FIRST_SEED_OPTION,
  firstSeedOf,
  flagOption,
  profileIn,
  profileOption,
  textOption,
  variantOption,
  wholeNumber,
} from "../options.ts";
import { ownProgram, targetOf } from "./target.ts";

/** Most seeds of one campaign. */
const SEEDS_MAX = 999_999_999;
const RANGE_MAX = 100_000;
const RANGE = 50;
/** Seconds of one world by default: five hundred times the slowest one that was measured. */
const WORLD_SECONDS = 300;
/** Runs of one minimization: most end before. */
const SHRINK_RUNS = 400;

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
  keep: {
    ...textOption("worlds that results list; sums and coverage are of all", "all"),
    choices: ["all", "failures"],
  },
};

/** @throws UsageError for invalid options. */
export function planOf(args: Args, io: Io): Plan {
  const program = ownProgram(io);
  return {
    generator: { profile: profileIn(args, "default"), bug: variantOption(args) },
    first: String(firstSeedOf(args)),
    seeds: wholeNumber(args, "seeds", 0, SEEDS_MAX) ?? 0,
    range: wholeNumber(args, "range", 1, RANGE_MAX) ?? RANGE,
    guided: args["guided"] === true,
    replay: replaysOf(targetOf(args).findings, program.commit),
    worldMs: (wholeNumber(args, "world-seconds", 1, RANGE_MAX) ?? WORLD_SECONDS) * 1_000,
    shrinkRuns: wholeNumber(args, "shrink-runs", 1, RANGE_MAX) ?? SHRINK_RUNS,
    keep: args["keep"] === "failures" ? "failures" : "all",
    program,
  };
}
