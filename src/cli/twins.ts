/** `quorumlab twins`: runs all cases of twins of a size, up to renaming. */

import { join } from "node:path";
import type { NodeSettings } from "../external/nodes.ts";
import { countText } from "../invariants/text.ts";
import { type RunReport, runLine, runText, summaryLine } from "../report/run-report.ts";
import { DEFAULT_SEED } from "../scenario/limits.ts";
import { scenarioText } from "../search/fuzz/scenario-text.ts";
import { countTwinCases, INSTANCES_MAX, ROUNDS_MAX, TWINS_MAX, type TwinSizes } from "../search/twins/cases.ts";
import { runTwinCases, type TwinRun } from "../search/twins/run-twins.ts";
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
import { explainCommandLine, reproduceCommandLine, versions } from "./reproduce.ts";

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
  const { count, stopAfter, out } = options;
  const [output, start] = [outputOf(args, io), io.now()];
  const { json, paint, progress } = output;
  let [runs, failed, code]: [number, number, ExitCode] = [0, 0, EXIT.expected];
  for (const run of runTwinCases(options.sizes, 0, count, options)) {
    runs += 1;
    progress.at(run.number + 1, count, `${failed} failed`);
    if (isFailing(run)) {
      failed += 1;
      code = EXIT.failed;
      progress.clear();
      const report = saveCase(run, out, options.nodes);
      io.out(json ? `${runLine(report)}\n` : runText(report, paint));
    }
    if (await io.interrupted()) code = EXIT.interrupted;
    if (code === EXIT.interrupted || failed === stopAfter) break;
  }
  progress.done();
  const wallMs = io.now() - start;
  if (json) io.out(`${summaryLine({ runs, passed: runs - failed, failed, wallMs })}\n`);
  else io.out(summaryText(options, runs, failed, output));
  return code;
}

/** A case without a final operation is no failure. */
function isFailing({ result }: TwinRun): boolean {
  return result.verdict !== "pass" && result.reason !== "empty";
}

/** Writes the case as a scenario file that fails on its own. */
function saveCase({ number, scenario, result }: TwinRun, out: string, nodes: NodeSettings | undefined): RunReport {
  const file = join(out, `case-${number}.yaml`);
  const replay = reproduceCommandLine(file, result.seed, nodes);
  writeInFolder(file, scenarioText(scenario, [...result.reason.split("\n").slice(0, 4), `reproduce: ${replay}`]));
  const commands = { replay, explain: explainCommandLine(file, result.seed, nodes) };
  return { id: scenario.name, file, result, wallMs: 0, versions: versions(), ...commands };
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
  return {
    sizes,
    /** Number of cases of these sizes. */
    count: countOfCases(sizes),
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

function countOfCases(sizes: TwinSizes): number {
  try {
    return Number(countTwinCases(sizes));
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}
