/** Scenario as a JSON tree, with removal, replacement and renaming, and without steps that refer to removed ones. */
import type { Scenario } from "../../scenario/scenario.ts";
import type { Step } from "../../scenario/schema/step.ts";
import type { TriggerSpec } from "../../scenario/schema/trigger.ts";

/** JSON value of a scenario file. */
export type JsonTree = string | number | boolean | readonly JsonTree[] | { readonly [key: string]: JsonTree };

/** Path to a value: keys and indices. */
export type JsonPath = readonly (string | number)[];

/** Returns the paths of all values below the root, containers before their members. */
export function pathsIn(tree: JsonTree, from: JsonPath = []): readonly JsonPath[] {
  return partsOf(tree).flatMap(([key, part]) => {
    const path = [...from, key];
    return [path, ...pathsIn(part, path)];
  });
}

/** Returns the value at a path, or `undefined`. */
export function valueAt(tree: JsonTree, path: JsonPath): JsonTree | undefined {
  let part: JsonTree | undefined = tree;
  for (const key of path) {
    if (typeof part !== "object") return undefined;
    part = (part as Readonly<Record<string | number, JsonTree>>)[key];
  }
  return part;
}

/** Replaces the value at a path; `undefined` removes it. */
export function withValue(tree: JsonTree, path: JsonPath, part: JsonTree | undefined): JsonTree {
  const [key, ...rest] = path;
  if (key === undefined) return part ?? tree;
  const below = valueAt(tree, [key]);
  const changed = rest.length === 0 ? part : withValue(below ?? {}, rest, part);
  if (Array.isArray(tree)) {
    const list = tree as readonly JsonTree[];
    return list.flatMap((one, index) => (index !== key ? [one] : changed === undefined ? [] : [changed]));
  }
  const entries = partsOf(tree).flatMap(([name, one]): readonly (readonly [string, JsonTree])[] => {
    if (name !== key) return [[String(name), one]];
    return changed === undefined ? [] : [[String(name), changed]];
  });
  return Object.fromEntries(entries);
}

/** Renames all strings and keys by `rename`; `undefined` removes them from lists, or with their key. */
export function renameStrings(tree: JsonTree, rename: (text: string) => string | undefined): JsonTree | undefined {
  if (typeof tree === "string") return rename(tree);
  if (typeof tree !== "object") return tree;
  if (Array.isArray(tree)) {
    const list = (tree as readonly JsonTree[]).flatMap((one) => renameStrings(one, rename) ?? []);
    return list.length === 0 && (tree as readonly JsonTree[]).length > 0 ? undefined : list;
  }
  const entries = partsOf(tree).flatMap(([name, one]): readonly (readonly [string, JsonTree])[] => {
    const key = rename(String(name));
    const part = renameStrings(one, rename);
    return key === undefined || part === undefined ? [] : [[key, part]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function partsOf(tree: JsonTree): readonly (readonly [string | number, JsonTree])[] {
  if (typeof tree !== "object") return [];
  return Array.isArray(tree) ? (tree as readonly JsonTree[]).map((one, index) => [index, one]) : Object.entries(tree);
}

/** Returns the scenario without steps that name an operation, rule or proposal that no step defines. */
export function withoutDangling(scenario: Scenario): Scenario {
  let steps = scenario.steps ?? [];
  for (;;) {
    const kept = steps.filter((step) => isGrounded(step, steps));
    if (kept.length === steps.length) return { ...scenario, steps: kept };
    steps = kept;
  }
}

function isGrounded(step: Step, steps: readonly Step[]): boolean {
  const { submit, after, hold, drop, release, undrop, govern } = step;
  const operations = [
    submit?.repeat,
    ...(submit?.recovery?.evidence ?? []),
    hold?.of,
    drop?.of,
    ...operationsIn(after),
  ];
  if (!operations.every((id) => id === undefined || steps.some((one) => one.submit?.id === id))) return false;
  if (after?.held !== undefined && !steps.some((one) => one.hold?.rule === after.held)) return false;
  if (typeof release === "string" && !steps.some((one) => one.hold?.rule === release)) return false;
  if (typeof undrop === "string" && !steps.some((one) => one.drop?.rule === undrop)) return false;
  return govern?.repeat === undefined || steps.some((one) => one.govern?.id === govern.repeat);
}

function operationsIn(after: TriggerSpec | undefined): readonly (string | undefined)[] {
  if (after === undefined) return [];
  return [after.submitted, after.voted, after.committed, after.proposed, after.decided, after.applied, after.responded];
}
