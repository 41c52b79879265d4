/** What `quorumlab twins` can be asked for, and what it is asked for. */

import type { Options } from "yargs";
import { DEFAULT_SEED } from "../../scenario/limits.ts";
import type { Shard } from "../../search/fuzz/seeds.ts";
import { countTwinCases } from "../../search/twins/cases.ts";
import { INSTANCES_MAX, ROUNDS_MAX, TWINS_MAX } from "../../search/twins/limits.ts";
import type { TwinSizes } from "../../search/twins/symmetry.ts";
import { type Args, textOf } from "../command.ts";
import { UsageError } from "../exit-code.ts";
import { BUG_OPTION, bugOf } from "../known-bad.ts";
import { flagOption, JSON_OPTION, OUT_OPTION, PROGRESS_OPTION, SEED_OPTION, textOption } from "../options.ts";
import { shardOf, wholeOf } from "../whole.ts";
import { FAILURES_MAX } from "./limits.ts";

/** Where nobody says otherwise. */
const USUAL: TwinSizes = { n: 4, twins: 1, rounds: 2 };
const OUT = "reports/twins";

/** In the order in which help lists them. */
export const TWINS_OPTIONS: Readonly<Record<string, Options>> = {
  validators: textOption("validators, each with a key of its own", USUAL.n),
  twins: textOption("how many of them run twice", USUAL.twins),
  rounds: textOption("splits of the network, one after the other", USUAL.rounds),
  crashes: flagOption("each round's proposer crashes after its first word"),
  shard: textOption("a part of the cases: 2/8 is the second of eight"),
  "stop-after": textOption("failing cases after which it ends"),
  bug: BUG_OPTION,
  seed: SEED_OPTION,
  out: { ...OUT_OPTION, default: OUT },
  json: JSON_OPTION,
  progress: PROGRESS_OPTION,
};

export interface TwinsOptions {
  readonly sizes: TwinSizes;
  /** Cases of these sizes, those of all shards. */
  readonly count: number;
  readonly shard: Shard;
  /** Failing cases after which it ends. */
  readonly stopAfter: number | undefined;
  readonly bug: string | undefined;
  /** Whether each round's proposer crashes. */
  readonly crashes: boolean;
  readonly seed: string;
  readonly out: string;
}

/** @throws UsageError for sizes that make no network, and for what no run of its cases can be. */
export function twinsOptions(args: Args): TwinsOptions {
  const sizes = {
    n: wholeOf(args, "validators", 1, INSTANCES_MAX) ?? USUAL.n,
    twins: wholeOf(args, "twins", 0, TWINS_MAX) ?? USUAL.twins,
    rounds: wholeOf(args, "rounds", 1, ROUNDS_MAX) ?? USUAL.rounds,
  };
  return {
    sizes,
    count: countOfCases(sizes),
    shard: shardOf(textOf(args, "shard")),
    stopAfter: wholeOf(args, "stop-after", 1, FAILURES_MAX),
    bug: bugOf(args),
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
