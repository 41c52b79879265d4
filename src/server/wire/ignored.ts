/** Members of a body that are unknown to its schema, for the log. */
import type { Shape } from "../../scenario/schema/shape.ts";
import { IGNORED_LISTED } from "./limits.ts";
import { memberOf } from "./wire-error.ts";

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
}

/** Returns the paths of unknown members, at most `IGNORED_NAMED`, of a value that has the shape. */
export function ignoredMembers(schema: Shape<unknown>, value: unknown, path: string): readonly string[] {
  return walk(schema as SchemaNode, value, path).slice(0, IGNORED_LISTED);
}

function walk({ properties, items }: SchemaNode, value: unknown, path: string): readonly string[] {
  if (items !== undefined && Array.isArray(value))
    return value.flatMap((one, at) => walk(items, one, `${path}[${at}]`));
  if (properties === undefined || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const at = memberOf(path, name);
    return known === undefined ? [at] : walk(known, member, at);
  });
}
