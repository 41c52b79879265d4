/** Parts of an OpenAPI 3.1 document that tests read, and example values of its schemas. */

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly example?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly format?: string;
  readonly $ref?: string;
}

/** Schemas by content type. */
export type MediaContent = Readonly<Record<string, { readonly schema?: JsonSchema }>>;

export interface DocumentedOperation {
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly requestBody?: { readonly content: MediaContent };
  readonly responses?: Readonly<Record<string, { readonly description: string; readonly content?: MediaContent }>>;
}

export interface OpenApi {
  readonly openapi: string;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

/** Returns a value of the document with each reference to a named schema replaced by that schema. */
export function resolved<T>(document: OpenApi, value: T): T {
  if (Array.isArray(value)) return value.map((one) => resolved(document, one)) as T;
  if (typeof value !== "object" || value === null) return value;
  const name = "$ref" in value && typeof value.$ref === "string" ? value.$ref.split("/").at(-1) : undefined;
  if (name !== undefined) return resolved(document, document.components.schemas[name]) as T;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(document, one)])) as T;
}

/** Returns the first example of the schema, or a value composed from its members. */
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

/** Returns hex digits of the length in a pattern of hex digits, and an empty text for any other pattern. */
function hexOf(pattern: string): string {
  const digits = /^\^0x\[[^\]]+\]\{(\d+)\}\$$/.exec(pattern)?.[1];
  return digits === undefined ? "" : `0x${"ab".repeat(Number(digits)).slice(0, Number(digits))}`;
}
