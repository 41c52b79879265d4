/** The published schema as a document; docs/examples.test.ts checks its examples. */
import { expect, it } from "vitest";
import { publishedSchema } from "../../src/scenario/schema/schema.ts";
import type { SchemaNode } from "../../src/schema/nodes.ts";

const schema = publishedSchema() as SchemaNode;

it("is plain JSON", () => {
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
});

it("describes every member, down to the last", () => {
  const bare: string[] = [];
  const walk = (node: SchemaNode, path: string): void => {
    if (node.description === undefined && node["anyOf"] === undefined) bare.push(path);
    for (const [key, member] of Object.entries(node.properties ?? {})) walk(member, `${path}.${key}`);
    if (node.items !== undefined) walk(node.items, `${path}[]`);
  };
  walk(schema, "");
  expect(bare).toEqual([]);
});
