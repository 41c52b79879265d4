/** Output settings of a command: text or JSON, colours, all results or failures only. */
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

/** Returns the settings of `--json`, `--quiet` and `--progress`, which are all optional. */
export function outputOf(args: Args, io: Io): Output {
  const quiet = args["quiet"] === true;
  return {
    json: args["json"] === true,
    quiet,
    paint: painter(wantsColours(io)),
    progress: createProgress(io, quiet ? "none" : (textOf(args, "progress") ?? "auto")),
  };
}
