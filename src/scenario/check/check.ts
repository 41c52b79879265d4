/** Checks beyond the schema: undeclared names, invalid amounts, steps that can never happen. */
import { keyedHash } from "../../core/crypto/keyed-hash.ts";
import { parametersFault } from "../../core/ledger/epoch.ts";
import { genesisState } from "../../core/ledger/genesis-state.ts";
import { createWorld } from "../../simulator/world.ts";
import { compile } from "../compile/compile.ts";
import { declaredBy } from "../declared.ts";
import { directoryOf } from "../directory.ts";
import { DEFAULT_SEED } from "../limits.ts";
import { genesisOf, parametersOf } from "../parameters.ts";
import type { Issue, Path } from "../problem.ts";
import { proposedParameters } from "../proposals.ts";
import type { Scenario } from "../scenario.ts";
import { checkSchedule } from "../schema/schedule.ts";
import { checkTriggers } from "../triggers.ts";
import { checkAmounts } from "./amounts.ts";
import { checkExpectations } from "./expectations.ts";
import { checkNetwork } from "./network.ts";
import { checkSteps } from "./steps.ts";

/** The issues of a scenario that matches the schema. */
export function checkScenario(scenario: Scenario): readonly Issue[] {
  const declared = declaredBy(scenario);
  const issues = [
    ...checkNetwork(scenario, declared),
    ...checkSchedule(scenario.schedule),
    ...checkSteps(scenario, declared),
    ...checkTriggers(scenario, declared),
    ...checkAmounts(scenario, declared),
    ...checkExpectations(scenario, declared),
  ];
  return issues.length > 0 ? issues : checkStart(scenario);
}

/** Issues that only the ledger and the simulated world detect, by their own checks. */
function checkStart(scenario: Scenario): readonly Issue[] {
  const genesis = refusalOf(["genesis"], () => genesisState(genesisOf(scenario, directoryOf(scenario, keyedHash))));
  if (genesis.length > 0) return genesis;
  const proposed = checkProposed(scenario);
  if (proposed.length > 0) return proposed;
  return refusalOf([], () => createWorld(compile(scenario, { seed: DEFAULT_SEED, scheme: keyedHash }).plan));
}

/** Issues of proposals with invalid parameters: validators would ignore them, so they are mistakes of the file. */
function checkProposed(scenario: Scenario): readonly Issue[] {
  const directory = directoryOf(scenario, keyedHash);
  return proposedParameters(scenario).flatMap((part, index) => {
    const message = part === undefined ? undefined : parametersFault(parametersOf(part, directory));
    return message === undefined ? [] : [{ path: ["steps", index, "govern"], message }];
  });
}

function refusalOf(path: Path, begin: () => void): readonly Issue[] {
  try {
    begin();
    return [];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ path, message: error.message }];
  }
}
