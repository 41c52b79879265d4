/** Scenarios from text or plain data, checked. */
import { createParser } from "../scenario/parse.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { type Path, problemText, type ScenarioIssue } from "../schema/problem.ts";

/** An invalid scenario. The message contains all problems, one per line. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/**
 * A checked scenario from the text of a file, YAML or JSON, or from data of the same shape. One that names commands for its
 * validators is refused unless `allowCommands`.
 * @throws ScenarioError for unknown keys, undeclared names, invalid amounts and steps that can never happen
 */
export function scenario(input: string | object, { allowCommands = false } = {}): Scenario {
  const parser = createParser(allowCommands);
  if (typeof input === "string") {
    const parsed = parser.parse(input);
    if (parsed.ok) return parsed.value;
    throw new ScenarioError(parsed.error.map((problem) => problemText("scenario", problem)));
  }
  const checked = parser.check(input);
  if (checked.ok) return checked.value;
  throw new ScenarioError(checked.error.map(issueText));
}

function issueText({ path, message }: ScenarioIssue): string {
  return path.length === 0 ? `scenario: ${message}` : `scenario${pathText(path)}: ${message}`;
}

/** The path as a property access: `.steps[3].submit`. */
function pathText(path: Path): string {
  return path
    .map((key) => {
      if (typeof key === "number") return `[${key}]`;
      return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    })
    .join("");
}
