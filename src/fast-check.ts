/** `import { scenarios } from "quorumlab/fast-check"`: arbitraries of plain scenarios, for one's own properties. */
export { byzantineStrategies } from "./library/arbitraries/byzantine.ts";
export { faultPlans } from "./library/arbitraries/faults.ts";
export { combine, DEFAULT_GENESIS, type HasCommittee, type ScenarioFragment } from "./library/arbitraries/fragment.ts";
export { committeeChanges, type NetworkConstraints, networks } from "./library/arbitraries/networks.ts";
export { type ScenarioConstraints, scenarios } from "./library/arbitraries/scenarios.ts";
export { schedules } from "./library/arbitraries/schedules.ts";
export { type WorkloadConstraints, workloads } from "./library/arbitraries/workloads.ts";
