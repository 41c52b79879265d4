/** What a schema cannot see: names that nobody declared, amounts that do not fit, steps that can never happen. */
import { keyedHash } from "../core/crypto/keyed-hash.ts";
import { genesisState } from "../core/ledger/genesis-state.ts";
import { checkAmounts } from "./check-amounts.ts";
import { checkExpectations } from "./check-expectations.ts";
import { checkNetwork } from "./check-network.ts";
import { checkSteps } from "./check-steps.ts";
import { checkTriggers } from "./check-triggers.ts";
import { declaredBy } from "./declared.ts";
import { directoryOf } from "./directory.ts";
import { genesisOf } from "./genesis-of.ts";
import type { Issue } from "./problem.ts";
import type { Scenario } from "./scenario.ts";

/** Everything that is wrong with a scenario that fits the schema. */
export function checkScenario(scenario: Scenario): readonly Issue[] {
  const declared = declaredBy(scenario);
  const issues = [
    ...checkNetwork(scenario, declared),
    ...checkSteps(scenario, declared),
    ...checkTriggers(scenario, declared),
    ...checkAmounts(scenario, declared),
    ...checkExpectations(scenario, declared),
  ];
  return issues.length > 0 ? issues : checkStart(scenario);
}

/** A genesis that no sequence of operations could lead on from, judged by the ledger itself. */
function checkStart(scenario: Scenario): readonly Issue[] {
  try {
    genesisState(genesisOf(scenario, directoryOf(scenario, keyedHash)));
    return [];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ path: ["genesis"], message: error.message }];
  }
}
