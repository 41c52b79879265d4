/**
 * Arguments and options of a command in its parser, each option also from QUORUMLAB_<NAME> in the environment. Every
 * start loads this file, so it imports next to nothing.
 */
import type { Argv, Options } from "yargs";
import type { Command, CommandOption } from "./command.ts";
import type { Env } from "./io.ts";

/** Adds what a command declares to its parser: examples, arguments, options and the text below them. */
export function withArguments(yargs: Argv, command: Command, env: Env): Argv {
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
  const given = env[variable];
  const described = { ...option, description: `${option.description ?? ""} [env: ${variable}]` };
  if (given === undefined || given === "") return described;
  const { demandOption: _given, ...optional } = described;
  return { ...optional, default: option.type === "boolean" ? isYes(given) : given };
}

/** Returns the environment variable of an option. */
export function envName(name: string): string {
  return `QUORUMLAB_${name.toUpperCase().replaceAll("-", "_")}`;
}

function isYes(text: string): boolean {
  return !["0", "false", "no", "off"].includes(text.toLowerCase());
}
