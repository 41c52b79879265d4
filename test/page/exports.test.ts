/** Exports of a run for other tools, each read as that tool reads it. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { EXPORT_FORMATS, exportText } from "../../src/report/exports/formats.ts";
import { modelOf } from "../../src/report/timeline/model.ts";
import { dataOf, FAULTS, VIOLATION } from "./runs.ts";

const data = dataOf(FAULTS);
const model = modelOf(data);

describe("trace events", () => {
  interface Traced {
    readonly name: string;
    readonly ph: string;
    readonly tid: number;
    readonly ts?: number;
    readonly id?: number;
    readonly cat?: string;
  }
  const { traceEvents } = JSON.parse(exportText(data, "perfetto")) as { readonly traceEvents: readonly Traced[] };

  it("have a track for each party, with each of its events in order", () => {
    const names = traceEvents.filter(({ name }) => name === "thread_name").length;
    expect(names).toBe(model.lanes.length);
    const slices = traceEvents.filter(({ ph }) => ph === "X");
    expect(slices).toHaveLength(model.laneOf.filter((lane) => lane >= 0).length);
    const times = slices.map(({ ts = -1 }) => ts);
    expect(times.every((ts, at) => at === 0 || ts > (times[at - 1] as number))).toBe(true);
  });

  it("have both ends of each message that arrives, and each end lies in a slice of its track and category", () => {
    const ends = traceEvents.filter(({ ph }) => ph === "s" || ph === "f");
    const delivered = model.messages.filter(({ fate }) => fate === "delivered").length;
    expect(ends).toHaveLength(2 * delivered);
    const starts = new Set(traceEvents.filter(({ ph }) => ph === "X").map(({ tid, ts, cat }) => `${tid} ${ts} ${cat}`));
    expect(ends.every(({ tid, ts, cat }) => starts.has(`${tid} ${ts} ${cat}`))).toBe(true);
  });
});

describe("the Mermaid diagram", () => {
  const statement =
    /^ {2}(participant p\d+ as [^;:\n]+|p\d+(->>|--x)p\d+: [^;:\n]+|Note over p\d+(,p\d+)?: [^;:\n]+|%% [^\n]+)$/;

  it.each([FAULTS, VIOLATION])("has statements of the language only", (text) => {
    // Entities end in a semicolon.
    const plain = exportText(dataOf(text), "mermaid").replaceAll(/#\d+;/g, "");
    const [head, ...lines] = plain.trimEnd().split("\n");
    expect(head).toBe("sequenceDiagram");
    expect(lines.filter((line) => !statement.test(line))).toEqual([]);
    expect(lines.length).toBeGreaterThan(15);
  });

  it("ends with the violation", () => {
    const lines = exportText(dataOf(VIOLATION), "mermaid").trimEnd().split("\n");
    expect(lines.at(-1)).toMatch(/Note over .*agreement#58; v\d/);
  });
});

describe("latencies", () => {
  it("are equal as CSV and as lines of JSON", () => {
    const read = (text: string, { column }: { readonly column: string | number }) =>
      String(column).endsWith("_ms") ? Number(text) : text;
    const rows: unknown[] = parse(exportText(data, "csv"), { columns: true, cast: read });
    const lines = exportText(data, "ndjson").trimEnd().split("\n");
    expect(rows).toEqual(lines.map((line) => JSON.parse(line) as unknown));
    expect(rows).toHaveLength(12);
    expect(rows[0]).toMatchObject({ kind: "payment", latency_ms: expect.any(Number) as number });
  });
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

it("every format answers for a run without events", () => {
  for (const format of EXPORT_FORMATS) expect(() => exportText({ ...data, events: [] }, format)).not.toThrow();
});
