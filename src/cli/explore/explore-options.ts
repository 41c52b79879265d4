/** What `quorumlab explore` can be asked for, and what it is asked for. */
import type { Options } from "yargs";
import type { Bounds } from "../../explore/arena.ts";
import { CRASHES_MAX, ROUNDS_MAX, STATES_DEFAULT, STATES_MAX } from "../../explore/limits.ts";
import { LIVENESS_DEFAULT, LIVENESS_MODES, type LivenessMode } from "../../explore/liveness.ts";
import { type Args, textOf } from "../command.ts";
import { BUG_OPTION, bugOf } from "../known-bad.ts";
import { JSON_OPTION, OUT_OPTION, PROGRESS_OPTION, QUIET_OPTION, textOption } from "../options.ts";
import { wholeOf } from "../whole.ts";

/** Where nobody says otherwise. */
const USUAL: Bounds = { rounds: 1, crashes: 0 };
const OUT = "reports/explore";

/** In the order in which help lists them. */
export const EXPLORE_OPTIONS: Readonly<Record<string, Options>> = {
  rounds: textOption("the highest round of a slot", USUAL.rounds),
  crashes: textOption("crashes of honest validators, all together", USUAL.crashes),
  byzantine: textOption("who is Byzantine; default: the last validator"),
  bug: BUG_OPTION,
  liveness: {
    ...textOption(
      "states from which real validators go on without further faults until everything owed is decided: those in which no honest one can sign more by itself (resting), or all",
      LIVENESS_DEFAULT,
    ),
    choices: LIVENESS_MODES,
  },
  states: textOption("states of one level after which it gives up: that fails, too", STATES_DEFAULT),
  resume: textOption(
    "a file for exhausted levels; beside it, in FILE.part, the one that a call stops inside: it goes on there",
  ),
  out: { ...OUT_OPTION, default: OUT },
  json: JSON_OPTION,
  quiet: QUIET_OPTION,
  progress: PROGRESS_OPTION,
};

export interface ExploreOptions {
  readonly bounds: Bounds;
  readonly byzantine: string | undefined;
  readonly bug: string | undefined;
  /** Which states are continued. */
  readonly liveness: LivenessMode;
  /** States of one level after which it gives up. */
  readonly states: number;
  readonly out: string;
  /** Where the levels that are done stand. */
  readonly resume: string | undefined;
}

/** @throws UsageError for what no exploration can be. */
export function exploreOptions(args: Args): ExploreOptions {
  const bug = bugOf(args);
  const rounds = wholeOf(args, "rounds", 0, ROUNDS_MAX) ?? USUAL.rounds;
  const crashes = wholeOf(args, "crashes", 0, CRASHES_MAX) ?? USUAL.crashes;
  return {
    bounds: { rounds, crashes },
    byzantine: textOf(args, "byzantine"),
    bug,
    liveness: livenessOf(args),
    states: wholeOf(args, "states", 1, STATES_MAX) ?? STATES_DEFAULT,
    out: textOf(args, "out") ?? OUT,
    resume: textOf(args, "resume"),
  };
}

/** yargs lets no other word through. */
function livenessOf(args: Args): LivenessMode {
  return LIVENESS_MODES.find((one) => one === textOf(args, "liveness")) ?? LIVENESS_DEFAULT;
}
