/** `quorumlab shrink`: minimizes a failing scenario and writes it as a file and a test. */
import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { NodeSettings } from "../external/nodes.ts";
import { countText } from "../invariants/text.ts";
import type { Paint } from "../report/paint.ts";
import { scenarioText } from "../search/fuzz/scenario-text.ts";
import { type NearestSearch, nearestPassing } from "../search/shrink/nearest-passing.ts";
import { SHRINK_RUNS, type ShrinkResult, shrink, withoutExpectedViolation } from "../search/shrink/shrink.ts";
import { type Args, type Command, EXIT, type ExitCode, textOf } from "./command.ts";
import { scenarioRunIn } from "./files.ts";
import { InterruptibleWork, type Io } from "./io.ts";
import {
  ALLOW_COMMANDS_OPTION,
  NODE_OPTION,
  nodesOption,
  OUTPUT_OPTIONS,
  reportOption,
  reportRun,
  textArgument,
  textOption,
  wholeNumber,
} from "./options.ts";
import { jsonLine, outputOf } from "./output.ts";
import { explainCommandLine, nodesText, quoteForShell } from "./reproduce.ts";

const RUNS_MAX = 9_999_999;

export const shrinkCommand: Command = {
  examples: [
    ["$0 shrink reports/fuzz/agreement-account-7.yaml", "a failure saved by fuzz, with its seed"],
    ["$0 shrink mine.yaml --seed 3 --out small.yaml", "any failing scenario"],
  ],
  positionals: { file: textArgument("failing scenario file") },
  options: {
    seed: textOption("seed under which it fails; default: that of the file, else 1"),
    out: textOption("file to write; default: <file>.min.yaml"),
    runs: textOption("limit of runs", SHRINK_RUNS),
    node: NODE_OPTION,
    "allow-commands": ALLOW_COMMANDS_OPTION,
    report: reportOption("the small scenario"),
    ...OUTPUT_OPTIONS,
  },
  run: shrinkFile,
};

async function shrinkFile(args: Args, io: Io): Promise<ExitCode> {
  const path = textOf(args, "file") ?? "";
  const read = scenarioRunIn(path, textOf(args, "seed"), nodesOption(args), io);
  if (read === undefined) return EXIT.usage;
  const { parser, nodes, programs, seed } = read;
  const runs = wholeNumber(args, "runs", 1, RUNS_MAX) ?? SHRINK_RUNS;
  const { json, quiet, paint, progress } = outputOf(args, io);
  const scenario = withoutExpectedViolation(read.scenario);
  const onProgress = (steps: number, left: number): void => progress.at(runs - left, runs, `${steps} steps left`);
  const work = new InterruptibleWork(io);
  const shrunk = await work.finish(shrink({ scenario, seed, programs }, { parser, runs, onProgress }));
  const isOver = shrunk === undefined || work.isInterrupted;
  const search: NearestSearch = isOver
    ? { nearest: undefined, runs: 0 }
    : await work.finish(nearestPassing(shrunk, parser));
  progress.clear();
  const { isInterrupted } = work;
  if (shrunk === undefined) {
    if (isInterrupted) return EXIT.interrupted;
    io.err(`${path}: it does not fail under seed ${seed}, so there is nothing to shrink\n`);
    return EXIT.failed;
  }
  const out = textOf(args, "out") ?? pathWithSuffix(path, ".min.yaml");
  const report = { shrunk, search, path, seed, before: scenario.steps?.length ?? 0, out, nodes, isInterrupted };
  const files = shrunkFiles(report);
  for (const [name, text] of files) writeFileSync(name, text);
  const names = files.map(([name]) => name);
  if (json) io.out(shrinkLine(report));
  else if (!quiet) io.out(shrinkText(report, names, paint));
  await reportRun(args, { path: out, seed: shrunk.seed, nodes }, io);
  return isInterrupted ? EXIT.interrupted : EXIT.expected;
}

/** Result of minimizing a file. */
interface ShrinkReport {
  readonly shrunk: ShrinkResult;
  readonly search: NearestSearch;
  /** Input file, the seed under which it fails, and its number of steps. */
  readonly path: string;
  readonly seed: string;
  readonly before: number;
  /** Scenario that is written. */
  readonly out: string;
  readonly nodes: NodeSettings | undefined;
  readonly isInterrupted: boolean;
}

/** Returns the command that reproduces a file's failure. */
function rerunCommand(file: string, nodes: NodeSettings | undefined): string {
  return `quorumlab run ${quoteForShell(file)}${nodesText(nodes)}`;
}

