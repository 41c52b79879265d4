/** Removal and simplification of scenario members other than steps, and of members within steps. */

import type { Sliced } from "../../run/sliced.ts";
import { VALIDATORS_DEFAULT } from "../../scenario/declared.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Attempts } from "./attempts.ts";
import { partAt, type Tree, type Way, waysIn, withPart } from "./tree.ts";

/** Members that define the verdict or identity of the file and stay unchanged. */
const FIXED = new Set(["name", "shows", "bug", "events", "expect", "invariants_off"]);

/** Operation names stay, because messages and comments refer to them. */
const NAMES = "id";

/** Removes members, large ones first, while the failure signature stays. */
export function* fewerParts(attempts: Attempts): Sliced<void> {
  // Backwards, so that paths to earlier members stay valid; containers come before their members.
  const ways = [...waysOf(attempts)].sort((a, b) => a.length - b.length || compare(b, a));
  for (const way of ways) yield* attempts.change((scenario) => changedAt(scenario, way, undefined));
}

/** Tries simpler values: no range, a round time, a small amount, no names. */
export function* simplerParts(attempts: Attempts): Sliced<void> {
  for (const way of waysOf(attempts)) {
    const part = partAt(treeOf(attempts.best.scenario), way);
    if (part === undefined) continue;
    for (const simpler of simplerThan(part, way)) {
      if (yield* attempts.change((scenario) => changedAt(scenario, way, simpler))) break;
    }
  }
}

function waysOf({ best }: Attempts): readonly Way[] {
  return waysIn(treeOf(best.scenario)).filter((way) => !FIXED.has(String(way[0])) && way.at(-1) !== NAMES);
}

function changedAt(scenario: Scenario, way: Way, part: Tree | undefined): Scenario | undefined {
  const tree = treeOf(scenario);
  if (partAt(tree, way) === undefined || (part === undefined && saysHowMany(tree, way))) return undefined;
  return withPart(tree, way, part) as unknown as Scenario;
}

/** Removing the number of validators would restore the default, which is mostly larger. */
function saysHowMany(tree: Tree, way: Way): boolean {
  const count = partAt(tree, ["network", "validators"]);
  const isOver = way[0] === "network" && (way.length === 1 || way[1] === "validators");
  return isOver && count !== undefined && count !== VALIDATORS_DEFAULT;
}

function treeOf(scenario: Scenario): Tree {
  return scenario as unknown as Tree;
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
function simplerThan(part: Tree, way: Way): readonly Tree[] {
  const key = way.at(-1);
  if (typeof part === "number") return simplerNumbers(part, key);
  if (typeof part !== "string") return [];
  const range = /^(\d+)\.\.(\d+)$/.exec(part);
  if (range !== null && key !== "value") return [10, Number(range[1])];
  if (!/^\d+(\.\d+)?(\.\.\d+(\.\d+)?)?$/.test(part)) return [];
  const known = AMOUNTS.indexOf(part);
  return known < 0 ? AMOUNTS : AMOUNTS.slice(0, known);
}

function simplerNumbers(part: number, key: Way[number] | undefined): readonly Tree[] {
  if (AS_THEY_ARE.has(String(key))) return [];
  const round = [1_000, 100, 10].map((unit) => Math.trunc(part / unit) * unit);
  return [...new Set([0, 1, ...round, Math.trunc(part / 2)])].filter((one) => Math.abs(one) < Math.abs(part));
}

function compare(a: Way, b: Way): number {
  for (const [index, key] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (key === other) continue;
    if (typeof key === "number" && typeof other === "number") return key - other;
    return String(key) < String(other) ? -1 : 1;
  }
  return a.length - b.length;
}
