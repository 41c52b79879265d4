/** Connection to a network whose answers are all expected to be good. */
import { type Connection, connectionTo } from "../../src/cli/bench/load.ts";

/** Resolves with bodies as JSON; rejects with an Error for every status but 200, and without an answer in time. */
export type Wire = Connection<unknown>;

/** A connection to a server; `url` has no slash at its end. */
export function openWire(url: string): Wire {
  return connectionTo(url, ({ status, text }) => {
    if (status === 200) return JSON.parse(text) as unknown;
    throw new Error(`${status} ${text}`);
  });
}
