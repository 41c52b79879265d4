/** Guarantee of a schedule: the lowest probability of an order of its depth, over seeds. */
import { unreachable } from "../../core/base/assert.ts";
import type { SchedulePlan } from "../plan.ts";

/** At least one seed in `oneIn` meets a given order. */
export interface ScheduleGuarantee {
  /** n: threads of the world. */
  readonly threads: number;
  /** k: positions among which each change point, or departure, is drawn. */
  readonly places: number;
  readonly oneIn: bigint;
}

/**
 * `pct`: 1 / (n k^(d-1)) for an order of depth d. `delay-bounded`: 1 / k^D for a given set of D departures. Both hold
 * for orders among the first `steps` events of each thread that the window allows, with all other draws (delays,
 * losses) fixed. `random` has no guarantee: `undefined`.
 */
export function guaranteeOf(plan: SchedulePlan, threads: number): ScheduleGuarantee | undefined {
  switch (plan.method) {
    case "random":
      return undefined;
    case "pct": {
      const places = threads * plan.steps;
      return { threads, places, oneIn: BigInt(threads) * BigInt(places) ** BigInt(plan.depth - 1) };
    }
    case "delay-bounded": {
      const places = threads * plan.steps;
      return { threads, places, oneIn: BigInt(places) ** BigInt(plan.deviations) };
    }
    default:
      return unreachable(plan);
  }
}

/** Returns the guarantee as text; for `random` its name only. */
export function guaranteeText(plan: SchedulePlan, threads: number): string {
  const guarantee = guaranteeOf(plan, threads);
  if (guarantee === undefined || plan.method === "random") return plan.method;
  const which =
    plan.method === "pct"
      ? `an order of depth ${plan.depth}`
      : `an order with ${plan.deviations} ${plan.deviations === 1 ? "departure" : "departures"} from round robin`;
  return `${plan.method}: ${which} occurs in at least 1 of ${guarantee.oneIn} seeds (${threads} threads, ${guarantee.places} positions)`;
}
