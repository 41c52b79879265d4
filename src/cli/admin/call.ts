/** One call of the admin API, and what came back. */
import { UsageError } from "../exit-code.ts";
import { ADMIN_REQUEST_MS } from "./limits.ts";

/** What is asked for. With a body it is a POST. */
export interface Call {
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Where, and with which secret. */
export interface Target {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A step of the scenario language as a call. */
export function stepCall(step: Readonly<Record<string, unknown>>): Call {
  return { path: "/admin/step", body: step };
}

/** @throws UsageError where nobody answers. */
export async function callAdmin({ url, token }: Target, { path, body }: Call): Promise<Answer> {
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
      `nobody answers at ${url} (${reasonOf(error)}): is a network served there? quorumlab serve starts one and prints where its admin API is; --url names it`,
    );
  }
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & {
    readonly cause?: { readonly code?: string; readonly message?: string };
  };
  if (name === "TimeoutError") return `no answer within ${ADMIN_REQUEST_MS} ms`;
  return cause?.code ?? cause?.message ?? message;
}
