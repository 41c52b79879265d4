/** Parts of a JSON Schema, as documents, explanations and messages read them. */

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

/** The description without its example. */
export function plainDescription(description = ""): string {
  return (description.split(/\.? ?Example: /)[0] ?? "").trim();
}

/** @throws Error if there is no such member */
export function memberOf(node: SchemaNode, key: string): SchemaNode {
  const found = node.properties?.[key];
  if (found === undefined) throw new Error(`the schema has no member ${key}`);
  return found;
}

/** Returns the node of the values of a map. */
export function valuesOf({ additionalProperties }: SchemaNode): SchemaNode {
  return typeof additionalProperties === "object" ? additionalProperties : {};
}

/** Returns the members of which exactly one stands. */
export function alternativesOf(node: SchemaNode): readonly string[] {
  return ((node["oneOf"] ?? []) as readonly { required: readonly string[] }[]).flatMap(({ required }) => required);
}

/** Returns the words of a choice; none for another type. */
export function wordsOf(node: SchemaNode): readonly string[] {
  return Array.isArray(node["enum"]) ? (node["enum"] as string[]) : [];
}

/** Returns pairs of a word and its meaning. */
export function meaningsOf(node: SchemaNode): readonly (readonly [string, string])[] {
  const meanings = (node["enumDescriptions"] ?? []) as readonly string[];
  return wordsOf(node).map((word, index) => [word, meanings[index] ?? ""]);
}
