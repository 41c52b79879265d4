/** docs/node-interface.md: inputs and outputs of nodes from their schemas, and the oracles that can judge them. */
import { INPUT_SHAPES, INTERFACE_VERSION, OUTPUT_SHAPES } from "../../src/external/shapes.ts";
import { CATALOGUE } from "../../src/invariants/catalogue.ts";
import type { SchemaNode } from "../../src/schema/nodes.ts";
import { code, page, preface, table } from "./markdown.ts";

export function nodeInterfaceDocument(root: string): string {
  return page([
    preface(root, "node-interface"),
    `## 7 Inputs of version ${INTERFACE_VERSION}`,
    "The JSON Schema of inputs and outputs is printed by `quorumlab schema --node`. Each input has these members too:",
    membersTable({ ...INPUTS.timer, properties: pick(INPUTS.timer, COMMON) }),
    ...Object.entries(INPUTS).flatMap(([kind, shape]) => [`### ${kind}`, membersTable(without(shape, COMMON))]),
    "## 8 Outputs",
    "The kind of an output stands in its member `output`.",
    ...Object.entries(OUTPUTS).flatMap(([kind, shape]) => [`### ${kind}`, membersTable(without(shape, ["output"]))]),
    "## 9 Oracles",
    table(
      ["oracle", "judges nodes of others", "property"],
      CATALOGUE.map(({ name, opaque, sentence }) => [code(name), opaque === "none" ? "no" : "yes", sentence]),
    ),
  ]);
}

const INPUTS = INPUT_SHAPES as unknown as Readonly<Record<keyof typeof INPUT_SHAPES, SchemaNode>>;
const OUTPUTS = OUTPUT_SHAPES as unknown as Readonly<Record<keyof typeof OUTPUT_SHAPES, SchemaNode>>;
const COMMON = ["input", "at", "clock"];

function pick(shape: SchemaNode, names: readonly string[]): Readonly<Record<string, SchemaNode>> {
  return Object.fromEntries(Object.entries(shape.properties ?? {}).filter(([name]) => names.includes(name)));
}

function without(shape: SchemaNode, names: readonly string[]): SchemaNode {
  const properties = Object.entries(shape.properties ?? {}).filter(([name]) => !names.includes(name));
  return { ...shape, properties: Object.fromEntries(properties) };
}

function membersTable(shape: SchemaNode): string {
  const required = (shape["required"] ?? []) as readonly string[];
  const rows = Object.entries(shape.properties ?? {}).map(([name, node]) => [
    code(name),
    formText(node),
    required.includes(name) ? "required" : "optional",
    meaningText(node),
  ]);
  return rows.length === 0 ? "It has no other members." : table(["member", "form", "", "meaning"], rows);
}

function formText({ type, items, prefixItems, properties }: SchemaNode): string {
  if (properties !== undefined) return "object";
  if (type !== "array") return String(type ?? "text");
  const parts = prefixItems as readonly SchemaNode[] | undefined;
  if (parts !== undefined) return `[${parts.map(formText).join(", ")}]`;
  return `list of ${formText(items ?? {})}`;
}

function meaningText(node: SchemaNode): string {
  const words = node["enum"] as readonly string[] | undefined;
  const shown = words === undefined || words.length > 8 ? "" : `: ${words.map(code).join(", ")}`;
  const members = Object.entries(node.items?.properties ?? node.properties ?? {});
  const inner = members.map(([name, { description }]) => `${code(name)}, ${description}`).join("; ");
  return `${node.description ?? ""}${shown}${inner === "" ? "" : ` Members: ${inner}`}`;
}
