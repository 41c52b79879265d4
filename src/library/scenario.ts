/** Scenarios of programs: from text or plain data to what is known to make sense. */
import { createParser, type ScenarioParser } from "../scenario/parse.ts";
import { type Issue, type Path, problemText } from "../scenario/problem.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** What is wrong with a scenario. The message holds all of it, a paragraph each. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/**
 * A scenario from the text of a file, YAML or JSON, or from data of the same shape. Names that nobody declares, amounts
 * that do not fit and steps that can never happen are faults as unknown keys are.
 * @throws ScenarioError
 */
export function scenario(input: string | object): Scenario {
  if (typeof input === "string") {
    const parsed = parser().parse(input);
    if (parsed.ok) return parsed.value;
    throw new ScenarioError(parsed.error.map((problem) => problemText("scenario", problem)));
  }
  const checked = parser().check(input);
  if (checked.ok) return checked.value;
  throw new ScenarioError(checked.error.map(issueText));
}

/** The compiled schema: made once, for whoever needs it first; it never changes. */
let compiled: ScenarioParser | undefined;

function parser(): ScenarioParser {
  compiled ??= createParser();
  return compiled;
}

function issueText({ path, message }: Issue): string {
  return path.length === 0 ? `scenario: ${message}` : `scenario${wayText(path)}: ${message}`;
}

/** As a program would write it: `.steps[3].submit`. */
function wayText(path: Path): string {
  return path
    .map((key) => {
      if (typeof key === "number") return `[${key}]`;
      return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    })
    .join("");
}
