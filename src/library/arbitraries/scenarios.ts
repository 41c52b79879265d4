/** Arbitrary scenarios: a network, its schedule, liars, traffic, faults and changes of the committee, all together. */
import fc from "fast-check";
import type { Scenario } from "../../scenario/scenario.ts";
import { laterCommittees } from "./committees.ts";
import { laterFaults } from "./faults.ts";
import { laterLiars, liarsIn } from "./liars.ts";
import { needed } from "./needed.ts";
import { type NetworkConstraints, networks } from "./networks.ts";
import { committeeIn, type Part, together } from "./part.ts";
import { laterSchedules } from "./schedules.ts";
import { laterWorkloads, type WorkloadConstraints } from "./workloads.ts";

/** What scenarios may have in them; everything by default. */
export interface ScenarioConstraints extends NetworkConstraints, WorkloadConstraints {
  /** Whether messages may get lost, wait, or take different times. */
  readonly schedules?: boolean;
  /** Whether up to f validators may lie. */
  readonly byzantine?: boolean;
  /** Whether machines and links may fail. */
  readonly faults?: boolean;
  /** Whether the operator may change the committee. */
  readonly committees?: boolean;
}

const NOTHING: fc.Arbitrary<() => Part> = fc.constant(() => ({}));

/**
 * Whole scenarios, each of which the parser takes. Not more than f validators lie, so no invariant may break in any; each
 * expects just that. Shrinking takes away steps, faults and liars and makes numbers small, in any order.
 */
export function scenarios(constraints: ScenarioConstraints = {}): fc.Arbitrary<Scenario> {
  const { schedules = true, byzantine = true, faults = true, committees = true } = constraints;
  return fc
    .record({
      network: networks(constraints),
      traffic: laterWorkloads(constraints),
      schedule: schedules ? laterSchedules : NOTHING,
      faults: faults ? laterFaults : NOTHING,
      liars: byzantine ? laterLiars : NOTHING,
      committees: committees ? laterCommittees : NOTHING,
    })
    .map(({ network, traffic, schedule, faults: plan, liars: lying, committees: changes }) => {
      const names = committeeIn(network);
      const liars = lying(names);
      const parts = [network, schedule(names), liars, plan(names), traffic(names), changes(names, liarsIn(liars))];
      return needed(together("drawn by fast-check", ...parts));
    });
}
