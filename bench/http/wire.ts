/** One connection that stays open: the requests of one client, one after the other. */
import { Agent, request } from "node:http";

/** Longest time until an answer, in ms: a network that loses a request must not stop the benchmark. */
const ANSWER_MS = 15_000;

export interface Wire {
  /** The body of an answer with status 200, as JSON. @throws Error for any other answer. */
  ask(method: "GET" | "POST", path: string, body?: string): Promise<unknown>;
  close(): void;
}

/** A connection to a server; `url` has no slash at its end. */
export function openWire(url: string): Wire {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask: Wire["ask"] = (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers =
        body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve(JSON.parse(text));
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
        });
      });
      sent.on("error", reject);
      sent.setTimeout(ANSWER_MS, () => sent.destroy(new Error(`${method} ${path}: no answer in ${ANSWER_MS} ms`)));
      sent.end(body);
    });
  return { ask, close: () => agent.destroy() };
}
