/** Removal and simplification of scenario members other than steps, of members within steps, and of the network. */

import { definedMembers } from "../../core/base/defined-members.ts";
import type { Interruptible } from "../../run/interruptible.ts";
import { VALIDATORS_DEFAULT, validatorNames } from "../../scenario/declarations.ts";
import { DEFAULT_SEED } from "../../scenario/limits.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Candidates } from "./attempts.ts";
import { type JsonPath, type JsonTree, pathsIn, renameStrings, valueAt, withValue } from "./json-tree.ts";

/** Members that define the verdict or identity of the file and stay unchanged. */
const FIXED = new Set(["name", "shows", "tags", "bug", "events", "expect", "invariants_off", "allow_idle"]);

/** Operation names stay, because messages and comments refer to them. */
const NAMES = "id";

/** Removes members, large ones first, while the failure signature stays. */
export function* removeFields(attempts: Candidates): Interruptible<void> {
  // Backwards, so that paths to earlier members stay valid; containers come before their members.
  const paths = [...pathsOf(attempts)].sort((a, b) => a.length - b.length || comparePaths(b, a));
  for (const path of paths) yield* attempts.change((scenario) => changeAt(scenario, path, undefined));
}

/** Tries simpler values: no range, a round time, a small amount, no names. */
export function* simplifyFields(attempts: Candidates): Interruptible<void> {
  for (const path of pathsOf(attempts)) {
    const part = valueAt(treeOf(attempts.best.scenario), path);
    if (part === undefined) continue;
    for (const simpler of simplerValues(part, path)) {
      if (yield* attempts.change((scenario) => changeAt(scenario, path, simpler))) break;
    }
  }
}

function pathsOf({ best }: Candidates): readonly JsonPath[] {
  return pathsIn(treeOf(best.scenario)).filter((path) => !FIXED.has(String(path[0])) && path.at(-1) !== NAMES);
}

function changeAt(scenario: Scenario, path: JsonPath, part: JsonTree | undefined): Scenario | undefined {
  const tree = treeOf(scenario);
  if (valueAt(tree, path) === undefined || (part === undefined && setsValidatorCount(tree, path))) return undefined;
  return withValue(tree, path, part) as unknown as Scenario;
}

/** Removing the number of validators would restore the default, which is mostly larger. */
function setsValidatorCount(tree: JsonTree, path: JsonPath): boolean {
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
function simplerValues(part: JsonTree, path: JsonPath): readonly JsonTree[] {
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

function comparePaths(a: JsonPath, b: JsonPath): number {
  for (const [index, key] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (key === other) continue;
    if (typeof key === "number" && typeof other === "number") return key - other;
    return String(key) < String(other) ? -1 : 1;
  }
  return a.length - b.length;
}

/** Delay of every message in milliseconds; `undefined`: the default. */
const DELAYS: readonly (number | undefined)[] = [10, undefined];

/** Makes all links equal at once; single members of them are tried with all other members of the file. */
export function* simplifySchedule(attempts: Candidates): Interruptible<void> {
  if (isPlain(attempts.best.scenario)) return;
  for (const delay of DELAYS) {
    for (const seed of new Set([attempts.best.seed, DEFAULT_SEED])) {
      const scenario = withConstantDelay(attempts.best.scenario, delay);
      if (yield* attempts.accept({ scenario, seed })) return;
    }
  }
}

function isPlain({ network = {}, steps = [] }: Scenario): boolean {
  const { delay_ms, client_delay_ms, loss, duplicate, reorder, write_ms } = network;
  const isEven = [delay_ms, client_delay_ms, write_ms].every((delay) => typeof delay !== "string");
  const isSure = loss === undefined && duplicate === undefined && reorder === undefined;
  return isEven && isSure && !steps.some(changesLinks);
}

function withConstantDelay(scenario: Scenario, delay: number | undefined): Scenario {
  const { validators, spares, twins } = scenario.network ?? {};
  const network = definedMembers({ validators, delay_ms: delay, spares, twins });
  const steps = (scenario.steps ?? []).filter((step) => !changesLinks(step));
  const { network: _before, ...rest } = scenario;
  return { ...rest, ...(Object.keys(network).length === 0 ? {} : { network }), steps };
}

function changesLinks({ delay, loss, duplicate, reorder }: NonNullable<Scenario["steps"]>[number]): boolean {
  return delay !== undefined || loss !== undefined || duplicate !== undefined || reorder !== undefined;
}

/** Removes validators and spares while the failure signature stays. */
export function* removeNodes(attempts: Candidates): Interruptible<void> {
  for (const spare of attempts.best.scenario.network?.spares ?? [])
    yield* attempts.change((scenario) => withNames(scenario, (name) => (nodeIn(name) === spare ? undefined : name)));
  for (let place = validatorNames(attempts.best.scenario).length; place >= 1; place--) {
    yield* attempts.change((scenario) => withoutValidator(scenario, place));
  }
}

function withoutValidator(scenario: Scenario, place: number): Scenario | undefined {
  const count = validatorNames(scenario).length;
  if (count <= 1 || place > count) return undefined;
  const rest = withNames(scenario, (name) => {
    const [, number, more = ""] = /^v(\d+)((?:'|\/\d)?)$/.exec(name) ?? [];
    if (number === undefined || Number(number) > count || Number(number) < place) return name;
    return Number(number) === place ? undefined : `v${Number(number) - 1}${more}`;
  });
  return rest && { ...rest, network: { ...rest.network, validators: count - 1 } };
}

/** Returns the scenario with renamed nodes, without steps that name removed ones. */
function withNames(scenario: Scenario, rename: (name: string) => string | undefined): Scenario | undefined {
  const { steps = [], ...rest } = scenario;
  const kept = steps.filter(({ crash, restart, wipe, clock, disk, byzantine, behave, partition }) => {
    const nodes = [crash?.node, restart, wipe, clock?.node, disk?.node, byzantine?.node, behave?.node];
    const isThere = (name: string | undefined): boolean => name === undefined || rename(name) !== undefined;
    return nodes.every(isThere) && (partition ?? []).every((group) => group.some(isThere));
  });
  const renamedSteps = kept.flatMap((step) => renameStrings(step as JsonTree, rename) ?? []);
  const changed = renameStrings(rest as unknown as JsonTree, rename);
  return changed === undefined ? undefined : ({ ...(changed as object), steps: renamedSteps } as unknown as Scenario);
}

function nodeIn(name: string): string {
  return name.replace(/\/\d+$|'$/, "");
}
