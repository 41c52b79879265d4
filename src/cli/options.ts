/** Options that several commands have; each can also be given as QUORUMLAB_<NAME> in the environment. */
import type { Options } from "yargs";

export type Env = Readonly<Record<string, string | undefined>>;

/** An option whose default may come from the environment: `--log-level` from QUORUMLAB_LOG_LEVEL. */
export function fromEnv(env: Env, name: string, option: Options): Options {
  const given = env[envName(name)];
  const described = { ...option, description: `${option.description ?? ""} [env: ${envName(name)}]` };
  if (given === undefined || given === "") return described;
  return { ...described, default: option.type === "boolean" ? isYes(given) : given };
}

/** The variable that stands for an option. */
export function envName(name: string): string {
  return `QUORUMLAB_${name.toUpperCase().replaceAll("-", "_")}`;
}

export const JSON_OPTION: Options = { type: "boolean", default: false, description: "print one JSON object a line" };
export const QUIET_OPTION: Options = {
  type: "boolean",
  default: false,
  description: "print failures and nothing else",
};
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
export const SEED_OPTION: Options = {
  type: "string",
  default: "1",
  requiresArg: true,
  description: "what every random choice comes from",
};
export const OUT_OPTION: Options = {
  type: "string",
  requiresArg: true,
  description: "a folder for what the command writes",
};

function isYes(text: string): boolean {
  return !["0", "false", "no", "off"].includes(text.toLowerCase());
}
