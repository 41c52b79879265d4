/** What `quorumlab hunt` can be asked for, and what it is asked for. */

import type { Options } from "yargs";
import type { Bug } from "../../bugs/bug.ts";
import { BUGS } from "../../bugs/catalogue.ts";
import { REPEATS, SEEDS_BUDGET, SHRINK_BUDGET } from "../../search/hunt/limits.ts";
import { type Range, rangesFrom, type Strategy } from "../../search/hunt/strategy.ts";
import { type Args, textOf, texts } from "../command.ts";
import { SEEDS_MAX } from "../fuzz/limits.ts";
import { profileIn, profileOption } from "../fuzz/profile.ts";
import { threadsOf } from "../fuzz/threads.ts";
import { knownBad } from "../known-bad.ts";
import {
  FIRST_SEED_OPTION,
  flagOption,
  JSON_OPTION,
  OUT_OPTION,
  PROGRESS_OPTION,
  QUIET_OPTION,
  textOption,
} from "../options.ts";
import { firstSeedOf, wholeOf } from "../whole.ts";
import { REPEATS_MAX, SHRINK_RUNS_MAX } from "./limits.ts";

const OUT = "reports";

/** In the order in which help lists them. */
export const HUNT_OPTIONS: Readonly<Record<string, Options>> = {
  seeds: textOption("the budget of one range: its seeds", SEEDS_BUDGET),
  repeats: textOption("independent ranges of seeds for each variant", REPEATS),
  seed: FIRST_SEED_OPTION,
  profile: { ...profileOption("default"), description: "how large the drawn worlds are" },
  confidence: flagOption("look at whole ranges, and say how many clean runs a fix takes"),
  "shrink-runs": textOption("the most runs to make a finding smaller with; 0: none", SHRINK_BUDGET),
  workers: textOption("threads"),
  out: { ...OUT_OPTION, default: OUT },
  json: JSON_OPTION,
  quiet: QUIET_OPTION,
  progress: PROGRESS_OPTION,
};

export interface HuntOptions {
  readonly bugs: readonly Bug[];
  readonly strategies: readonly Strategy[];
  readonly ranges: readonly Range[];
  /** Whether ranges are looked at to their ends, to say how many clean runs a bug takes. */
  readonly confidence: boolean;
  /** Runs that making a finding smaller may take; 0: nothing is made smaller. */
  readonly shrinkRuns: number;
  readonly threads: number;
  readonly out: string;
}

/** @throws UsageError for what no hunt can be. */
export function huntOptions(args: Args): HuntOptions {
  const budget = wholeOf(args, "seeds", 1, SEEDS_MAX) ?? SEEDS_BUDGET;
  const repeats = wholeOf(args, "repeats", 1, REPEATS_MAX) ?? REPEATS;
  return {
    bugs: bugsOf(texts(args, "bugs")),
    strategies: [{ kind: "fuzz", profile: profileIn(args, "default") }],
    ranges: rangesFrom(firstSeedOf(args), budget, repeats),
    confidence: args["confidence"] === true,
    shrinkRuns: wholeOf(args, "shrink-runs", 0, SHRINK_RUNS_MAX) ?? SHRINK_BUDGET,
    threads: threadsOf(args),
    out: textOf(args, "out") ?? OUT,
  };
}

function bugsOf(names: readonly string[]): readonly Bug[] {
  return names.length === 0 ? BUGS : [...new Set(names)].map((name) => knownBad(name));
}
