/** Last events and operations of the served network, as its server tells them. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { LiveEvents } from "../../report/live-state.ts";
import { readJson, useRepeated } from "../hooks.ts";
import {
  afterEvent,
  type FullCheckpoint,
  type OperationEvent,
  type OperationRow,
  withHistory,
} from "./operation-rows.ts";

/** Milliseconds between two reads of the state. */
export const STATE_MS = 1_000;
/** Milliseconds before a lost connection is tried again. */
const AGAIN_MS = 2_000;

/** The last events while they are wanted. */
export function useEvents(isWanted: boolean): LiveEvents | undefined {
  const [events, setEvents] = useState<LiveEvents>();
  const read = useCallback(async (): Promise<void> => {
    const found = await readJson<LiveEvents>("/page/events.json");
    if (found !== undefined) setEvents(found);
  }, []);
  useRepeated(read, STATE_MS, isWanted);
  return events;
}

/** Operations, from the server's websocket; a lost connection is opened again. */
export function useOperations(): readonly OperationRow[] {
  const [rows, setRows] = useState<readonly OperationRow[]>([]);
  const waiting = useRef<{ readonly event: OperationEvent; readonly now: number }[]>([]);
  useEffect(() => {
    let socket: WebSocket | undefined;
    let again = 0;
    let frame = 0;
    const open = (): void => {
      socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws`);
      socket.onopen = () =>
        socket?.send(JSON.stringify({ id: 1, method: "SUBSCRIBE", stream: { name: "TRANSACTIONS" } }));
      socket.onmessage = ({ data }) => {
        const { result, stream } = JSON.parse(String(data)) as { stream?: string; result?: OperationEvent };
        if (stream !== "TRANSACTIONS" || result === undefined) return;
        waiting.current.push({ event: result, now: performance.now() });
        // Events of one picture are shown together.
        if (frame === 0) frame = requestAnimationFrame(show);
      };
      socket.onclose = () => {
        again = window.setTimeout(open, AGAIN_MS);
      };
    };
    const show = (): void => {
      frame = 0;
      const news = waiting.current;
      waiting.current = [];
      setRows((before) => news.reduce((all, { event, now }) => afterEvent(all, event, now), before));
    };
    open();
    void lastCheckpoint().then((found) => {
      if (found !== undefined) setRows((before) => withHistory(before, found));
    });
    return () => {
      clearTimeout(again);
      cancelAnimationFrame(frame);
      if (socket === undefined) return;
      socket.onclose = null;
      socket.close();
    };
  }, []);
  return rows;
}

/** Returns the last checkpoint; `undefined` where there is none, or no answer. */
async function lastCheckpoint(): Promise<FullCheckpoint | undefined> {
  const last = await readJson<Pick<FullCheckpoint, "number">>("/v1/checkpoints/number");
  if (last === undefined || last.number === 0) return undefined;
  return readJson<FullCheckpoint>(`/v1/checkpoints/by_number?number=${last.number}&full=true`);
}
