/** Calls of the admin API, and the options for its address and secret. */

import { type Args, type CommandOptions, textOf, UsageError } from "../command.ts";
import { baseUrl, type JsonMembers, request } from "../http.ts";
import { JSON_OPTION, textOption } from "../options.ts";
import { HOST_DEFAULT, PORT_DEFAULT } from "../serve/options.ts";

/** Time limit of one call (real milliseconds): an advance happens within it. */
const ADMIN_REQUEST_MS = 120_000;

/** Request; with a body it is a POST. */
export type AdminRequest = Readonly<{ path: string; body?: JsonMembers }>;

/** Address and secret. */
export interface AdminTarget {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: string | undefined;
}

type AdminResponse = Readonly<{ status: number; text: string }>;

/** Returns the call for a step of the scenario language. */
export function stepCall(step: JsonMembers): AdminRequest {
  return { path: "/admin/step", body: step };
}

/** @throws UsageError if there is no response. */
export async function callAdmin({ url, token }: AdminTarget, { path, body }: AdminRequest): Promise<AdminResponse> {
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
