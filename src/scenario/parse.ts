/** Parser of scenario files. */
import type { ValidateFunction } from "ajv/dist/2020.js";
import { err, ok, type Result } from "../core/base/result.ts";
import { issuesOf } from "../schema/errors.ts";
import type { Problem, ScenarioIssue } from "../schema/problem.ts";
import { checkScenario } from "./check/check.ts";
import { SHARED_PREFIX } from "./limits.ts";
import { refuseCommands } from "./node-commands.ts";
import type { Scenario } from "./scenario.ts";
import { scenarioValidator } from "./schema/validator.ts";
import { readYaml } from "./yaml-document.ts";

/** Parses and checks scenarios. */
export interface ScenarioParser {
  parse(text: string): Result<Scenario, readonly Problem[]>;
  /** Checks plain data. */
  check(data: unknown): Result<Scenario, readonly ScenarioIssue[]>;
  /** True if a scenario built by code is valid. Keys with the value `undefined` count as absent. */
  takes(scenario: Scenario): boolean;
}

/**
 * Returns a parser of scenario files; the first call in a thread compiles the schema. A file that starts programs is refused
 * unless `takesCommands`.
 */
export function createParser(takesCommands = false): ScenarioParser {
  const validate = scenarioValidator();
  const check: ScenarioParser["check"] = (data) => {
    const checked = checkData(validate, data);
    const refused = takesCommands || !checked.ok ? [] : refuseCommands(checked.value);
    return refused.length === 0 ? checked : err(refused);
  };
  return {
    parse: (text) => parseText(check, text),
    check,
    takes: (scenario) => check(JSON.parse(JSON.stringify(scenario))).ok,
  };
}

function parseText(check: ScenarioParser["check"], text: string): Result<Scenario, readonly Problem[]> {
  const read = readYaml(text);
  if ("problems" in read) return err(read.problems);
  const { data, place } = read.document;
  const checked = check(data);
  return checked.ok ? checked : err(place(checked.error));
}

function checkData(validate: ValidateFunction, data: unknown): Result<Scenario, readonly ScenarioIssue[]> {
  const scenario = withoutShared(data);
  const issues = validate(scenario) ? checkScenario(scenario as Scenario) : issuesOf(validate.errors ?? []);
  return issues.length === 0 ? ok(scenario as Scenario) : err(issues);
}

/** The same without the shared parts at the top level, which only anchors name. */
function withoutShared(data: unknown): unknown {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return data;
  return Object.fromEntries(Object.entries(data).filter(([key]) => !key.startsWith(SHARED_PREFIX)));
}
