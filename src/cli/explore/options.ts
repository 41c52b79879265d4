/** Options of `quorumlab explore`, their values, and the command that resumes a search with them. */
import { CRASHES_MAX, ROUNDS_MAX, STATES_DEFAULT, STATES_MAX } from "../../explore/limits.ts";
import { LIVENESS_DEFAULT, LIVENESS_MODES, type LivenessMode } from "../../explore/liveness.ts";
import type { Bounds } from "../../explore/system.ts";
import { type Args, type CommandOptions, textOf } from "../command.ts";
import {
  BUG_OPTION,
  JSON_OPTION,
  PROGRESS_OPTION,
  QUIET_OPTION,
  textOption,
  threadsOf,
  variantOption,
  wholeNumber,
} from "../options.ts";
import { shellQuoted } from "../reproduce.ts";

/** Default bounds. */
const USUAL: Bounds = { rounds: 1, crashes: 0 };
const OUT = "reports/explore";

/** Options in the order of the help text. */
export const EXPLORE_OPTIONS: CommandOptions = {
  rounds: textOption("highest round that a slot may reach", USUAL.rounds),
  crashes: textOption("most crashes in one schedule, of all honest validators together", USUAL.crashes),
  byzantine: textOption("name of the Byzantine validator; default: the last one"),
  bug: BUG_OPTION,
  liveness: {
    ...textOption(
      "states from which a run without further faults must decide everything: those in which no honest validator can sign more (resting), all (every), or none (off)",
      LIVENESS_DEFAULT,
    ),
    choices: LIVENESS_MODES,
  },
  states: textOption(
    "most states for one combination of rounds and crashes; beyond it the search stops with exit code 1",
    STATES_DEFAULT,
  ),
  resume: textOption(
    "file that keeps what has been searched, which the next call skips; FILE.part keeps an unfinished search, which the next call resumes",
  ),
  workers: textOption("threads of a large search; they do not affect the results", 1),
  out: textOption("folder for counterexamples", OUT),
  json: JSON_OPTION,
  quiet: QUIET_OPTION,
  progress: PROGRESS_OPTION,
};

export interface ExploreOptions {
  readonly bounds: Bounds;
  readonly byzantine: string | undefined;
  readonly bug: string | undefined;
  /** States that are continued. */
  readonly liveness: LivenessMode;
  /** Limit of states of one level. */
  readonly states: number;
  readonly out: string;
  readonly threads: number;
  /** File of exhausted levels. */
  readonly resume: string | undefined;
}

/** @throws UsageError for invalid options. */
export function exploreOptions(args: Args): ExploreOptions {
  const bug = variantOption(args);
  const rounds = wholeNumber(args, "rounds", 0, ROUNDS_MAX) ?? USUAL.rounds;
  const crashes = wholeNumber(args, "crashes", 0, CRASHES_MAX) ?? USUAL.crashes;
  return {
    bounds: { rounds, crashes },
    byzantine: textOf(args, "byzantine"),
    bug,
    liveness: livenessOf(args),
    states: wholeNumber(args, "states", 1, STATES_MAX) ?? STATES_DEFAULT,
    out: textOf(args, "out") ?? OUT,
    threads: textOf(args, "workers") === undefined ? 1 : threadsOf(args),
    resume: textOf(args, "resume"),
  };
}

/** yargs rejects all other values. */
function livenessOf(args: Args): LivenessMode {
  return LIVENESS_MODES.find((one) => one === textOf(args, "liveness")) ?? LIVENESS_DEFAULT;
}

/** Returns the command, with twice the limit of states if `reached` exceeds the current one. */
export function resumeCommand(path: string, options: ExploreOptions, reached: number): string {
  const { bounds, byzantine, bug, liveness, resume } = options;
  if (resume === undefined) return "not saved; call it with --resume FILE to save the search and resume it later";
  const states = reached > options.states ? Math.min(2 * (reached - 1), STATES_MAX) : options.states;
  const words = [
    ["--rounds", String(bounds.rounds)],
    ["--crashes", String(bounds.crashes)],
    ...(byzantine === undefined ? [] : [["--byzantine", byzantine]]),
    ...(bug === undefined ? [] : [["--bug", bug]]),
    ...(liveness === LIVENESS_DEFAULT ? [] : [["--liveness", liveness]]),
    ...(states === STATES_DEFAULT ? [] : [["--states", String(states)]]),
    ["--resume", resume],
  ];
  return ["quorumlab explore", shellQuoted(path), ...words.flat().map(shellQuoted)].join(" ");
}
