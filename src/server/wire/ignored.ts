/** Which members of a body no schema knows: ignored, and named so that a server can log them. */
import type { Shape } from "../../scenario/schema/shape.ts";
import { memberOf } from "./fault.ts";
import { IGNORED_NAMED } from "./limits.ts";

interface Part {
  readonly properties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
}

/** Their paths, the first ones of many. Of a value that has the shape. */
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
