/** Options of `quorumlab fuzz` and their parsed values. */

import type { Options } from "yargs";
import type { GeneratorOptions } from "../../search/fuzz/seed-run.ts";
import { seedsOf } from "../../search/fuzz/seeds.ts";
import { JUNIT_OPTION } from "../ci.ts";
import { type Args, textOf } from "../command.ts";
import { UsageError } from "../exit-code.ts";
import { BUG_OPTION, variantOption } from "../known-bad.ts";
import { firstSeedOf, shardOf, wholeNumber } from "../numbers.ts";
import {
  FIRST_SEED_OPTION,
  flagOption,
  JSON_OPTION,
  OUT_OPTION,
  PROGRESS_OPTION,
  QUIET_OPTION,
  textOption,
} from "../options.ts";
import { SECONDS_MAX, SEEDS_MAX } from "./limits.ts";
import { profileIn, profileOption } from "./profile.ts";
import { threadsOf } from "./threads.ts";

const OUT = "reports/fuzz";

/** Options in the order of the help text. */
export const FUZZ_OPTIONS: Readonly<Record<string, Options>> = {
  seeds: textOption("number of seeds", "200"),
  seed: FIRST_SEED_OPTION,
  time: textOption(
    "time limit in seconds; a run stopped inside counts as unfinished and does not affect the exit code",
  ),
  workers: textOption("threads; they do not affect the results"),
  shard: textOption("part of the seeds: 2/8 is the second of eight"),
  profile: profileOption("default"),
  guided: flagOption("coverage-guided: mutate runs with rare coverage points for half of the seeds"),
  "stop-after": textOption("stop after this many failing runs"),
  bug: BUG_OPTION,
  out: { ...OUT_OPTION, default: OUT },
  junit: JUNIT_OPTION,
  json: JSON_OPTION,
  quiet: QUIET_OPTION,
  progress: PROGRESS_OPTION,
};

export interface FuzzOptions {
  readonly generator: GeneratorOptions;
  /** Seeds, in the order of an unguided campaign. */
  readonly seeds: readonly string[];
  /** True if rare coverage points determine the next seeds. */
  readonly isGuided: boolean;
  /** Limit of failing runs. */
  readonly stopAfter: number | undefined;
  /** Time limit. */
  readonly milliseconds: number | undefined;
  readonly threads: number;
  readonly out: string;
}

/** @throws UsageError for invalid options. */
export function fuzzOptions(args: Args): FuzzOptions {
  const bug = variantOption(args);
  const seconds = wholeNumber(args, "time", 1, SECONDS_MAX);
  return {
    generator: { profile: profileIn(args, "default"), bug },
    seeds: seedsIn(args),
    isGuided: args["guided"] === true,
    stopAfter: wholeNumber(args, "stop-after", 1, SEEDS_MAX),
    milliseconds: seconds === undefined ? undefined : seconds * 1_000,
    threads: threadsOf(args),
    out: textOf(args, "out") ?? OUT,
  };
}

function seedsIn(args: Args): readonly string[] {
  const first = textOf(args, "seed") ?? "";
  const count = wholeNumber(args, "seeds", 1, SEEDS_MAX) ?? 1;
  if (!/^\d{1,30}(~\d{1,9})+$/.test(first)) return seedsOf(firstSeedOf(args), count, shardOf(textOf(args, "shard")));
  if (count > 1) throw new UsageError(`--seed: ${first} is a mutation, which has no next seed; use --seeds 1`);
  return [first];
}
