/** Requests of commands to a served network. */
import { UsageError } from "./command.ts";

/** The members of a JSON object. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** Response, or the reason for none: then the request may have arrived or not. */
export type HttpResponse =
  | { readonly type: "answer"; readonly status: number; readonly text: string }
  | { readonly type: "none"; readonly reason: string };

export interface HttpRequest {
  /** Limit for the response in real milliseconds. */
  readonly timeoutMs: number;
  /** Sent as JSON by POST; `undefined`: GET. */
  readonly body?: JsonMembers | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the response. Never throws: callers interpret a missing one. */
export async function request(url: string, { timeoutMs, body, headers }: HttpRequest): Promise<HttpResponse> {
  const content = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const type = body === undefined ? {} : { "content-type": "application/json" };
  try {
    const response = await fetch(url, {
      ...content,
      headers: { ...headers, ...type },
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { type: "answer", status: response.status, text: await response.text() };
  } catch (error) {
    return { type: "none", reason: reasonOf(error, timeoutMs) };
  }
}

/** Returns the JSON object of a body; `undefined` for anything else, such as the HTML of proxies. */
export function objectIn(text: string): JsonMembers | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonMembers) : undefined;
  } catch {
    return undefined;
  }
}

/** A string with its quotes, or a number. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[0-9][0-9.eE+-]*/g;

/** The same of an answer: numbers that JSON might round stand as text, since a member may be either (`readWhole`). */
export function answerIn(text: string): JsonMembers | undefined {
  return objectIn(text.replace(TOKENS, (token) => (/^[0-9]{16,}$/.test(token) ? `"${token}"` : token)));
}

/** Returns a member that is text; empty for any other. */
export function textIn(body: JsonMembers | undefined, member: string): string {
  const value = body?.[member];
  return typeof value === "string" ? value : "";
}

/** Returns the error code and message of a body as text; empty if it has neither. */
export function errorText(body: JsonMembers | undefined): string {
  return [textIn(body, "error_code"), textIn(body, "message")].filter((word) => word !== "").join(": ");
}

/** Returns the value of `--url` without a trailing slash. @throws UsageError for a malformed one. */
export function baseUrl(text: string, example: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, "");
  throw new UsageError(`--url: expected an address such as ${example}, got "${text}"`);
}

/** Time limit of one call of the admin API (real milliseconds): an advance happens within it. */
const ADMIN_REQUEST_MS = 120_000;

/** Call of the admin API; with a body it is a POST. */
export type AdminRequest = Readonly<{ path: string; body?: JsonMembers }>;

/** Address without a trailing slash, and secret. */
export type AdminTarget = Readonly<{ url: string; token: string | undefined }>;

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

function reasonOf(error: unknown, timeoutMs: number): string {
  const { name, message, cause } = error as Error & {
    readonly cause?: { readonly code?: string; readonly message?: string };
  };
  if (name === "TimeoutError") return `no response within ${timeoutMs} ms`;
  return cause?.code ?? cause?.message ?? message;
}
