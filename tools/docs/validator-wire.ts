/** docs/validator-wire.md: the forms of messages, records and states, and the inputs and outputs of native nodes. */
import { DEFINITIONS } from "../../src/external/forms/form.ts";
import { nativeInput, nativeOutput } from "../../src/external/native-shapes.ts";
import type { SchemaNode } from "../../src/schema/nodes.ts";
import { code, page, preface, table } from "./markdown.ts";

export function validatorWireDocument(root: string): string {
  const forms = [...DEFINITIONS].sort(([a], [b]) => (a < b ? -1 : 1));
  return page([
    preface(root, "validator-wire"),
    "## 6 Inputs",
    ...recordsOf(nativeInput.schema),
    "## 7 Outputs",
    ...recordsOf(nativeOutput.schema),
    "## 8 Forms",
    ...forms.flatMap(([name, schema]) => [`### ${name}`, ...recordsOf(schema)]),
  ]);
}

/** A table for one record, or a row for each of several. */
function recordsOf(schema: SchemaNode): readonly string[] {
  const cases = schema["oneOf"] as readonly SchemaNode[] | undefined;
  if (cases === undefined) return recordTable(schema);
  if (cases.some(({ properties }) => properties === undefined)) return [`${cases.map(formText).join(", or ")}.`];
  if (cases.length === 1) return recordTable(cases[0] as SchemaNode);
  const names = cases.map(({ properties = {} }) => Object.keys(properties));
  const shared = (names[0] ?? []).filter((name) => names.every((others) => others.includes(name)));
  const [tag = ""] = shared.filter((name) => cases.every((one) => one.properties?.[name]?.["enum"] !== undefined));
  const common = shared.filter((name) => name !== tag && new Set(cases.map((one) => memberText(one, name))).size === 1);
  const [first = {}] = cases;
  const also = common.length === 0 ? "" : `Each has ${common.map((name) => memberText(first, name)).join(", ")}.`;
  const rows = cases.map((one) => [
    ((one.properties?.[tag]?.["enum"] ?? []) as readonly string[]).map(code).join(", "),
    one.description ?? "",
    Object.keys(one.properties ?? {})
      .filter((name) => name !== tag && !common.includes(name))
      .map((name) => memberText(one, name))
      .join("; "),
  ]);
  return [also, table([tag === "" ? "" : code(tag), "meaning", "members"], rows)];
}

function recordTable(schema: SchemaNode): readonly string[] {
  const rows = Object.keys(schema.properties ?? {}).map((name) => {
    const [node, isOptional] = presentMember(schema, name);
    return [code(name), formText(node), isOptional ? "optional" : "", node.description ?? ""];
  });
  return [schema.description ?? "", table(["member", "form", "", "meaning"], rows)];
}

function memberText(schema: SchemaNode, name: string): string {
  const [node, isOptional] = presentMember(schema, name);
  const about = node.description === undefined || node["type"] === "object" ? "" : ` (${node.description})`;
  return `${code(name)}${isOptional ? "?" : ""} ${formText(node)}${about}`;
}

/** Returns the schema of a member where it is there, and true if it may be absent. */
function presentMember({ properties = {}, required }: SchemaNode, name: string): readonly [SchemaNode, boolean] {
  const node = properties[name] ?? {};
  if ((required as readonly string[]).includes(name)) return [node, false];
  const [present] = (node["anyOf"] ?? [node]) as readonly [SchemaNode];
  return [present, true];
}

function formText(node: SchemaNode): string {
  const { $ref, anyOf, oneOf, prefixItems, items, properties, title, type } = node;
  if (typeof $ref === "string") {
    const name = $ref.replace("#/$defs/", "");
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (anyOf !== undefined) return `${formText((anyOf as readonly SchemaNode[])[0] ?? {})} or null`;
  if (oneOf !== undefined) return (oneOf as readonly SchemaNode[]).map(formText).join(" or ");
  if (prefixItems !== undefined) return `[${(prefixItems as readonly SchemaNode[]).map(formText).join(", ")}]`;
  if (type === "array") return `list of ${formText(items ?? {})}`;
  if (properties !== undefined)
    return `{${Object.keys(properties)
      .map((name) => memberText(node, name))
      .join(", ")}}`;
  return typeof title === "string" ? title : String(type);
}
