/** Operations on their way to finality, from the events of the stream TRANSACTIONS (wire 4). */
import { useEffect, useRef, useState } from "preact/hooks";
import { readJson } from "../hooks.ts";

/** Members of an event that the page reads. */
export interface OperationEvent {
  readonly hash: string;
  readonly transaction_type: string;
  readonly status: "submitted" | "signed" | "locked" | "final" | "superseded" | "void" | "refused";
  readonly from: string;
  readonly to: string | null;
  readonly token: string | null;
  /** In the token's smallest unit. */
  readonly value: string | null;
  readonly signers?: number;
  readonly validators?: number;
  readonly success?: boolean;
  readonly error_code?: string | null;
}

export interface OperationRow extends Pick<OperationEvent, "hash" | "from" | "to" | "token" | "value"> {
  readonly type: string;
  readonly status: OperationEvent["status"] | "failed";
  /** Progress or reason in words; empty for none. */
  readonly detail: string;
  /** Real milliseconds of this browser at the first event. */
  readonly since: number;
  /** From the first event to the end; `undefined` on its way. */
  readonly ms: number | undefined;
}

/** Milliseconds before a lost connection is tried again. */
const AGAIN_MS = 2_000;
/** Rows that are kept. */
export const ROWS_KEPT = 40;

/** Classes of the statuses; empty for an operation on its way. */
export const TONES: Readonly<Record<OperationRow["status"], string>> = {
  submitted: "",
  signed: "",
  locked: "",
  final: "good",
  failed: "bad",
  superseded: "bad",
  void: "bad",
  refused: "bad",
};

/** Returns the rows after an event at a time of this browser, the newest operation first. O(rows). */
export function afterEvent(rows: readonly OperationRow[], event: OperationEvent, now: number): readonly OperationRow[] {
  const { hash, transaction_type: type, from, to, token, value } = event;
  const before = rows.find((row) => row.hash === hash);
  const since = before?.since ?? now;
  const row: OperationRow = {
    ...{ hash, type, from, to, token, value, since },
    status: event.status === "final" && event.success === false ? "failed" : event.status,
    detail: detailOf(event),
    ms: TONES[event.status] === "" ? undefined : now - since,
  };
  if (before !== undefined) return rows.map((one) => (one === before ? row : one));
  return [row, ...rows].slice(0, ROWS_KEPT);
}

/** Members of a transaction in a checkpoint that the page reads. */
interface ListedTransaction extends Pick<OperationRow, "hash" | "from"> {
  readonly transaction_type: string;
  readonly data: { readonly to?: string; readonly token?: string; readonly value?: string };
}

/** Checkpoint with its transactions, as the interface answers (wire 3). */
export interface FullCheckpoint {
  readonly number: number;
  readonly transactions: readonly ListedTransaction[];
}

/** Returns the rows with those of a checkpoint that they lack, which became final before the page was opened. */
export function withHistory(
  rows: readonly OperationRow[],
  { number, transactions }: FullCheckpoint,
): readonly OperationRow[] {
  const earlier = transactions
    .filter(({ hash }) => !rows.some((row) => row.hash === hash))
    .map(({ hash, from, transaction_type: type, data: { to = null, token = null, value = null } }): OperationRow => {
      const detail = `checkpoint ${number}`;
      return { hash, type, from, to, token, value, status: "final", detail, since: 0, ms: undefined };
    });
  return [...rows, ...earlier.reverse()].slice(0, ROWS_KEPT);
}

function detailOf({ status, signers, validators, error_code }: OperationEvent): string {
  if (status === "signed") return `${signers} of ${validators} voted`;
  return error_code ?? "";
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
