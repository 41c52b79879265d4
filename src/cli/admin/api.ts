/** Calls of the admin API, and the options for its address and secret. */

import { type Args, type CommandOptions, textOf, UsageError } from "../command.ts";
import { JSON_OPTION, textOption } from "../options.ts";
import { HOST_DEFAULT, PORT_DEFAULT } from "../serve/options.ts";

/** Time limit of one call (real milliseconds): an advance happens within it. */
const ADMIN_REQUEST_MS = 120_000;

/** Request; with a body it is a POST. */
export interface Call {
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Address and secret. */
export interface Target {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: string | undefined;
}

interface AdminResponse {
  readonly status: number;
  readonly text: string;
}

/** Returns the call for a step of the scenario language. */
export function stepCall(step: Readonly<Record<string, unknown>>): Call {
  return { path: "/admin/step", body: step };
}

/** @throws UsageError if there is no response. */
export async function callAdmin({ url, token }: Target, { path, body }: Call): Promise<AdminResponse> {
  const headers = {
    ...(token === undefined ? {} : { "x-admin-token": token }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const signal = AbortSignal.timeout(ADMIN_REQUEST_MS);
  try {
    const response = await fetch(`${url}${path}`, { ...sent, headers, signal, redirect: "error" });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    throw new UsageError(
      `no response from ${url} (${reasonOf(error)}): quorumlab serve starts a network and prints the address of its admin API, which --url takes`,
    );
  }
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & {
    readonly cause?: { readonly code?: string; readonly message?: string };
  };
  if (name === "TimeoutError") return `no response within ${ADMIN_REQUEST_MS} ms`;
  return cause?.code ?? cause?.message ?? message;
}

const URL_DEFAULT = `http://${HOST_DEFAULT}:${PORT_DEFAULT + 1_000}`;

/** --url has a variable of its own, since QUORUMLAB_URL is the address for operations. */
export const TARGET_OPTIONS: CommandOptions = {
  url: { ...textOption(`of the admin API; default: ${URL_DEFAULT}`), env: "admin-url" },
  "admin-token": textOption("the --admin-token of quorumlab serve"),
  json: JSON_OPTION,
};

/** @throws UsageError for a malformed address. */
export function targetOf(args: Args): Target {
  const url = textOf(args, "url") ?? URL_DEFAULT;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`--url: expected an address such as ${URL_DEFAULT}, got "${url}"`);
  return { url: url.replace(/\/+$/, ""), token: textOf(args, "admin-token") };
}
