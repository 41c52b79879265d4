/** Actions of the admin API as commands below `quorumlab admin`, their arguments as members of a call, and the calls. */
import type { PositionalOptions } from "yargs";
import { type Args, type CommandOptions, type Subcommand, textOf, texts, UsageError } from "../command.ts";
import { baseUrl, type JsonMembers, request } from "../http.ts";
import { JSON_OPTION, textOption } from "../options.ts";
import { HOST_DEFAULT, PORT_DEFAULT } from "../serve/options.ts";

/** Its options are not read from the environment, where names such as `from` belong to operations. */
export interface AdminAction extends Pick<Subcommand, "usage" | "description" | "positionals" | "options"> {
  /** Arguments of the example in the help text; default: none. */
  readonly example?: string;
  /** Returns the call for the arguments. @throws UsageError for invalid ones. */
  readonly request: (args: Args) => AdminRequest;
  /** True if the result is a whole number. */
  readonly isCounted?: boolean;
  /** Returns a line about the result, printed above the status. */
  readonly resultText?: (result: unknown) => string;
}

/** Returns a positional argument with a text value, required where the usage says so. */
export function argument(description: string): PositionalOptions {
  return { type: "string", description };
}

/** Returns an argument that yargs requires. */
export function requiredText(args: Args, name: string): string {
  return textOf(args, name) ?? "";
}

/** Returns `v1,v2` as names; `undefined` if absent. */
export function nameList(args: Args, name: string): readonly string[] | undefined {
  return args[name] === undefined ? undefined : texts(args, name).flatMap(split);
}

/** Returns `v1,v2 v3,v4` as groups of names. */
export function groupsIn(args: Args, name: string): readonly (readonly string[])[] {
  return texts(args, name).map(split);
}

/** @throws UsageError that names `shown`, unless the text is an integer. */
export function integerIn(args: Args, name: string, shown: string = name): number {
  const text = requiredText(args, name);
  if (/^-?(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  throw new UsageError(`${shown}: expected a whole number, got "${text}"`);
}

/** Returns the integer of an option; `undefined` if it is absent. @throws UsageError */
export function integerOrNone(args: Args, name: string): number | undefined {
  return args[name] === undefined ? undefined : integerIn(args, name, `--${name}`);
}

/** Returns `payment=0.01,cancellation=0.02` as members. @throws UsageError for an item without a `=`. */
export function pairsIn(args: Args, name: string): Readonly<Record<string, string>> | undefined {
  if (args[name] === undefined) return undefined;
  return Object.fromEntries(
    texts(args, name)
      .flatMap(split)
      .map((part) => pairOf(name, part)),
  );
}

/** Returns `a=b` as two texts. @throws UsageError if one is missing. */
function pairOf(name: string, text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`--${name}: expected name=value, got "${text}"`);
}

function split(text: string): readonly string[] {
  return text.split(",").filter((part) => part !== "");
}

/** Time limit of one call (real milliseconds): an advance happens within it. */
const ADMIN_REQUEST_MS = 120_000;

/** Request; with a body it is a POST. */
type AdminRequest = Readonly<{ path: string; body?: JsonMembers }>;

/** Address and secret. */
export interface AdminTarget {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: string | undefined;
}

/** Returns the call for a step of the scenario language. */
export function stepCall(step: JsonMembers): AdminRequest {
  return { path: "/admin/step", body: step };
}

/** @throws UsageError if there is no response. */
export async function callAdmin({ url, token }: AdminTarget, { path, body }: AdminRequest) {
  const headers = token === undefined ? {} : { "x-admin-token": token };
  const response = await request(`${url}${path}`, { timeoutMs: ADMIN_REQUEST_MS, body, headers });
  if (response.type === "answer") return response;
  throw new UsageError(
    `no response from ${url} (${response.reason}): quorumlab serve starts a network and prints the address of its admin API, which --url takes`,
  );
}

const URL_DEFAULT = `http://${HOST_DEFAULT}:${PORT_DEFAULT + 1_000}`;

/** --url has a variable of its own, since QUORUMLAB_URL is the address for operations. */
export const TARGET_OPTIONS: CommandOptions = {
  url: { ...textOption(`of the admin API; default: ${URL_DEFAULT}`), env: "admin-url" },
  "admin-token": textOption("the --admin-token of quorumlab serve"),
  json: JSON_OPTION,
};

/** @throws UsageError for a malformed address. */
export function targetOf(args: Args): AdminTarget {
  return { url: baseUrl(textOf(args, "url") ?? URL_DEFAULT, URL_DEFAULT), token: textOf(args, "admin-token") };
}
