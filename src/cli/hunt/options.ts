/** Options of `quorumlab hunt` and their parsed values. */
import { BUGS } from "../../bugs/catalogue.ts";
import { REPEATS, SEEDS_BUDGET, SHRINK_BUDGET, seedRanges } from "../../search/hunt/search.ts";
import { type Args, type CommandOptions, textOf, texts } from "../command.ts";
import {
  FIRST_SEED_OPTION,
  firstSeedOf,
  flagOption,
  GUIDED_OPTION,
  OUT_OPTION,
  OUTPUT_OPTIONS,
  PROFILE_OPTION,
  profileIn,
  SEEDS_MAX,
  textOption,
  threadsOf,
  variantFor,
  wholeNumber,
} from "../options.ts";
import { FROM_OPTION, fromOption } from "../written-scenarios.ts";

/** Independent ranges of seeds for each variant. */
const REPEATS_MAX = 1_000;
/** Runs to minimize one detection. */
const SHRINK_RUNS_MAX = 1_000_000;

const OUT = "reports";

/** Options in the order of the help text. */
export const HUNT_OPTIONS: CommandOptions = {
  seeds: textOption("seeds of one range", SEEDS_BUDGET),
  repeats: textOption("independent ranges of seeds for each variant", REPEATS),
  seed: FIRST_SEED_OPTION,
  profile: PROFILE_OPTION,
  from: FROM_OPTION,
  guided: GUIDED_OPTION,
  confidence: flagOption("run whole ranges, and report how many clean runs show a fix"),
  "shrink-runs": textOption("limit of runs to minimize a detection; 0: do not minimize", SHRINK_BUDGET),
  workers: textOption("threads"),
  out: { ...OUT_OPTION, default: OUT },
  ...OUTPUT_OPTIONS,
};

/** @throws UsageError for invalid options. */
export function huntOptions(args: Args) {
  const budget = wholeNumber(args, "seeds", 1, SEEDS_MAX) ?? SEEDS_BUDGET;
  const repeats = wholeNumber(args, "repeats", 1, REPEATS_MAX) ?? REPEATS;
  const names = texts(args, "bugs");
  return {
    bugs: names.length === 0 ? BUGS : [...new Set(names)].map((name) => variantFor(name)),
    method: { profile: profileIn(args), guided: args["guided"] === true, from: fromOption(args) },
    /** Files and folders whose neighbours are drawn. */
    from: texts(args, "from"),
    ranges: seedRanges(firstSeedOf(args), budget, repeats),
    /** True to run whole ranges and report the number of clean runs. */
    confidence: args["confidence"] === true,
    /** Limit of runs to minimize a detection; 0: do not minimize. */
    shrinkRuns: wholeNumber(args, "shrink-runs", 0, SHRINK_RUNS_MAX) ?? SHRINK_BUDGET,
    threads: threadsOf(args),
    out: textOf(args, "out") ?? OUT,
  };
}

export type HuntOptions = ReturnType<typeof huntOptions>;
