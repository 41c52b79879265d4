/** Exports of a run, read by programs and checked by schemas of others. */
import root from "@opentelemetry/otlp-transformer/build/src/generated/root.js";
import * as Trace from "@paulirish/trace_engine";
import { Ajv2020 } from "ajv/dist/2020.js";
import mermaid from "mermaid";
import { describe, expect, it } from "vitest";
import { type ExportFormat, exportText } from "../../src/report/exports/formats.ts";
import { modelOf } from "../../src/report/timeline/model.ts";
import { dataOf, FAULTS, VIOLATION } from "./runs.ts";

const data = dataOf(FAULTS);
const model = modelOf(data);
const delivered = model.messages.filter(({ fate }) => fate === "delivered");
const read = <T>(format: ExportFormat, operation?: string): T => JSON.parse(exportText(data, format, operation)) as T;

describe("Chrome's trace engine", () => {
  const flowsIn = async (events: readonly object[]): Promise<readonly (readonly { readonly name: string }[])[]> => {
    const { Flows, Meta } = Trace.Handlers.ModelHandlers;
    const processor = new Trace.Processor.TraceProcessor({ Flows, Meta } as never);
    await processor.parse(events as never, {} as never);
    return (processor.data as unknown as { Flows: { flows: never[] } }).Flows.flows;
  };

  it("finds each message that arrives as a flow from its sending to its arrival", async () => {
    const { traceEvents } = read<{ readonly traceEvents: readonly object[] }>("perfetto");
    const found = await flowsIn(traceEvents);
    const ends = found.map((flow) => flow.map(({ name }) => name));
    expect(ends).toHaveLength(delivered.length);
    expect(ends).toContainEqual([model.text(delivered[0]?.sent ?? 0), model.text(delivered[0]?.end ?? 0)]);
    // It binds by category: other categories at the ends lose all flows.
    const others = traceEvents.map((event) => ("dur" in event ? { ...event, cat: "other" } : event));
    expect(await flowsIn(others)).toEqual([]);
  });
});

describe("Mermaid", () => {
  it.each([FAULTS, VIOLATION])("parses the sequence diagram", async (text) => {
    const diagram = exportText(dataOf(text), "mermaid");
    expect(await mermaid.parse(diagram)).toMatchObject({ diagramType: "sequence" });
    await expect(mermaid.parse(diagram.replace("->>", "->>:"))).rejects.toThrow(/Parse error/);
  });

  it("parses names that are statements of the language", async () => {
    const odd = VIOLATION.replaceAll("alice", "end").replaceAll("id: x", "id: loop");
    expect(await mermaid.parse(exportText(dataOf(odd), "mermaid"))).toMatchObject({ diagramType: "sequence" });
  });
});

describe("the protocol of OpenTelemetry", () => {
  interface Span {
    readonly traceId: string;
    readonly spanId: string;
    readonly parentSpanId?: string;
    readonly name: string;
    readonly startTimeUnixNano: string;
    readonly endTimeUnixNano: string;
    readonly events: readonly { readonly timeUnixNano: string; readonly name: string }[];
    readonly status: { readonly code: number };
  }
  type Request = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
  const first = model.events.find(({ kind }) => kind === "operation") as { readonly operation: string };
  const request = read<Request>("otlp", first.operation);
  const spans = request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));

  it("encodes the spans, and decodes the same: each member is one of its published definitions", () => {
    const { opentelemetry } = root as unknown as Definitions;
    const codec = opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
    // JSON has ids in hex, and protobuf has bytes.
    const inBase64 = JSON.parse(JSON.stringify(request), (name, value: unknown) =>
      /^(traceId|spanId|parentSpanId)$/.test(name) ? Buffer.from(String(value), "hex").toString("base64") : value,
    ) as object;
    const message = codec.fromObject(inBase64);
    expect(codec.verify(message)).toBe(null);
    // A member that the definitions do not have is lost.
    expect(codec.toObject(codec.fromObject({ resourceSpans: [{ spans: [] }] }), {})).toEqual({ resourceSpans: [{}] });
    const bytes = codec.encode(message).finish();
    const decoded = codec.toObject(codec.decode(bytes), { longs: String, bytes: String, arrays: true });
    const sorted = (value: unknown): unknown => JSON.parse(JSON.stringify(value, ordered));
    expect(sorted(decoded)).toEqual(sorted(withLists(inBase64)));
  });

  it("has one trace, whose spans hang together and enclose their events", () => {
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(spans.every(({ traceId, spanId }) => /^[0-9a-f]{32}$/.test(traceId) && /^[0-9a-f]{16}$/.test(spanId))).toBe(
      true,
    );
    const ids = new Map(spans.map((span) => [span.spanId, span]));
    expect(ids.size).toBe(spans.length);
    expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined)).toHaveLength(1);
    expect(spans.every(({ parentSpanId }) => parentSpanId === undefined || ids.has(parentSpanId))).toBe(true);
    for (const { startTimeUnixNano, endTimeUnixNano, events } of spans)
      for (const { timeUnixNano } of events) {
        expect(BigInt(timeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
        expect(BigInt(timeUnixNano)).toBeLessThanOrEqual(BigInt(endTimeUnixNano));
      }
    expect(spans[0]?.status.code).toBe(1);
    expect(spans.some(({ name }) => name === "vote to v1")).toBe(true);
  });

  interface Definitions {
    readonly opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: Codec } } } } };
  }

  interface Codec {
    fromObject(value: object): object;
    verify(message: object): string | null;
    encode(message: object): { finish(): Uint8Array };
    decode(bytes: Uint8Array): object;
    toObject(message: object, options: object): object;
  }

  /** Members of objects in the order of their names. */
  function ordered(_: string, value: unknown): unknown {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Decoders make each list that is absent an empty one. */
  function withLists(value: object): object {
    const lists = { resource: ["entityRefs"], scope: ["attributes"], spans: ["links"], events: [] };
    return JSON.parse(JSON.stringify(value), (name, one: unknown) => {
      const missing = name === "resource" || name === "scope" ? lists[name] : undefined;
      if (missing !== undefined)
        return { ...(one as object), ...Object.fromEntries(missing.map((list) => [list, []])) };
      return name === "spans" ? (one as object[]).map((span) => ({ ...span, links: [] })) : one;
    }) as object;
  }
});

