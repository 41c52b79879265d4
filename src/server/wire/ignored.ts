/** Members of a body that are unknown to its schema, for the log. */
import type { Shape } from "../../scenario/schema/shape.ts";
import { memberOf } from "./fault.ts";
import { IGNORED_NAMED } from "./limits.ts";

interface Part {
  readonly properties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
}

/** Returns the paths of unknown members, at most `IGNORED_NAMED`, of a value that has the shape. */
export function ignoredMembers(schema: Shape<unknown>, value: unknown, path: string): readonly string[] {
  return walk(schema as Part, value, path).slice(0, IGNORED_NAMED);
}

function walk({ properties, items }: Part, value: unknown, path: string): readonly string[] {
  if (items !== undefined && Array.isArray(value))
    return value.flatMap((one, at) => walk(items, one, `${path}[${at}]`));
  if (properties === undefined || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const at = memberOf(path, name);
    return known === undefined ? [at] : walk(known, member, at);
  });
}
