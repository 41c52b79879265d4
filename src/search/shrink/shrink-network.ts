/** Simplification of the network: equal delays without loss, and fewer validators. */
import type { Interruptible } from "../../run/interruptible.ts";
import { validatorNames } from "../../scenario/declared.ts";
import { DEFAULT_SEED } from "../../scenario/limits.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Attempts } from "./attempts.ts";
import { type JsonTree, renamed } from "./json-tree.ts";

/** Delay of every message in milliseconds; `undefined`: the default. */
const DELAYS: readonly (number | undefined)[] = [10, undefined];

/** Makes all links equal at once; single members of them are tried with all other members of the file. */
export function* simplifySchedule(attempts: Attempts): Interruptible<void> {
  if (isPlain(attempts.best.scenario)) return;
  for (const delay of DELAYS) {
    for (const seed of new Set([attempts.best.seed, DEFAULT_SEED])) {
      const scenario = evenly(attempts.best.scenario, delay);
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

function evenly(scenario: Scenario, delay: number | undefined): Scenario {
  const { validators, spares, twins } = scenario.network ?? {};
  const network = {
    ...(validators === undefined ? {} : { validators }),
    ...(delay === undefined ? {} : { delay_ms: delay }),
    ...(spares === undefined ? {} : { spares }),
    ...(twins === undefined ? {} : { twins }),
  };
  const steps = (scenario.steps ?? []).filter((step) => !changesLinks(step));
  const { network: _before, ...rest } = scenario;
  return { ...rest, ...(Object.keys(network).length === 0 ? {} : { network }), steps };
}

function changesLinks({ delay, loss, duplicate, reorder }: NonNullable<Scenario["steps"]>[number]): boolean {
  return delay !== undefined || loss !== undefined || duplicate !== undefined || reorder !== undefined;
}

/** Removes validators and spares while the failure signature stays. */
export function* removeNodes(attempts: Attempts): Interruptible<void> {
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
  const renamedSteps = kept.flatMap((step) => renamed(step as JsonTree, rename) ?? []);
  const changed = renamed(rest as unknown as JsonTree, rename);
  return changed === undefined ? undefined : ({ ...(changed as object), steps: renamedSteps } as unknown as Scenario);
}

function nodeIn(name: string): string {
  return name.replace(/\/\d+$|'$/, "");
}
