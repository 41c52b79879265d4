/** `import { simulate, explore, scenario } from "quorumlab"`: whole networks in one's own process, for one's own tests. */
export type { ValidatorProgram } from "./bugs/known-bad-variant.ts";
export type { Rules } from "./core/validator/rules.ts";
export { NotExplorable } from "./explore/model/system.ts";
export { type Exploration, type ExploredCounterexample, type ExploreOptions, explore } from "./library/explore.ts";
export type { FinalEffect, FinalValidatorState, Holdings, SimulationResult } from "./library/result.ts";
export { ScenarioError, scenario } from "./library/scenario.ts";
export { type NetworkRule, type SimulateOptions, simulate } from "./library/simulate.ts";
export type { RunEvent, RunEventKind, RunEventOf } from "./run/events/run-event.ts";
export type { NamedViolation, Verdict } from "./run/verdict.ts";
export type { Scenario } from "./scenario/scenario.ts";
export type { Expectation } from "./scenario/schema/expect.ts";
export type { Step } from "./scenario/schema/step.ts";
export { scenarioText } from "./search/fuzz/scenario-text.ts";
