/** Fewer parts and simpler ones: whatever the file says besides its steps, and within them. */

import type { Sliced } from "../../run/sliced.ts";
import { VALIDATORS_DEFAULT } from "../../scenario/declared.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Attempts } from "./attempts.ts";
import { partAt, type Tree, type Way, waysIn, withPart } from "./tree.ts";

/** What says how the file is judged, and what it is: nothing of that is taken away or changed. */
const FIXED = new Set(["name", "shows", "bug", "events", "expect", "invariants_off"]);

/** What operations are called stays: sentences about them are for people. */
const NAMES = "id";

/** Takes away part after part, large ones first, for as long as the rest fails alike. */
export function* fewerParts(attempts: Attempts): Sliced<void> {
  // From the end of the file, so that the ways to what comes before stay as they are; what holds others comes first.
  const ways = [...waysOf(attempts)].sort((a, b) => a.length - b.length || compare(b, a));
  for (const way of ways) yield* attempts.change((scenario) => changedAt(scenario, way, undefined));
}

/** Puts simpler values in place: no range, a round time, a small amount, nobody named. */
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

/** Without the number of validators there would be as many as by default: mostly more. */
function saysHowMany(tree: Tree, way: Way): boolean {
  const count = partAt(tree, ["network", "validators"]);
  const isOver = way[0] === "network" && (way.length === 1 || way[1] === "validators");
  return isOver && count !== undefined && count !== VALIDATORS_DEFAULT;
}

function treeOf(scenario: Scenario): Tree {
  return scenario as unknown as Tree;
}

/** Numbers that mean something else when they are smaller: another operation, or a client too impatient to be owed anything. */
const AS_THEY_ARE = new Set(["nonce", "decimals", "validators", "give_up_after", "timeout_ms"]);

/** Amounts, the simplest first. */
const AMOUNTS: readonly string[] = ["1", "10", "100"];

/**
 * Simpler ones first, none of which anything simpler leads back from. What does not fit the schema there is refused by
 * the parser and costs nothing.
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
