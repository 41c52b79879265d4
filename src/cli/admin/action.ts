/** Something that can be done to a served network: a command of its own below `quorumlab admin`. */
import type { Argv } from "yargs";
import type { Args } from "../command.ts";
import type { Call } from "./call.ts";

export interface Action {
  /** As yargs reads it: `crash <node>`. */
  readonly usage: string;
  readonly description: string;
  /** What stands after the first words of the usage in an example; empty where they are enough. */
  readonly example: string;
  readonly build?: (yargs: Argv) => Argv;
  /** What was typed as a call. @throws UsageError for what no network could mean. */
  readonly ask: (args: Args) => Call;
  /** What came of it, in words: a line beside how the network stands. */
  readonly tell?: (result: unknown) => string;
}

/** The first word of its usage. */
export function nameOf({ usage }: Action): string {
  return usage.split(" ", 1)[0] ?? usage;
}
