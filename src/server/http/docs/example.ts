/** Examples made of schemas. */
import type { JsonSchema } from "./openapi.ts";

/** A value of the schema: its first example, or one made of its parts. */
export function exampleOf(schema: JsonSchema): unknown {
  const given = schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.enum?.[0];
  if (given !== undefined) return given;
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (choice !== undefined) return exampleOf(choice);
  switch ([schema.type].flat()[0]) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, member]) => [name, exampleOf(member)]),
      );
    case "array":
      return schema.items === undefined ? [] : Array(schema.minItems ?? 1).fill(exampleOf(schema.items));
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return false;
    case "string":
      return hexOf(schema.pattern ?? "");
    default:
      return null;
  }
}

/** Hex digits of the length that a pattern of hex digits asks for; of any other pattern no text. */
function hexOf(pattern: string): string {
  const digits = /^\^0x\[[^\]]+\]\{(\d+)\}\$$/.exec(pattern)?.[1];
  return digits === undefined ? "" : `0x${"ab".repeat(Number(digits)).slice(0, Number(digits))}`;
}

/** What values a schema has, in a word or two. */
export function typeName(schema: JsonSchema): string {
  if (schema.enum !== undefined) return schema.enum.map((word) => JSON.stringify(word)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map(typeName).join(" | ");
  const types = [schema.type ?? "any"].flat();
  const names = types.map((type) =>
    type === "array" && schema.items !== undefined ? `list of ${typeName(schema.items)}` : type,
  );
  return names.join(" | ");
}
