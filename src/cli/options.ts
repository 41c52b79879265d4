/** Options of several commands; each can also be given as QUORUMLAB_<NAME> in the environment. */

import type { Argv, Options } from "yargs";
import { DEFAULT_SEED } from "../scenario/limits.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** Adds the environment variable to an option: `--log-level` from QUORUMLAB_LOG_LEVEL. */
export function fromEnv(env: Env, name: string, option: Options): Options {
  const given = env[envName(name)];
  const described = { ...option, description: `${option.description ?? ""} [env: ${envName(name)}]` };
  if (given === undefined || given === "") return described;
  return { ...described, default: option.type === "boolean" ? isYes(given) : given };
}

/** Adds options by their names, each of which may come from the environment. */
export function withOptions(yargs: Argv, env: Env, options: Readonly<Record<string, Options>>): Argv {
  return Object.entries(options).reduce((to, [name, option]) => to.option(name, fromEnv(env, name, option)), yargs);
}

/** Adds the files that a command reads, at least one. */
export function withFiles(yargs: Argv, description: string): Argv {
  return yargs.positional("files", { type: "string", array: true, demandOption: true, description });
}

/** Returns an option with a text value, which commands parse themselves. */
export function textOption(description: string, usual?: string | number): Options {
  const option: Options = { type: "string", requiresArg: true, description };
  return usual === undefined ? option : { ...option, default: String(usual) };
}

/** Returns an option without a value. */
export function flagOption(description: string): Options {
  return { type: "boolean", default: false, description };
}

/** Returns the environment variable of an option. */
export function envName(name: string): string {
  return `QUORUMLAB_${name.toUpperCase().replaceAll("-", "_")}`;
}

export const JSON_OPTION: Options = flagOption("print one JSON object a line");
export const QUIET_OPTION: Options = flagOption("print failures and nothing else");
export const LOG_LEVEL_OPTION: Options = {
  type: "string",
  choices: ["silent", "error", "warn", "info", "debug"],
  default: "warn",
  description: "how much to log on stderr",
};
export const PROGRESS_OPTION: Options = {
  type: "string",
  choices: ["auto", "plain", "none"],
  default: "auto",
  description: "progress on stderr: auto only on a terminal",
};
export const SEED_OPTION: Options = textOption("seed of all random choices", DEFAULT_SEED);
export const FIRST_SEED_OPTION: Options = textOption("the number of the first seed", DEFAULT_SEED);
export const OUT_OPTION: Options = textOption("a folder for what the command writes");

function isYes(text: string): boolean {
  return !["0", "false", "no", "off"].includes(text.toLowerCase());
}
