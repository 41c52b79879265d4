/** A command: its arguments, and what it does with them. */
import type { Argv } from "yargs";
import type { ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import type { Env } from "./options.ts";

/** What was typed, or stands in the environment, by the names of the options; yargs has checked the names. */
export type Args = Readonly<Record<string, unknown>>;

export interface Command {
  /** As yargs reads it: `run <files..>`. */
  readonly usage: string;
  readonly description: string;
  /** Command line and what it shows. */
  readonly examples: readonly (readonly [line: string, shows: string])[];
  /** Commands below it, of which one has to be named. */
  readonly subcommands?: readonly Command[];
  build(yargs: Argv, env: Env): Argv;
  run(args: Args, io: Io): Promise<ExitCode>;
}

/** A list of texts among the arguments. */
export function texts(args: Args, name: string): readonly string[] {
  const value = args[name];
  return Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
}

/** A text among the arguments. */
export function textOf(args: Args, name: string): string | undefined {
  const value = args[name];
  return value === undefined ? undefined : String(Array.isArray(value) ? value[value.length - 1] : value);
}
