/** Removal and simplification of scenario members other than steps, and of members within steps. */

import type { Interruptible } from "../../run/interruptible.ts";
import { VALIDATORS_DEFAULT } from "../../scenario/declared.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Attempts } from "./attempts.ts";
import { type JsonPath, type JsonTree, pathsIn, valueAt, withValue } from "./json-tree.ts";

/** Members that define the verdict or identity of the file and stay unchanged. */
const FIXED = new Set(["name", "shows", "tags", "bug", "events", "expect", "invariants_off"]);

/** Operation names stay, because messages and comments refer to them. */
const NAMES = "id";

/** Removes members, large ones first, while the failure signature stays. */
export function* removeFields(attempts: Attempts): Interruptible<void> {
  // Backwards, so that paths to earlier members stay valid; containers come before their members.
  const paths = [...pathsOf(attempts)].sort((a, b) => a.length - b.length || compare(b, a));
  for (const path of paths) yield* attempts.change((scenario) => changedAt(scenario, path, undefined));
}

/** Tries simpler values: no range, a round time, a small amount, no names. */
export function* simplifyFields(attempts: Attempts): Interruptible<void> {
  for (const path of pathsOf(attempts)) {
    const part = valueAt(treeOf(attempts.best.scenario), path);
    if (part === undefined) continue;
    for (const simpler of simplerThan(part, path)) {
      if (yield* attempts.change((scenario) => changedAt(scenario, path, simpler))) break;
    }
  }
}

function pathsOf({ best }: Attempts): readonly JsonPath[] {
  return pathsIn(treeOf(best.scenario)).filter((path) => !FIXED.has(String(path[0])) && path.at(-1) !== NAMES);
}

function changedAt(scenario: Scenario, path: JsonPath, part: JsonTree | undefined): Scenario | undefined {
  const tree = treeOf(scenario);
  if (valueAt(tree, path) === undefined || (part === undefined && saysHowMany(tree, path))) return undefined;
  return withValue(tree, path, part) as unknown as Scenario;
}

/** Removing the number of validators would restore the default, which is mostly larger. */
function saysHowMany(tree: JsonTree, path: JsonPath): boolean {
  const count = valueAt(tree, ["network", "validators"]);
  const isOver = path[0] === "network" && (path.length === 1 || path[1] === "validators");
  return isOver && count !== undefined && count !== VALIDATORS_DEFAULT;
}

function treeOf(scenario: Scenario): JsonTree {
  return scenario as unknown as JsonTree;
}

/**
 * Numbers whose smaller values mean something else: another operation, or a client with timeouts too short to be owed
 * anything.
 */
const AS_THEY_ARE = new Set(["nonce", "decimals", "validators", "give_up_after", "timeout_ms"]);

/** Amounts, simplest first. */
const AMOUNTS: readonly string[] = ["1", "10", "100"];

/**
 * Returns simpler values, simplest first, ordered so that no cycle is possible. The parser rejects values that do not
 * fit the schema at no cost.
 */
function simplerThan(part: JsonTree, path: JsonPath): readonly JsonTree[] {
  const key = path.at(-1);
  if (typeof part === "number") return simplerNumbers(part, key);
  if (typeof part !== "string") return [];
  const range = /^(\d+)\.\.(\d+)$/.exec(part);
  if (range !== null && key !== "value") return [10, Number(range[1])];
  if (!/^\d+(\.\d+)?(\.\.\d+(\.\d+)?)?$/.test(part)) return [];
  const known = AMOUNTS.indexOf(part);
  return known < 0 ? AMOUNTS : AMOUNTS.slice(0, known);
}

function simplerNumbers(part: number, key: JsonPath[number] | undefined): readonly JsonTree[] {
  if (AS_THEY_ARE.has(String(key))) return [];
  const round = [1_000, 100, 10].map((unit) => Math.trunc(part / unit) * unit);
  return [...new Set([0, 1, ...round, Math.trunc(part / 2)])].filter((one) => Math.abs(one) < Math.abs(part));
}

function compare(a: JsonPath, b: JsonPath): number {
  for (const [index, key] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (key === other) continue;
    if (typeof key === "number" && typeof other === "number") return key - other;
    return String(key) < String(other) ? -1 : 1;
  }
  return a.length - b.length;
}
