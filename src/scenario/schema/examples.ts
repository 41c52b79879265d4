/** Examples in the schema: descriptions state them as YAML behind "Example:", and editors read them as values. */
import { parse } from "yaml";

/** A part of a JSON Schema. */
export interface SchemaNode {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly examples?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

/** The YAML of the example in a description; `undefined` where there is none. */
export function statedExample(description = ""): string | undefined {
  return description.split(/\bExample: /)[1];
}

/** The same schema in which each stated example is one of the node's `examples` too. */
export function withExamples(node: SchemaNode, key?: string): SchemaNode {
  const stated = statedExample(node.description);
  const { properties, items, additionalProperties: values } = node;
  return {
    ...node,
    ...(stated === undefined ? {} : { examples: [...(node.examples ?? []), valueIn(parse(stated), node, key)] }),
    ...(properties === undefined ? {} : { properties: withExamplesIn(properties) }),
    ...(items === undefined ? {} : { items: withExamples(items) }),
    ...(typeof values === "object" ? { additionalProperties: withExamples(values) } : {}),
  };
}

function withExamplesIn(properties: Readonly<Record<string, SchemaNode>>): Readonly<Record<string, SchemaNode>> {
  return Object.fromEntries(Object.entries(properties).map(([key, member]) => [key, withExamples(member, key)]));
}

/** A value of the node itself: an example may stand below the node's key, or below a name, or in a list of steps. */
function valueIn(example: unknown, node: SchemaNode, key: string | undefined): unknown {
  const whole = Array.isArray(example) && node["type"] !== "array" ? example[0] : inList(example, key);
  if (typeof whole !== "object" || whole === null || Array.isArray(whole)) return whole;
  if (key !== undefined && key in whole) return (whole as Record<string, unknown>)[key];
  const [only, ...more] = Object.keys(whole);
  const isNamed = more.length === 0 && key === undefined && only !== undefined && !(only in (node.properties ?? {}));
  return isNamed ? (whole as Record<string, unknown>)[only] : whole;
}

/** The step or expectation of an example for a list-valued key, such as `partition`; a list as it is otherwise. */
function inList(example: unknown, key: string | undefined): unknown {
  if (!Array.isArray(example) || key === undefined) return example;
  const [first] = example;
  return typeof first === "object" && first !== null && key in first ? first : example;
}
