/** Option `--from`: written scenarios whose neighbours are drawn. */
import type { Options } from "yargs";
import { findScenarios } from "../scenario/files.ts";
import { withoutCommands } from "../scenario/node-commands.ts";
import { createParser } from "../scenario/parse.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { problemText } from "../schema/problem.ts";
import { type Args, texts, UsageError } from "./command.ts";
import { readAs } from "./files.ts";
import { textOption } from "./options.ts";

/** Option `--from` of commands that draw worlds. */
export const FROM_OPTION: Options = {
  ...textOption(
    "scenario files or folders: each world is a neighbour of one of them, with other times, links or faults",
  ),
  array: true,
};

/** Returns the scenarios of `--from`; `undefined` without it. @throws UsageError for a path without one, and an invalid file. */
export function fromOption(args: Args): readonly Scenario[] | undefined {
  const paths = texts(args, "from");
  if (paths.length === 0) return undefined;
  const parser = createParser(args["node"] !== undefined);
  const { files, problems } = findScenarios(paths);
  const [missing] = problems;
  if (missing !== undefined) throw new UsageError(`--from ${missing.path}: ${missing.message}`);
  return files.map(({ path }) => {
    const read = readAs(path, (text) => parser.parse(text));
    if (!read.ok) throw new UsageError(read.error.map((problem) => problemText(path, problem)).join("\n"));
    return withoutCommands(read.value);
  });
}
