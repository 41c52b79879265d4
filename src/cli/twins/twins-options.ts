/** Options of `quorumlab twins` and their parsed values. */

import type { Options } from "yargs";
import { DEFAULT_SEED } from "../../scenario/limits.ts";
import type { Shard } from "../../search/fuzz/seeds.ts";
import { countTwinCases } from "../../search/twins/cases.ts";
import { INSTANCES_MAX, ROUNDS_MAX, TWINS_MAX } from "../../search/twins/limits.ts";
import type { TwinSizes } from "../../search/twins/symmetry.ts";
import { type Args, textOf } from "../command.ts";
import { UsageError } from "../exit-code.ts";
import { BUG_OPTION, variantOption } from "../known-bad.ts";
import { shardOf, wholeNumber } from "../numbers.ts";
import { flagOption, JSON_OPTION, OUT_OPTION, PROGRESS_OPTION, SEED_OPTION, textOption } from "../options.ts";
import { FAILURES_MAX } from "./limits.ts";

/** Default sizes. */
const USUAL: TwinSizes = { n: 4, twins: 1, rounds: 2 };
const OUT = "reports/twins";

/** Options in the order of the help text. */
export const TWINS_OPTIONS: Readonly<Record<string, Options>> = {
  validators: textOption("validators, each with its own key", USUAL.n),
  twins: textOption("number of validators with a twin", USUAL.twins),
  rounds: textOption("rounds, each with one split of the network", USUAL.rounds),
  crashes: flagOption("crash each round's proposer after its first signature"),
  shard: textOption("part of the cases: 2/8 is the second of eight"),
  "stop-after": textOption("stop after this many failing cases"),
  bug: BUG_OPTION,
  seed: SEED_OPTION,
  out: { ...OUT_OPTION, default: OUT },
  json: JSON_OPTION,
  progress: PROGRESS_OPTION,
};

export interface TwinsOptions {
  readonly sizes: TwinSizes;
  /** Number of cases of these sizes, over all shards. */
  readonly count: number;
  readonly shard: Shard;
  /** Limit of failing cases. */
  readonly stopAfter: number | undefined;
  readonly bug: string | undefined;
  /** True if each round's proposer crashes. */
  readonly crashes: boolean;
  readonly seed: string;
  readonly out: string;
}

/** @throws UsageError for invalid sizes or options. */
export function twinsOptions(args: Args): TwinsOptions {
  const sizes = {
    n: wholeNumber(args, "validators", 1, INSTANCES_MAX) ?? USUAL.n,
    twins: wholeNumber(args, "twins", 0, TWINS_MAX) ?? USUAL.twins,
    rounds: wholeNumber(args, "rounds", 1, ROUNDS_MAX) ?? USUAL.rounds,
  };
  return {
    sizes,
    count: countOfCases(sizes),
    shard: shardOf(textOf(args, "shard")),
    stopAfter: wholeNumber(args, "stop-after", 1, FAILURES_MAX),
    bug: variantOption(args),
    crashes: args["crashes"] === true,
    seed: textOf(args, "seed") ?? DEFAULT_SEED,
    out: textOf(args, "out") ?? OUT,
  };
}

function countOfCases(sizes: TwinSizes): number {
  try {
    return Number(countTwinCases(sizes));
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}
