/** The command that goes on where an exploration gave up, as a shell takes it. */
import { STATES_DEFAULT, STATES_MAX } from "../../explore/limits.ts";
import { LIVENESS_DEFAULT } from "../../explore/liveness.ts";
import { quoted } from "../quoted.ts";
import type { ExploreOptions } from "./explore-options.ts";

/** With room for twice as many states where it has `reached` more than it was given. */
export function commandAgain(path: string, options: ExploreOptions, reached: number): string {
  const { bounds, byzantine, bug, liveness, resume } = options;
  if (resume === undefined) return "nothing was kept; with --resume FILE a later call starts from where this one ends";
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
  return ["quorumlab explore", quoted(path), ...words.flat().map(quoted)].join(" ");
}
