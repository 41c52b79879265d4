/** Simplification of the schedule to equal delays without loss. */

import type { Interruptible } from "../../run/interruptible.ts";
import { DEFAULT_SEED } from "../../scenario/limits.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Attempts } from "./attempts.ts";

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
