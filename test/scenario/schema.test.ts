import { describe, expect, it } from "vitest";
import { createParser } from "../../src/scenario/parse.ts";
import { publishedSchema } from "../../src/scenario/schema/schema.ts";

type Node = Record<string, unknown> & {
  readonly description?: string;
  readonly properties?: Record<string, Node>;
  readonly items?: Node;
};

const schema = publishedSchema() as unknown as Node;
const stepSchema = schema.properties?.["steps"]?.items as Node;
const expectSchema = schema.properties?.["expect"]?.items as Node;
const submitSchema = stepSchema.properties?.["submit"] as Node;
const oneOf = (node: Node): readonly string[] =>
  (node["oneOf"] as { required: string[] }[]).flatMap(({ required }) => required);

describe("the published schema", () => {
  it("is plain JSON", () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  });

  for (const [title, node] of [
    ["verb", stepSchema],
    ["expectation", expectSchema],
    ["operation", submitSchema],
  ] as const) {
    for (const key of oneOf(node)) {
      it(`says what the ${title} "${key}" does, with an example`, () => {
        expect(node.properties?.[key]?.description).toMatch(/[Ee]xample: ./);
      });
    }
  }

  it("knows no verb of later formats", () => {
    expect(Object.keys(stepSchema.properties ?? {})).not.toEqual(expect.arrayContaining(["epoch"]));
    expect(Object.keys(stepSchema.properties ?? {})).not.toEqual(expect.arrayContaining(["checkpoint"]));
  });

  it("describes every member, down to the last", () => {
    const bare: string[] = [];
    const walk = (node: Node, path: string): void => {
      if (node.description === undefined && node["anyOf"] === undefined) bare.push(path);
      for (const [key, member] of Object.entries(node.properties ?? {})) walk(member, `${path}.${key}`);
      if (node.items !== undefined) walk(node.items, `${path}[]`);
    };
    walk(schema, "");
    expect(bare).toEqual([]);
  });

  it("accepts its own examples", () => {
    const parser = createParser();
    const examples = oneOf(stepSchema).map(
      (verb) => (stepSchema.properties?.[verb]?.description ?? "").split("Example: ")[1] ?? "",
    );
    const steps = examples
      .map((example) => (example.startsWith("- ") ? example : ""))
      .filter((example) => example !== "");
    expect(steps.length).toBeGreaterThan(15);
    const text = `name: n
network: { spares: [v5], twins: [v4] }
genesis: { tokens: { USD: { decimals: 6, master: issuer } }, balances: { dora: { USD: "5" } } }
steps:
${steps.map((step) => `  ${step.replaceAll("alice, bob", "ann, ben")}`).join("\n")}
`;
    const parsed = parser.parse(text);
    expect(parsed.ok ? [] : parsed.error).toEqual([]);
  });
});
