/** One connection that stays open: the requests of one client, one after the other. */
import { Agent, request } from "node:http";
import { request as requestSecurely, Agent as SecureAgent } from "node:https";
import { type Members, objectIn } from "../http.ts";

/** Longest time until a response in milliseconds; longer than the longest wait for a receipt. */
const RESPONSE_MS = 15_000;

/** Response with its status and body; a body that is no JSON object counts as empty. */
export interface Response {
  readonly status: number;
  readonly body: Members;
}

export interface Connection {
  /** Resolves with the response. @throws Error without one. */
  ask(method: "GET" | "POST", path: string, body?: Members): Promise<Response>;
  close(): void;
}

/** Returns a connection to a server; it opens with the first request. `url` has no slash at its end. */
export function connectionTo(url: string): Connection {
  const isSecure = url.startsWith("https:");
  const agent = new (isSecure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: 1 });
  const send = isSecure ? requestSecurely : request;
  return {
    ask: (method, path, body) =>
      new Promise((resolve, reject) => {
        const text = body === undefined ? undefined : JSON.stringify(body);
        const headers =
          text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
        const sent = send(`${url}${path}`, { agent, method, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, body: objectIn(Buffer.concat(chunks).toString()) ?? {} }),
          );
        });
        sent.on("error", reject);
        sent.setTimeout(RESPONSE_MS, () => sent.destroy(new Error(`no response within ${RESPONSE_MS} ms`)));
        sent.end(text);
      }),
    close: () => agent.destroy(),
  };
}
