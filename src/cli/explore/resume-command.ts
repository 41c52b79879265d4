/** Shell command that resumes a stopped exploration. */
import { STATES_DEFAULT, STATES_MAX } from "../../explore/limits.ts";
import { LIVENESS_DEFAULT } from "../../explore/liveness.ts";
import { shellQuoted } from "../commands.ts";
import type { ExploreOptions } from "./explore-options.ts";

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
