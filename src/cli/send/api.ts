/** Requests to a served network: few, small, and each within a bound of time. */
import { REQUEST_MS } from "./limits.ts";

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** What came back. */
export interface Reply {
  readonly type: "answer";
  readonly status: number;
  readonly body: Members;
}

/** What came back, or why nothing did. */
export type Answer =
  | Reply
  /** Whether a request arrived is unknown. */
  | { readonly type: "none"; readonly reason: string };

/** Never throws: whoever asks knows what silence means. */
export interface Api {
  readonly url: string;
  get(path: string, query?: Readonly<Record<string, string>>): Promise<Answer>;
  post(path: string, body: Members): Promise<Answer>;
}

/** The interface at a base URL without a slash at its end. */
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

/** A body that is no JSON object counts as one without members: its status still says enough. */
async function ask(url: string, init: RequestInit): Promise<Answer> {
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
  if (name === "TimeoutError") return `no answer within ${REQUEST_MS} ms`;
  return cause?.code ?? cause?.message ?? message;
}
