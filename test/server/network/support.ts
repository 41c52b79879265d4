/** Networks in this process whose time passes by `advance` only, and the frames of their websockets. */
import { once } from "node:events";
import { expect } from "vitest";
import { WebSocket } from "ws";
import type { NetworkOptions, RunningNetwork } from "../../../src/server/network/start-network.ts";

export type Json = Readonly<Record<string, unknown>>;

/** Time begins at the same moment: two such networks are alike. */
export const STILL: NetworkOptions = { rate: 0, startedAt: 1_700_000_000_000, balance: "100" };

/** Subscribes to streams; the frames that come, the answers to the subscriptions first. */
export async function subscribe(
  { wsUrl }: RunningNetwork,
  streams: readonly Json[],
): Promise<{ readonly frames: readonly Json[]; readonly socket: WebSocket }> {
  const socket = new WebSocket(wsUrl);
  await once(socket, "open");
  const frames: Json[] = [];
  socket.on("message", (data) => frames.push(JSON.parse(String(data)) as Json));
  for (const [id, stream] of streams.entries()) socket.send(JSON.stringify({ method: "SUBSCRIBE", id, stream }));
  await expect.poll(() => frames.length).toBe(streams.length);
  return { frames, socket };
}
