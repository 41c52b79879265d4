/** `quorumlab twins`: runs all cases of twins of a size, up to renaming. */

import { join } from "node:path";
import { type NodeSettings, programsOf } from "../external/nodes.ts";
import { countText } from "../invariants/text.ts";
import { type RunReport, runLine, runText, summaryLine } from "../report/run-report.ts";
import { runScenario } from "../run/run.ts";
import type { RunResult } from "../run/verdict.ts";
import { DEFAULT_SEED } from "../scenario/limits.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { scenarioText } from "../search/fuzz/scenario-text.ts";
import { countTwinCases, INSTANCES_MAX, ROUNDS_MAX, TWINS_MAX, type TwinSizes } from "../search/twins/cases.ts";
import { twinScenarios } from "../search/twins/scenarios.ts";
import { type Args, type Command, EXIT, type ExitCode, textOf, UsageError } from "./command.ts";
import { writeInFolder } from "./files.ts";
import type { Io } from "./io.ts";
import {
  BUG_OPTION,
  flagOption,
  JSON_OPTION,
  NODE_OPTION,
  nodesOption,
  OUT_OPTION,
  PROGRESS_OPTION,
  SEED_OPTION,
  textOption,
  variantOption,
  wholeNumber,
} from "./options.ts";
import { type CommandOutput, outputOf } from "./output.ts";
import { reportOfRun } from "./reproduce.ts";

/** Maximum of `--stop-after`. */
const FAILURES_MAX = 999_999_999;
/** Default sizes. */
const USUAL: TwinSizes = { n: 4, twins: 1, rounds: 2 };
const OUT = "reports/twins";

export const twinsCommand: Command = {
  examples: [
    ["$0 twins", "four validators, one with a twin, two rounds: 740 cases"],
    ["$0 twins --rounds 3 --stop-after 1", "the 47,376 cases of three rounds, up to the first failure"],
    ["$0 twins --bug quorum-off-by-one --stop-after 1", "a known-bad variant"],
    ["$0 twins --node './my-validator'", "your validators, one of them with a twin"],
  ],
  options: {
    validators: textOption("validators, each with its own key", USUAL.n),
    twins: textOption("number of validators with a twin", USUAL.twins),
    rounds: textOption("rounds, each with one split of the network", USUAL.rounds),
    crashes: flagOption("crash each round's proposer after its first signature"),
    "stop-after": textOption("stop after this many failing cases"),
    bug: BUG_OPTION,
    node: NODE_OPTION,
    seed: SEED_OPTION,
    out: { ...OUT_OPTION, default: OUT },
    json: JSON_OPTION,
    progress: PROGRESS_OPTION,
  },
  run: runCases,
};

async function runCases(args: Args, io: Io): Promise<ExitCode> {
  const options = twinsOptions(args);
  const { sizes, count, stopAfter, seed, nodes, out } = options;
  const [output, start] = [outputOf(args, io), io.now()];
  const { json, paint, progress } = output;
  let [runs, failed, code]: [number, number, ExitCode] = [0, 0, EXIT.expected];
  const programs = programsOf(nodes);
  for (const scenario of twinScenarios(sizes, options)) {
    const result = runScenario(scenario, { seed, programs });
    const file = join(out, `case-${runs}.yaml`);
    runs += 1;
    progress.at(runs, count, `${failed} failed`);
    // A case without a final operation is no failure.
    if (result.verdict !== "pass" && result.reason !== "empty") {
      failed += 1;
      code = EXIT.failed;
      progress.clear();
      const report = saveCase(file, scenario, result, nodes);
      io.out(json ? `${runLine(report)}\n` : runText(report, paint));
    }
    if (await io.interrupted()) code = EXIT.interrupted;
    if (code === EXIT.interrupted || failed === stopAfter) break;
  }
  progress.clear();
  const wallMs = io.now() - start;
  if (json) io.out(`${summaryLine({ runs, passed: runs - failed, failed, wallMs })}\n`);
  else io.out(summaryText(options, runs, failed, output));
  return code;
}

/** Writes the case as a scenario file that fails on its own. */
function saveCase(file: string, scenario: Scenario, result: RunResult, nodes: NodeSettings | undefined): RunReport {
  const report = reportOfRun({ id: scenario.name, file, result, wallMs: 0 }, nodes);
  const head = [...result.reason.split("\n").slice(0, 4), `reproduce: ${report.replay}`];
  writeInFolder(file, scenarioText(scenario, head));
  return report;
}

function summaryText({ sizes, count }: TwinsOptions, runs: number, failed: number, { paint }: CommandOutput): string {
  const { n, twins, rounds } = sizes;
  const cases = `${n} validators, ${twins} twice, ${countText(rounds, "round")}: ${runs} of ${count} cases`;
  return `${cases}, ${paint(failed > 0 ? "bad" : "good", `${failed} failed`)}\n`;
}

/** @throws UsageError for invalid sizes or options. */
function twinsOptions(args: Args) {
  const nodes = nodesOption(args);
  const bug = variantOption(args);
  if (nodes !== undefined && bug !== undefined) throw new UsageError("--node: expected no --bug beside it");
  const sizes = {
    n: wholeNumber(args, "validators", 1, INSTANCES_MAX) ?? USUAL.n,
    twins: wholeNumber(args, "twins", 0, TWINS_MAX) ?? USUAL.twins,
    rounds: wholeNumber(args, "rounds", 1, ROUNDS_MAX) ?? USUAL.rounds,
  };
  let count: number;
  try {
    count = Number(countTwinCases(sizes));
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
  return {
    sizes,
    /** Number of cases of these sizes. */
    count,
    /** Limit of failing cases. */
    stopAfter: wholeNumber(args, "stop-after", 1, FAILURES_MAX),
    bug,
    nodes,
    /** True if each round's proposer crashes. */
    crashes: args["crashes"] === true,
    seed: textOf(args, "seed") ?? DEFAULT_SEED,
    out: textOf(args, "out") ?? OUT,
  };
}

type TwinsOptions = ReturnType<typeof twinsOptions>;
