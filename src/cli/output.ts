/** How a command tells what comes of it: to people or to programs, in colours or without, all of it or failures only. */
import { type Paint, painter } from "../report/paint.ts";
import { type Args, textOf } from "./command.ts";
import { type Io, wantsColours } from "./io.ts";
import { createProgress, type Progress } from "./progress.ts";

export interface Output {
  /** One JSON object a line. */
  readonly json: boolean;
  /** Failures and nothing else. */
  readonly quiet: boolean;
  readonly paint: Paint;
  readonly progress: Progress;
}

/** What `--json`, `--quiet` and `--progress` ask for; a command need not have all of them. */
export function outputOf(args: Args, io: Io): Output {
  const quiet = args["quiet"] === true;
  return {
    json: args["json"] === true,
    quiet,
    paint: painter(wantsColours(io)),
    progress: createProgress(io, quiet ? "none" : (textOf(args, "progress") ?? "auto")),
  };
}
