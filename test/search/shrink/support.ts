/** Scenarios that fail by a known-bad variant, for tests of what is made smaller. */
import type { Scenario } from "../../../src/scenario/scenario.ts";
import { scenarioIn } from "../../run/support.ts";

/** Returns the scenario of a file in `failing`. */
export function failing(name: string): Scenario {
  return scenarioIn(`test/search/shrink/failing/${name}.yaml`);
}
