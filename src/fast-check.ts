/** `import { scenarios } from "quorumlab/fast-check"`: arbitraries of plain scenarios, for one's own properties. */
export {
  byzantineStrategies,
  combine,
  committeeChanges,
  faultPlans,
  type HasCommittee,
  type NetworkConstraints,
  networks,
  type ScenarioConstraints,
  type ScenarioFragment,
  scenarios,
  schedules,
  type WorkloadConstraints,
  workloads,
} from "./library/arbitraries.ts";
