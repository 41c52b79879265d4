/** Requests to a served network, each with a time limit. */
import { REQUEST_MS } from "./limits.ts";

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** Response with its status and body. */
export interface Reply {
  readonly type: "answer";
  readonly status: number;
  readonly body: Members;
}

/** Response, or the reason for none. */
export type ApiResponse =
  | Reply
  /** No response: the request may have arrived or not. */
  | { readonly type: "none"; readonly reason: string };

/** Never throws: callers interpret a missing response. */
export interface Api {
  readonly url: string;
  get(path: string, query?: Readonly<Record<string, string>>): Promise<ApiResponse>;
  post(path: string, body: Members): Promise<ApiResponse>;
}

/** Returns the interface at a base URL without a trailing slash. */
export function createApi(url: string): Api {
  return {
    url,
    get: (path, query = {}) => {
      const words = new URLSearchParams(query).toString();
      return ask(words === "" ? `${url}${path}` : `${url}${path}?${words}`, {});
    },
    post: (path, body) =>
      ask(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
  };
}

/** Reads a body; one that is not a JSON object counts as empty, since the status suffices. */
async function ask(url: string, init: RequestInit): Promise<ApiResponse> {
  try {
    const response = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(REQUEST_MS) });
    return { type: "answer", status: response.status, body: membersOf(await response.text()) };
  } catch (error) {
    return { type: "none", reason: reasonOf(error) };
  }
}

function membersOf(text: string): Members {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
  } catch {
    // Proxies answer in HTML.
    return {};
  }
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & {
    readonly cause?: { readonly code?: string; readonly message?: string };
  };
  if (name === "TimeoutError") return `no response within ${REQUEST_MS} ms`;
  return cause?.code ?? cause?.message ?? message;
}
