/** Interface of a command: its arguments, its action, and its exit codes. */
import type { Argv, Options, PositionalOptions } from "yargs";
import type { Env, Io } from "./io.ts";

/** Arguments from the command line and the environment, by option name; yargs has checked the names. */
export type Args = Readonly<Record<string, unknown>>;

/** Option of a command; each can also be given as QUORUMLAB_<NAME> in the environment. */
export interface CommandOption extends Options {
  /** Name for the environment instead of the option's own; `false`: not from the environment. */
  readonly env?: string | false;
}

/** Options by name, in the order of the help text. */
export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** Positional arguments by the names in the usage. */
export type Positionals = Readonly<Record<string, PositionalOptions>>;

/** Command as its own `--help` describes it, and its action; the list of commands has its usage and description. */
export interface Command {
  /** Examples: command line and description. */
  readonly examples: readonly (readonly [line: string, shows: string])[];
  readonly positionals?: Positionals;
  readonly options?: CommandOptions;
  /** Text below the options. */
  readonly epilogue?: string;
  run(args: Args, io: Io): Promise<ExitCode>;
}

/** Command that needs one of its subcommands. */
export interface CommandGroup extends Pick<Command, "examples"> {
  readonly subcommands: readonly Subcommand[];
}

/** Command below another one. */
export interface Subcommand extends Command {
  /** Usage in the syntax of yargs: `crash <node>`. */
  readonly usage: string;
  readonly description: string;
}

/** Returns the name at the beginning of a usage. */
export function commandName(usage: string): string {
  return usage.split(" ", 1)[0] as string;
}

/** Returns a list of texts from the arguments. */
export function texts(args: Args, name: string): readonly string[] {
  const value = args[name];
  return Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
}

/** Returns a text from the arguments. */
export function textOf(args: Args, name: string): string | undefined {
  const value = args[name];
  return value === undefined ? undefined : String(Array.isArray(value) ? value[value.length - 1] : value);
}

/** Exit codes. Over several files the highest severity wins. */
export const EXIT = { expected: 0, failed: 1, usage: 2, internal: 3, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Returns the exit code of higher severity, in the order 130, 3, 2, 1, 0. */
export function higherSeverity(a: ExitCode, b: ExitCode): ExitCode {
  return a > b ? a : b;
}

/** Wrong usage or input; the message is for the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Adds what a command declares to its parser: examples, arguments, options and the text below them. */
export function withArguments(yargs: Argv, command: Omit<Command, "run">, env: Env): Argv {
  const { examples, positionals = {}, options = {}, epilogue } = command;
  for (const [line, shows] of examples) yargs.example(line, shows);
  for (const [name, positional] of Object.entries(positionals)) yargs.positional(name, positional);
  for (const [name, option] of Object.entries(options)) yargs.option(name, withEnvVariable(env, name, option));
  return epilogue === undefined ? yargs : yargs.epilogue(epilogue);
}

/** Adds the environment variable to an option: `--log-level` from QUORUMLAB_LOG_LEVEL. */
function withEnvVariable(env: Env, name: string, { env: envAs = name, ...option }: CommandOption): Options {
  if (envAs === false) return option;
  const variable = envName(envAs);
  const value = env[variable];
  const described = { ...option, description: `${option.description ?? ""} [env: ${variable}]` };
  if (value === undefined || value === "") return described;
  const { demandOption: _given, ...optional } = described;
  return { ...optional, default: option.type === "boolean" ? isYes(value) : value };
}

/** Returns the environment variable of an option. */
export function envName(name: string): string {
  return `QUORUMLAB_${name.toUpperCase().replaceAll("-", "_")}`;
}

function isYes(text: string): boolean {
  return !["0", "false", "no", "off"].includes(text.toLowerCase());
}
