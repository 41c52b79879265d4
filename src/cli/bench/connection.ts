/** One connection that stays open: the requests of one client, one after the other. */
import { Agent, request } from "node:http";
import { request as requestSecurely, Agent as SecureAgent } from "node:https";

/** Longest time until a response in milliseconds; longer than the longest wait for a receipt. */
const RESPONSE_MS = 15_000;

/** Response with its status and the text of its body. */
export interface Response {
  readonly status: number;
  readonly text: string;
}

export interface Connection<T> {
  /** Resolves with what was read of the response; `body` is JSON. @throws Error without one, and what reading it throws. */
  ask(method: "GET" | "POST", path: string, body?: string): Promise<T>;
  close(): void;
}

/** Returns a connection to a server; it opens with the first request. `url` has no slash at its end. */
export function connectionTo<T>(url: string, read: (response: Response) => T): Connection<T> {
  const isSecure = url.startsWith("https:");
  const agent = new (isSecure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: 1 });
  const send = isSecure ? requestSecurely : request;
  const { hostname: host, port, pathname } = new URL(url);
  const hostname = host.replace(/^\[|\]$/g, "");
  const folder = pathname === "/" ? "" : pathname;
  return {
    ask: (method, path, body) =>
      new Promise((resolve, reject) => {
        const headers =
          body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
        // A literal: one that spreads another makes a request a fifth more expensive.
        const sent = send({ agent, hostname, port, method, path: `${folder}${path}`, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            try {
              resolve(read({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
            } catch (error) {
              reject(error);
            }
          });
        });
        sent.on("error", reject);
        sent.setTimeout(RESPONSE_MS, () =>
          sent.destroy(new Error(`${method} ${path}: no response within ${RESPONSE_MS} ms`)),
        );
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}