/** The Informal Trace Format as Apalache describes it in its ADR 015. */
const ITF = {
  $defs: {
    expr: {
      anyOf: [
        { type: ["boolean", "string", "integer"] },
        { type: "array", items: { $ref: "#/$defs/expr" } },
        { $ref: "#/$defs/special" },
        {
          type: "object",
          propertyNames: { not: { pattern: "^#" } },
          additionalProperties: { $ref: "#/$defs/expr" },
        },
      ],
    },
    special: {
      type: "object",
      oneOf: [
        { required: ["#bigint"], properties: { "#bigint": { type: "string", pattern: "^-?[0-9]+$" } } },
        { required: ["#tup"], properties: { "#tup": { type: "array", items: { $ref: "#/$defs/expr" } } } },
        {
          required: ["#set"],
          properties: { "#set": { type: "array", items: { $ref: "#/$defs/expr" }, uniqueItems: true } },
        },
        {
          required: ["#map"],
          properties: {
            "#map": {
              type: "array",
              items: { type: "array", minItems: 2, maxItems: 2, items: { $ref: "#/$defs/expr" } },
            },
          },
        },
        { required: ["#unserializable"], properties: { "#unserializable": { type: "string" } } },
      ],
      minProperties: 1,
      maxProperties: 1,
    },
  },
  type: "object",
  required: ["vars", "states"],
  additionalProperties: false,
  properties: {
    "#meta": { type: "object" },
    params: { type: "array", items: { type: "string" } },
    vars: { type: "array", items: { type: "string" }, uniqueItems: true },
    loop: { type: "integer" },
    states: {
      type: "array",
      items: {
        type: "object",
        properties: { "#meta": { type: "object" } },
        additionalProperties: { $ref: "#/$defs/expr" },
      },
    },
  },
};

describe("the Informal Trace Format", () => {
  interface Itf {
    readonly vars: readonly string[];
    readonly states: readonly (Readonly<Record<string, unknown>> & { readonly step: number })[];
  }
  const valid = new Ajv2020({ allowUnionTypes: true }).compile<Itf>(ITF);
  type Entries = { readonly "#map": readonly (readonly [string, unknown])[] };

  it.each([FAULTS, VIOLATION])("holds for a trace, whose states have all variables", (text) => {
    const trace = JSON.parse(exportText(dataOf(text), "itf")) as Itf;
    expect([valid(trace), valid.errors]).toEqual([true, null]);
    for (const state of trace.states) expect(Object.keys(state).sort()).toEqual(["#meta", ...trace.vars].sort());
    const steps = trace.states.map(({ step }) => step);
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
    expect(valid({ ...trace, states: [{ x: { "#map": [[1]] } }] })).toBe(false);
    expect(valid({ ...trace, states: [{ x: { "#set": [1, 1] } }] })).toBe(false);
  });

  it("begins before the first step, and ends with the first violation", () => {
    const violated = dataOf(VIOLATION);
    const { states } = JSON.parse(exportText(violated, "itf")) as Itf;
    expect(states[0]).toMatchObject({ step: 0, time: 0, events: [], byzantine: { "#set": [] } });
    expect(states.at(-1)?.step).toBe(violated.violations[0]?.step);
    const slots = states.at(-1)?.["slots"] as Entries;
    const votes = slots["#map"].map(([party, own]) => {
      const [, slot] = (own as Entries)["#map"][0] ?? [];
      return [party, (slot as { readonly vote?: string } | undefined)?.vote ?? ""] as const;
    });
    expect(new Set(votes.map(([, vote]) => vote)).size).toBe(2);
  });
});
