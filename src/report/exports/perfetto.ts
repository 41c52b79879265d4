/** Trace events for Perfetto and Chrome's tracing page: a track for each party, a flow for each message. */
import type { TimelineModel } from "../timeline/model.ts";

/** Microseconds between two events of one virtual millisecond, at most. */
const STEP_US = 1;
const MS_US = 1_000;
/** Category of messages, and of the slices at their ends. */
const FLOW = "message";

interface TraceEvent extends ReturnType<typeof track> {
  readonly name: string;
  readonly ph: "M" | "X" | "s" | "f" | "i";
  /** Microseconds of virtual time. */
  readonly ts?: number;
  readonly dur?: number;
  readonly id?: number;
  readonly cat?: string;
  readonly bp?: "e";
  readonly s?: "t" | "g";
  readonly args?: Readonly<Record<string, unknown>>;
}

/**
 * Returns a JSON object in the Trace Event Format. Events of one millisecond follow each other a microsecond apart, or
 * closer if there are more than a thousand. O(events).
 */
export function perfettoText(model: TimelineModel): string {
  const { events, lanes, laneOf, messages, data } = model;
  const times = timesOf(model);
  const traced: TraceEvent[] = [
    { ...track(-1), name: "process_name", ph: "M", args: { name: data.title } },
    ...lanes.map((name, lane): TraceEvent => ({ ...track(lane), name: "thread_name", ph: "M", args: { name } })),
    ...lanes.map(
      (_, lane): TraceEvent => ({ ...track(lane), name: "thread_sort_index", ph: "M", args: { sort_index: lane } }),
    ),
  ];
  for (const [at, event] of events.entries()) {
    const lane = laneOf[at] ?? -1;
    const ts = times[at] ?? 0;
    const args = { step: event.step, event };
    // A flow binds to slices of its own category.
    const cat = "message" in event ? FLOW : event.kind;
    const shape = lane < 0 ? ({ ph: "i", s: "g" } as const) : ({ ph: "X", dur: STEP_US / 2 } as const);
    traced.push({ ...track(lane), name: model.text(at), ...shape, ts, cat, args });
  }
  for (const [id, { sent, end, from, to, fate, message }] of messages.entries()) {
    if (end === undefined || fate !== "delivered") continue;
    const flow = { name: message.type, cat: FLOW, id };
    traced.push({ ...flow, ...track(from), ph: "s", ts: times[sent] ?? 0 });
    traced.push({ ...flow, ...track(to), ph: "f", bp: "e", ts: times[end] ?? 0 });
  }
  return `${JSON.stringify({ displayTimeUnit: "ms", traceEvents: traced })}\n`;
}

/** The track of a lane; that of -1 is the network's. */
function track(lane: number) {
  return { pid: 1, tid: lane + 1 };
}

function timesOf({ events }: TimelineModel): Float64Array {
  const times = new Float64Array(events.length);
  for (let start = 0; start < events.length; ) {
    let end = start;
    while (events[end]?.at === events[start]?.at && end < events.length) end++;
    const step = Math.min(STEP_US, MS_US / (end - start + 1));
    for (let at = start; at < end; at++) times[at] = (events[at]?.at ?? 0) * MS_US + (at - start) * step;
    start = end;
  }
  return times;
}
