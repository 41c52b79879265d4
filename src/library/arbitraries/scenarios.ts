/** Arbitrary scenarios: network, schedule, Byzantine validators, traffic, faults and committee changes. */
import fc from "fast-check";
import type { Scenario } from "../../scenario/scenario.ts";
import { byzantineIn, laterByzantine } from "./byzantine.ts";
import { laterCommittees } from "./committees.ts";
import { laterFaults } from "./faults.ts";
import { combine, committeeIn, type ScenarioFragment } from "./fragment.ts";
import { type NetworkConstraints, networks } from "./networks.ts";
import { laterSchedules } from "./schedules.ts";
import { withoutUnused } from "./without-unused.ts";
import { laterWorkloads, type WorkloadConstraints } from "./workloads.ts";

/** Constraints on scenarios; everything is allowed by default. */
export interface ScenarioConstraints extends NetworkConstraints, WorkloadConstraints {
  /** Allows loss, holding and varying delays of messages. */
  readonly schedules?: boolean;
  /** Allows up to f Byzantine validators. */
  readonly byzantine?: boolean;
  /** Allows faults of nodes and links. */
  readonly faults?: boolean;
  /** Allows committee changes by the operator. */
  readonly committees?: boolean;
}

const NOTHING: fc.Arbitrary<() => ScenarioFragment> = fc.constant(() => ({}));

/**
 * Valid scenarios, each with at most f Byzantine validators and the expectation of no violation. Shrinking removes steps,
 * faults and Byzantine validators and reduces numbers, in any order.
 */
export function scenarios(constraints: ScenarioConstraints = {}): fc.Arbitrary<Scenario> {
  const { schedules = true, byzantine = true, faults = true, committees = true } = constraints;
  return fc
    .record({
      network: networks(constraints),
      traffic: laterWorkloads(constraints),
      schedule: schedules ? laterSchedules : NOTHING,
      faults: faults ? laterFaults : NOTHING,
      liars: byzantine ? laterByzantine : NOTHING,
      committees: committees ? laterCommittees : NOTHING,
    })
    .map(({ network, traffic, schedule, faults: plan, liars: lying, committees: changes }) => {
      const names = committeeIn(network);
      const byzantineNodes = lying(names);
      const parts = [
        network,
        schedule(names),
        byzantineNodes,
        plan(names),
        traffic(names),
        changes(names, byzantineIn(byzantineNodes)),
      ];
      return withoutUnused(combine("drawn by fast-check", ...parts));
    });
}
