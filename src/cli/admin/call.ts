/** Call of the admin API. */
import { UsageError } from "../exit-code.ts";
import { ADMIN_REQUEST_MS } from "./limits.ts";

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

export interface AdminResponse {
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
