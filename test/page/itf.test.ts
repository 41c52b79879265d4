/** Traces in the Informal Trace Format, checked by a schema. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { exportText } from "../../src/report/exports/formats.ts";
import { dataOf, FAULTS, VIOLATION } from "./runs.ts";

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
