/** `import { scenarios } from "quorumlab/fast-check"`: arbitraries of plain scenarios, for one's own properties. */
export { GENESIS } from "./arbitraries/cast.ts";
export { committeeChanges } from "./arbitraries/committees.ts";
export { faultPlans } from "./arbitraries/faults.ts";
export { byzantineStrategies } from "./arbitraries/liars.ts";
export { type NetworkConstraints, networks } from "./arbitraries/networks.ts";
export { type Part, together, type Validating } from "./arbitraries/part.ts";
export { type ScenarioConstraints, scenarios } from "./arbitraries/scenarios.ts";
export { schedules } from "./arbitraries/schedules.ts";
export { type WorkloadConstraints, workloads } from "./arbitraries/workloads.ts";
