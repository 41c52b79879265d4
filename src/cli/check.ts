/**
 * `quorumlab check` and `quorumlab schema`: validation of scenario files without running them, and their JSON Schema.
 */

import { interfaceSchema } from "../external/native-shapes.ts";
import { payersWithoutFunds } from "../scenario/declarations.ts";
import { findScenarios } from "../scenario/files.ts";
import { createParser } from "../scenario/parse.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { publishedSchema } from "../scenario/schema/schema.ts";
import { type Problem, problemText } from "../schema/problem.ts";
import { type Command, EXIT, type ExitCode, texts } from "./command.ts";
import { readAs } from "./files.ts";
import type { Io } from "./io.ts";
import { flagOption, JSON_OPTION, QUIET_OPTION, textArgument } from "./options.ts";
import { jsonLine } from "./output.ts";

export const checkCommand: Command = {
  examples: [["$0 check scenarios", "every file below the folder"]],
  positionals: { files: textArgument("scenario files or folders") },
  options: { json: JSON_OPTION, quiet: QUIET_OPTION },
  run: async (args, io) =>
    checkAll(texts(args, "files"), { json: args["json"] === true, quiet: args["quiet"] === true }, io),
};

/** Returns what is valid, and hardly meant. */
function warningsOf(scenario: Scenario): readonly string[] {
  const silent =
    scenario.expect === undefined
      ? ["no expectations: a run of it shows nothing; add them, such as expect: [{ final: x }]"]
      : [];
  const poor = payersWithoutFunds(scenario).map(
    (name) => `${name} pays and never receives anything: is it another name?`,
  );
  return [...silent, ...poor];
}

type CheckOutput = Readonly<{ json: boolean; quiet: boolean }>;

function checkAll(paths: readonly string[], output: CheckOutput, io: Io): ExitCode {
  const { files, problems } = findScenarios(paths);
  // It starts nothing.
  const parser = createParser(true);
  let bad = problems.length;
  for (const { path, message } of problems)
    reportProblems(io, output, path, [{ line: 1, column: 1, message, source: undefined }]);
  for (const { path } of files) {
    const parsed = readAs(path, (text) => parser.parse(text));
    if (!parsed.ok) bad++;
    reportProblems(io, output, path, parsed.ok ? [] : parsed.error);
    for (const warning of parsed.ok ? warningsOf(parsed.value) : []) io.err(`${path}: warning: ${warning}\n`);
  }
  if (output.json)
    io.out(
      jsonLine({
        type: "summary",
        files: files.length + problems.length,
        valid: files.length + problems.length - bad,
        invalid: bad,
      }),
    );
  return bad === 0 ? EXIT.expected : EXIT.usage;
}

function reportProblems(io: Io, output: CheckOutput, file: string, problems: readonly Problem[]): void {
  if (output.json) {
    const list = problems.map(({ line, column, message }) => ({ line, column, message }));
    io.out(jsonLine({ type: "check", file, valid: problems.length === 0, problems: list }));
  } else if (problems.length > 0) {
    for (const problem of problems) io.err(`${problemText(file, problem)}\n`);
  } else if (!output.quiet) {
    io.out(`ok  ${file}\n`);
  }
}

export const schemaCommand: Command = {
  examples: [
    ["$0 schema > scenario.schema.json", "for editors: # yaml-language-server: $schema=scenario.schema.json"],
    ["$0 schema --node > node.schema.json", "inputs and outputs of a validator of yours"],
  ],
  options: { node: flagOption("print the schema of the node interface (docs/node-interface.md)") },
  run: async (args, io) => {
    const schema = args["node"] === true ? interfaceSchema() : publishedSchema();
    io.out(`${JSON.stringify(schema, null, 2)}\n`);
    return EXIT.expected;
  },
};
