/** From the text of a file to a checked scenario, or to everything that is wrong with it. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { err, ok, type Result } from "../core/base/result.ts";
import { checkScenario } from "./check/check.ts";
import { PROBLEMS_SHOWN } from "./limits.ts";
import type { Issue, Problem } from "./problem.ts";
import type { Scenario } from "./scenario.ts";
import { issuesOf } from "./schema/errors.ts";
import { scenarioShape } from "./schema/schema.ts";
import { readYaml } from "./yaml-document.ts";

/** Checks files; holds the compiled schema, so make one and use it for all. */
export interface ScenarioParser {
  parse(text: string): Result<Scenario, readonly Problem[]>;
  /** The same for data that no text stands for. */
  check(data: unknown): Result<Scenario, readonly Issue[]>;
  /** Whether what was made from scenarios is one, too: as a file would say it, without keys that have no value. */
  takes(scenario: Scenario): boolean;
}

/** A parser of scenario files. */
export function createParser(): ScenarioParser {
  // Optimising the code that reads one file takes longer than reading it.
  const code = { optimize: false };
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false, validateFormats: false, code });
  const validate: ValidateFunction = ajv.compile(JSON.parse(JSON.stringify(scenarioShape)) as object);
  const check: ScenarioParser["check"] = (data) => checkWith(validate, data);
  return {
    parse: (text) => parseWith(validate, text),
    check,
    takes: (scenario) => check(JSON.parse(JSON.stringify(scenario))).ok,
  };
}

function parseWith(validate: ValidateFunction, text: string): Result<Scenario, readonly Problem[]> {
  const read = readYaml(text);
  if ("problems" in read) return err(read.problems.slice(0, PROBLEMS_SHOWN));
  const { data, place } = read.document;
  const checked = checkWith(validate, data);
  return checked.ok ? checked : err(checked.error.map(place).sort(byPlace).slice(0, PROBLEMS_SHOWN));
}

function checkWith(validate: ValidateFunction, data: unknown): Result<Scenario, readonly Issue[]> {
  const issues = validate(data) ? checkScenario(data as Scenario) : issuesOf(validate.errors ?? []);
  return issues.length === 0 ? ok(data as Scenario) : err(issues);
}

function byPlace(a: Problem, b: Problem): number {
  return a.line - b.line || a.column - b.column;
}
