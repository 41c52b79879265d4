/** Action of the admin API, as a command below `quorumlab admin`. */
import type { Argv } from "yargs";
import type { Args } from "../command.ts";
import type { Call } from "./call.ts";

export interface AdminAction {
  /** Usage in the syntax of yargs: `crash <node>`. */
  readonly usage: string;
  readonly description: string;
  /** Arguments of the example in the help text. */
  readonly example: string;
  readonly build?: (yargs: Argv) => Argv;
  /** Returns the call for the arguments. @throws UsageError for invalid ones. */
  readonly ask: (args: Args) => Call;
  /** Returns a line about the result, printed above the status. */
  readonly tell?: (result: unknown) => string;
}

/** Returns the first word of its usage. */
export function nameOf({ usage }: AdminAction): string {
  return usage.split(" ", 1)[0] ?? usage;
}
