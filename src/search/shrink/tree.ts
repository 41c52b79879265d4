/** Scenario as a JSON tree, with removal, replacement and renaming. */

/** JSON value of a scenario file. */
export type Tree = string | number | boolean | readonly Tree[] | { readonly [key: string]: Tree };

/** Path to a value: keys and indices. */
export type Way = readonly (string | number)[];

/** Returns the paths of all values below the root, containers before their members. */
export function waysIn(tree: Tree, from: Way = []): readonly Way[] {
  return partsOf(tree).flatMap(([key, part]) => {
    const way = [...from, key];
    return [way, ...waysIn(part, way)];
  });
}

/** Returns the value at a path, or `undefined`. */
export function partAt(tree: Tree, way: Way): Tree | undefined {
  let part: Tree | undefined = tree;
  for (const key of way) {
    if (typeof part !== "object") return undefined;
    part = (part as Readonly<Record<string | number, Tree>>)[key];
  }
  return part;
}

/** Replaces the value at a path; `undefined` removes it. */
export function withPart(tree: Tree, way: Way, part: Tree | undefined): Tree {
  const [key, ...rest] = way;
  if (key === undefined) return part ?? tree;
  const below = partAt(tree, [key]);
  const changed = rest.length === 0 ? part : withPart(below ?? {}, rest, part);
  if (Array.isArray(tree)) {
    const list = tree as readonly Tree[];
    return list.flatMap((one, index) => (index !== key ? [one] : changed === undefined ? [] : [changed]));
  }
  const entries = partsOf(tree).flatMap(([name, one]): readonly (readonly [string, Tree])[] => {
    if (name !== key) return [[String(name), one]];
    return changed === undefined ? [] : [[String(name), changed]];
  });
  return Object.fromEntries(entries);
}

/** Renames all strings and keys by `rename`; `undefined` removes them from lists, or with their key. */
export function renamed(tree: Tree, rename: (text: string) => string | undefined): Tree | undefined {
  if (typeof tree === "string") return rename(tree);
  if (typeof tree !== "object") return tree;
  if (Array.isArray(tree)) {
    const list = (tree as readonly Tree[]).flatMap((one) => renamed(one, rename) ?? []);
    return list.length === 0 && (tree as readonly Tree[]).length > 0 ? undefined : list;
  }
  const entries = partsOf(tree).flatMap(([name, one]): readonly (readonly [string, Tree])[] => {
    const key = rename(String(name));
    const part = renamed(one, rename);
    return key === undefined || part === undefined ? [] : [[key, part]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function partsOf(tree: Tree): readonly (readonly [string | number, Tree])[] {
  if (typeof tree !== "object") return [];
  return Array.isArray(tree) ? (tree as readonly Tree[]).map((one, index) => [index, one]) : Object.entries(tree);
}