/** Returns names and texts of the scenario file, a vitest file, and the nearest passing scenario if there is one. */
function shrunkFiles({ shrunk, search, path, seed, out, nodes }: ShrinkReport): readonly (readonly [string, string])[] {
  const { scenario, reason, signature } = shrunk;
  const passes = nearestPassingText(search);
  const head = [
    ...reason.split("\n").slice(0, 8),
    ...passes,
    `reproduce: ${rerunCommand(out, nodes)}`,
    `made by: quorumlab shrink ${quoteForShell(path)} --seed ${seed}${nodesText(nodes)}`,
  ];
  const name = `${signature.invariant}: ${countText(scenario.steps?.length ?? 0, "step")}, shrunk from ${basename(path)}`;
  const files: [string, string][] = [[out, scenarioText({ ...scenario, name }, head, shrunk.seed)]];
  // A test in this process starts no validators of others.
  if (nodes === undefined) files.push([pathWithSuffix(out, ".test.ts"), testText(basename(out), shrunk)]);
  const { nearest } = search;
  if (nearest !== undefined) {
    const file = passingFile(out);
    const first = `the nearest scenario to ${basename(out)} that passes`;
    const passing = { ...nearest.scenario, name: `nearest passing scenario of ${name}` };
    const lines = [first, ...passes, `reproduce: ${rerunCommand(file, nodes)}`];
    files.push([file, scenarioText(passing, lines, nearest.seed)]);
  }
  return files;
}

/** Returns the name of the passing scenario's file. */
function passingFile(out: string): string {
  return pathWithSuffix(out, ".passing.yaml");
}

/** Describes the nearest passing scenario in lines; empty if an interruption left no time to search one. */
function nearestPassingText({ nearest, runs }: NearestSearch): readonly string[] {
  if (runs === 0) return [];
  if (nearest === undefined) return [`no single change of ${runs - 1} makes it pass`];
  const { edit: change, difference } = nearest;
  return [
    `passes if ${difference.text}`,
    ...(difference.firstSignature === undefined ? [] : [`first difference: ${difference.firstSignature}`]),
    `edit: ${change}`,
  ];
}

function pathWithSuffix(out: string, suffix: string): string {
  return out.replace(/\.ya?ml$/i, "").concat(suffix);
}

/** Returns a vitest file that runs the scenario in its own process, and fails until the mistake is fixed. */
function testText(file: string, { signature, reason: kept }: ShrinkResult): string {
  return `/** ${comment(kept)} */
import { readFileSync } from "node:fs";
import { simulate } from "quorumlab";
import { expect, test } from "vitest";

test(${JSON.stringify(`${file} keeps ${signature.invariant}`)}, () => {
  const scenario = readFileSync(new URL(${JSON.stringify(`./${file}`)}, import.meta.url), "utf8");
  const { verdict, reason } = simulate(scenario);
  expect(verdict, reason).toBe("pass");
});
`;
}

/** Returns the first line of a text, escaped for a comment. */
function comment(text: string): string {
  return (text.split("\n")[0] ?? "").replaceAll("*/", "* /");
}

/** Returns the JSON line. */
function shrinkLine({ shrunk, search, path, before, out, nodes }: ShrinkReport): string {
  const { scenario, seed, signature, result, runs, isMinimal } = shrunk;
  const { verdict, reason } = result;
  const found = {
    seed,
    invariant: signature.invariant,
    verdict,
    reason,
    steps: scenario.steps?.length ?? 0,
    steps_before: before,
    runs,
    minimal: isMinimal,
  };
  const { nearest: sibling, runs: tried } = search;
  const nearest = sibling && { file: passingFile(out), change: sibling.edit, when: sibling.difference.text };
  const details = { passing: nearest ?? null, tried, replay: rerunCommand(out, nodes) };
  return jsonLine({ type: "shrunk", from: path, file: out, ...found, ...details });
}

/** Returns the summary for people. */
function shrinkText(
  { shrunk, search, before, out, nodes, isInterrupted }: ShrinkReport,
  names: readonly string[],
  paint: Paint,
): string {
  const { scenario, seed, signature, reason, runs, isMinimal } = shrunk;
  const end = isMinimal
    ? "1-minimal"
    : `${isInterrupted ? "interrupted" : "run limit reached"}, so a smaller scenario may exist`;
  const after = scenario.steps?.length ?? 0;
  const change = after > before ? "written out as" : "reduced to";
  const left = `${countText(before, "step")} ${change} ${after} in ${countText(runs, "run")}`;
  const lines = [
    `${paint("bad", signature.invariant)}: ${left}; ${end}`,
    reason.split("\n")[0] ?? "",
    ...nearestPassingText(search),
    `${paint("dim", "wrote:")} ${names.join(", ")}`,
    `${paint("dim", "reproduce:")} ${rerunCommand(out, nodes)}`,
    `${paint("dim", "explain:")} ${explainCommandLine(out, seed, nodes)}`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}
