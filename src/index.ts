/** `import { simulate, explore, scenario } from "quorumlab"`: whole networks in one's own process, for one's own tests. */
export type { ValidatorProgram } from "./bugs/bug.ts";
export type { Rules } from "./core/validator/rules.ts";
export { NotExplorable } from "./harness/explore/arena.ts";
export { scenarioText } from "./harness/fuzz/scenario-text.ts";
export type { Scenario, Step } from "./harness/scenario.ts";
export type { Expectation } from "./harness/scenario-expect.ts";
export type { NamedViolation, Verdict } from "./harness/verdict.ts";
export { type Exploration, type ExploredBreach, type ExploreOptions, explore } from "./library/explore.ts";
export type { FinalEffect, Holdings, SimulationResult, ValidatorEnd } from "./library/result.ts";
export { ScenarioError, scenario } from "./library/scenario.ts";
export { type SimulateOptions, simulate } from "./library/simulate.ts";
