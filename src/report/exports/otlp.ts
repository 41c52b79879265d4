/** The way of one operation as OpenTelemetry spans: OTLP in JSON, as collectors, Jaeger and Grafana Tempo take it. */
import { createHash } from "node:crypto";
import { type Message, type Model, operationsOfEvent } from "../timeline/model.ts";

/** Numbers of `SpanKind` and `StatusCode` in the protocol. */
const KIND = { internal: 1, server: 2, client: 3, producer: 4 } as const;
const STATUS = { unset: 0, ok: 1, error: 2 } as const;

type Attributes = Readonly<Record<string, string | number>>;

interface Stretch {
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly from: number;
  readonly to: number;
  readonly attributes: Attributes;
  /** Positions of its events. */
  readonly events: readonly number[];
  readonly status: number;
}

/** Names of operations that a run's events are about, in the order of their first event. */
export function operationsIn({ events }: Model): readonly string[] {
  return [...new Set(events.flatMap((event) => operationsOfEvent(event)))];
}

/**
 * Returns one JSON object (ExportTraceServiceRequest). A trace is the operation; below its span is one for each party that has
 * part in it, and below that one for each message that the party sends. Time 0 of the run is the epoch of Unix. `operation`:
 * as the events name it; default: the first one. O(events).
 */
export function otlpText(model: Model, operation: string = operationsIn(model)[0] ?? ""): string {
  const { events, lanes, laneOf, messages, data } = model;
  const idOf = (...words: readonly (string | number)[]): string => hexHash([data.end.hash, operation, ...words]);
  const traceId = idOf("trace").slice(0, 32);
  const about = events.flatMap((event, at) => (operationsOfEvent(event).includes(operation) ? [at] : []));
  const positions = new Set(about);
  const time = (at: number | undefined): number =>
    events[Math.min(at ?? events.length - 1, events.length - 1)]?.at ?? 0;
  const isFinal = about.some((at) => events[at]?.kind === "applied");
  const spanId = (...words: readonly (string | number)[]): string => idOf(...words).slice(0, 16);
  const whole: Stretch = {
    ...{ id: spanId("whole"), parent: undefined, name: operation, kind: KIND.client },
    ...{ from: time(about[0]), to: time(about.at(-1)), events: [] },
    attributes: { "quorumlab.title": data.title, "quorumlab.seed": data.seed, "quorumlab.hash": data.end.hash },
    status: isFinal ? STATUS.ok : STATUS.error,
  };
  const resources = lanes.flatMap((party, lane) => {
    const own = about.filter((at) => laneOf[at] === lane);
    if (own.length === 0) return [];
    const isValidator = data.validators.includes(party);
    const part: Stretch = {
      ...{ id: spanId("party", party), parent: whole.id, name: `${operation} at ${party}` },
      ...{ kind: isValidator ? KIND.server : KIND.client, from: time(own[0]), to: time(own.at(-1)) },
      ...{ attributes: {}, events: own, status: STATUS.unset },
    };
    const sent = messages.filter((message) => message.from === lane && positions.has(message.sent));
    const spans = [part, ...sent.map((message) => messageSpan(message, part.id))];
    return [resource(party, spans)];
  });
  const root = resource("quorumlab", about.length === 0 ? [] : [whole]);
  return `${JSON.stringify({ resourceSpans: [root, ...resources] })}\n`;

  function messageSpan({ sent, end, to, fate, message, isHeld, isDuplicate }: Message, parent: string): Stretch {
    const [receiver = "", sentAt] = [lanes[to], time(sent)];
    return {
      ...{ id: spanId("message", sent), parent, name: `${message.type} to ${receiver}`, kind: KIND.producer },
      ...{ from: sentAt, to: Math.max(sentAt, time(end)), events: [] },
      attributes: {
        ...{ "quorumlab.to": receiver, "quorumlab.fate": fate, "quorumlab.round": message.round ?? 0 },
        ...{ "quorumlab.held": String(isHeld), "quorumlab.duplicate": String(isDuplicate) },
      },
      status: fate === "lost" ? STATUS.error : STATUS.unset,
    };
  }

  function resource(name: string, spans: readonly Stretch[]) {
    const scope = { name: "quorumlab", version: String(data.versions["quorumlab"] ?? "") };
    const resourceOf = { attributes: attributesOf({ "service.name": name }) };
    return { resource: resourceOf, scopeSpans: [{ scope, spans: spans.map(spanOf) }] };
  }

  function spanOf({ id, parent, name, kind, from, to, attributes, events: own, status }: Stretch) {
    return {
      ...{ traceId, spanId: id, ...(parent === undefined ? {} : { parentSpanId: parent }), name, kind },
      ...{ startTimeUnixNano: nanos(from), endTimeUnixNano: nanos(to), attributes: attributesOf(attributes) },
      events: own.map((at) => ({
        ...{ timeUnixNano: nanos(time(at)), name: model.text(at) },
        attributes: attributesOf({ "quorumlab.kind": events[at]?.kind ?? "", "quorumlab.step": events[at]?.step ?? 0 }),
      })),
      status: { code: status },
    };
  }
}

function attributesOf(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({
    ...{ key, value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value } },
  }));
}

/** Nanoseconds do not fit in a number of JSON. */
function nanos(ms: number): string {
  return String(BigInt(Math.round(ms)) * 1_000_000n);
}

function hexHash(words: readonly (string | number)[]): string {
  return createHash("sha256").update(words.join("\n")).digest("hex");
}
