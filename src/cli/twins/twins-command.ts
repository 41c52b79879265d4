/** `quorumlab twins`: runs all cases of twins of a size, up to renaming. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { countText } from "../../invariants/text.ts";
import { type RunReport, runLine, summaryLine } from "../../report/run-lines.ts";
import { runText } from "../../report/run-text.ts";
import { scenarioText } from "../../search/fuzz/scenario-text.ts";
import { runTwinCases, type TwinRun } from "../../search/twins/run-twins.ts";
import type { Args, Command } from "../command.ts";
import { explainCommand, reproduceCommand } from "../commands.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { withOptions } from "../options.ts";
import { type Output, outputOf } from "../output.ts";
import { versions } from "../version.ts";
import { TWINS_OPTIONS, type TwinsOptions, twinsOptions } from "./twins-options.ts";

export const twinsCommand: Command = {
  usage: "twins",
  description: "run every partition schedule of a network with twins that share one key, up to renaming",
  examples: [
    ["$0 twins", "four validators, one with a twin, two rounds: 740 cases"],
    ["$0 twins --rounds 3 --shard 1/8", "one of eight shards of the 47,376 cases of three rounds"],
    ["$0 twins --bug quorum-off-by-one --stop-after 1", "a known-bad variant"],
  ],
  build: (yargs, env) => withOptions(yargs, env, TWINS_OPTIONS),
  run: runCases,
};

async function runCases(args: Args, io: Io): Promise<ExitCode> {
  const options = twinsOptions(args);
  const { count, stopAfter, out } = options;
  const [output, start] = [outputOf(args, io), io.now()];
  const { json, paint, progress } = output;
  let [runs, failed, code]: [number, number, ExitCode] = [0, 0, EXIT.expected];
  for (const run of casesOf(options)) {
    runs += 1;
    progress.at(run.number + 1, count, `${failed} failed`);
    if (isFailing(run)) {
      failed += 1;
      code = EXIT.failed;
      progress.clear();
      const report = saved(run, out);
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

function casesOf({ sizes, count, shard, seed, crashes, bug }: TwinsOptions): Iterable<TwinRun> {
  const options = { seed, every: shard.count, crashes, ...(bug === undefined ? {} : { bug }) };
  return runTwinCases(sizes, shard.index - 1, count, options);
}

/** A case without a final operation is no failure. */
function isFailing({ result }: TwinRun): boolean {
  return result.verdict !== "pass" && result.reason !== "empty";
}

/** Writes the case as a scenario file that fails on its own. */
function saved({ number, scenario, result }: TwinRun, out: string): RunReport {
  const file = join(out, `case-${number}.yaml`);
  const replay = reproduceCommand(file, result.seed);
  mkdirSync(out, { recursive: true });
  writeFileSync(file, scenarioText(scenario, [...result.reason.split("\n").slice(0, 4), `reproduce: ${replay}`]));
  return {
    id: scenario.name,
    file,
    result,
    wallMs: 0,
    versions: versions(),
    replay,
    explain: explainCommand(file, result.seed),
  };
}

function summaryText({ sizes, count }: TwinsOptions, runs: number, failed: number, { paint }: Output): string {
  const { n, twins, rounds } = sizes;
  const what = `${n} validators, ${twins} twice, ${countText(rounds, "round")}: ${runs} of ${count} cases`;
  return `${what}, ${paint(failed > 0 ? "bad" : "good", `${failed} failed`)}\n`;
}
