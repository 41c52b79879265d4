/** Options of all commands below `quorumlab admin`: address and secret of the admin API. */
import type { Argv } from "yargs";
import { type Args, textOf } from "../command.ts";
import { UsageError } from "../exit-code.ts";
import { type Env, fromEnv, JSON_OPTION, textOption } from "../options.ts";
import { HOST_DEFAULT, PORT_DEFAULT } from "../serve/serve-options.ts";
import type { Target } from "./call.ts";

const URL_DEFAULT = `http://${HOST_DEFAULT}:${PORT_DEFAULT + 1_000}`;

/** --url has a variable of its own, since QUORUMLAB_URL is the address for operations. */
export function withTarget(yargs: Argv, env: Env): Argv {
  return yargs
    .option("url", fromEnv(env, "admin-url", textOption(`of the admin API; default: ${URL_DEFAULT}`)))
    .option("admin-token", fromEnv(env, "admin-token", textOption("the --admin-token of quorumlab serve")))
    .option("json", fromEnv(env, "json", JSON_OPTION));
}

/** @throws UsageError for a malformed address. */
export function targetOf(args: Args): Target {
  const url = textOf(args, "url") ?? URL_DEFAULT;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`--url: expected an address such as ${URL_DEFAULT}, got "${url}"`);
  return { url: url.replace(/\/+$/, ""), token: textOf(args, "admin-token") };
}
