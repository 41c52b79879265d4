/** `import { scenarios } from "quorumlab/fast-check"`: arbitraries of plain scenarios, for one's own properties. */
export { GENESIS } from "./library/arbitraries/cast.ts";
export { committeeChanges } from "./library/arbitraries/committees.ts";
export { faultPlans } from "./library/arbitraries/faults.ts";
export { byzantineStrategies } from "./library/arbitraries/liars.ts";
export { type NetworkConstraints, networks } from "./library/arbitraries/networks.ts";
export { type Part, together, type Validating } from "./library/arbitraries/part.ts";
export { type ScenarioConstraints, scenarios } from "./library/arbitraries/scenarios.ts";
export { schedules } from "./library/arbitraries/schedules.ts";
export { type WorkloadConstraints, workloads } from "./library/arbitraries/workloads.ts";
