/** What `quorumlab fuzz` can be asked for, and what it is asked for. */

import type { Options } from "yargs";
import type { Worlds } from "../../search/fuzz/seed-run.ts";
import { seedsOf } from "../../search/fuzz/seeds.ts";
import { JUNIT_OPTION } from "../ci.ts";
import { type Args, textOf } from "../command.ts";
import { UsageError } from "../exit-code.ts";
import { BUG_OPTION, bugOf } from "../known-bad.ts";
import {
  FIRST_SEED_OPTION,
  flagOption,
  JSON_OPTION,
  OUT_OPTION,
  PROGRESS_OPTION,
  QUIET_OPTION,
  textOption,
} from "../options.ts";
import { firstSeedOf, shardOf, wholeOf } from "../whole.ts";
import { SECONDS_MAX, SEEDS_MAX } from "./limits.ts";
import { profileIn, profileOption } from "./profile.ts";
import { threadsOf } from "./threads.ts";

const OUT = "reports/fuzz";

/** In the order in which help lists them. */
export const FUZZ_OPTIONS: Readonly<Record<string, Options>> = {
  seeds: textOption("how many seeds", "200"),
  seed: FIRST_SEED_OPTION,
  time: textOption(
    "seconds after which it ends, inside a world too, which is then unfinished; failures alone decide the exit code",
  ),
  workers: textOption("threads; the results do not depend on it"),
  shard: textOption("a part of the seeds: 2/8 is the second of eight"),
  profile: profileOption("default"),
  steer: flagOption("every second world is a mutation of one that reached what few others did"),
  "stop-after": textOption("failing runs after which it ends"),
  bug: BUG_OPTION,
  out: { ...OUT_OPTION, default: OUT },
  junit: JUNIT_OPTION,
  json: JSON_OPTION,
  quiet: QUIET_OPTION,
  progress: PROGRESS_OPTION,
};

export interface FuzzOptions {
  readonly worlds: Worlds;
  /** In the order in which a campaign that is not steered runs them. */
  readonly seeds: readonly string[];
  /** Whether rare marks decide which worlds come next. */
  readonly steers: boolean;
  /** Failing runs after which it ends. */
  readonly stopAfter: number | undefined;
  /** After which it ends. */
  readonly milliseconds: number | undefined;
  readonly threads: number;
  readonly out: string;
}

/** @throws UsageError for what no campaign can be. */
export function fuzzOptions(args: Args): FuzzOptions {
  const bug = bugOf(args);
  const seconds = wholeOf(args, "time", 1, SECONDS_MAX);
  return {
    worlds: { profile: profileIn(args, "default"), bug },
    seeds: seedsIn(args),
    steers: args["steer"] === true,
    stopAfter: wholeOf(args, "stop-after", 1, SEEDS_MAX),
    milliseconds: seconds === undefined ? undefined : seconds * 1_000,
    threads: threadsOf(args),
    out: textOf(args, "out") ?? OUT,
  };
}

function seedsIn(args: Args): readonly string[] {
  const first = textOf(args, "seed") ?? "";
  const count = wholeOf(args, "seeds", 1, SEEDS_MAX) ?? 1;
  if (!/^\d{1,30}(~\d{1,9})+$/.test(first)) return seedsOf(firstSeedOf(args), count, shardOf(textOf(args, "shard")));
  if (count > 1) throw new UsageError(`--seed: ${first} is a mutation, and no other seed follows it: --seeds 1`);
  return [first];
}
