/** `quorumlab fuzz`: runs generated scenarios of many seeds and saves failures. */

import type { SeedRun } from "../../search/fuzz/seed-run.ts";
import type { FailureClass, Tally } from "../../search/fuzz/tally.ts";
import { CiReport } from "../ci.ts";
import { type Args, type Command, textOf } from "../command.ts";
import { explainCommand } from "../commands.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { withOptions } from "../options.ts";
import { type Output, outputOf } from "../output.ts";
import { versions } from "../version.ts";
import { commitOfProgram } from "./commit.ts";
import { FUZZ_OPTIONS, type FuzzOptions, fuzzOptions } from "./fuzz-options.ts";
import {
  coverageLines,
  type FailureReport,
  failureLine,
  failureText,
  fuzzSummaryLine,
  fuzzSummaryText,
} from "./fuzz-report.ts";
import { runCampaign } from "./run-campaign.ts";
import { saveFailure } from "./save-failure.ts";

export const fuzzCommand: Command = {
  usage: "fuzz",
  description: "run many seeds with random networks, workloads and faults, and save the failures",
  examples: [
    ["$0 fuzz --seeds 2000", "two thousand runs; failures are saved in reports/fuzz"],
    ["$0 fuzz --bug hidden-locks --stop-after 1", "how soon a known-bad variant is detected"],
    ["$0 fuzz --seeds 100000 --shard 2/8 --profile deep --json", "the second of eight shards of a long campaign"],
  ],
  build: (yargs, env) => withOptions(yargs, env, FUZZ_OPTIONS),
  run: async (args, io) => new CampaignOutput(args, io).run(),
};

/** One call of the command: reports and saves the results of its runs. */
class CampaignOutput {
  readonly #io: Io;
  readonly #options: FuzzOptions;
  readonly #output: Output;
  readonly #ci: CiReport;
  readonly #start: number;
  readonly #cpuStart: number;

  constructor(args: Args, io: Io) {
    this.#io = io;
    this.#options = fuzzOptions(args);
    this.#output = outputOf(args, io);
    this.#ci = new CiReport(io, "quorumlab fuzz", textOf(args, "junit"), this.#output.json);
    this.#start = io.now();
    this.#cpuStart = io.cpu();
  }

  async run(): Promise<ExitCode> {
    const { tally, isInterrupted } = await runCampaign(this.#options, {
      io: this.#io,
      goesOn: () => this.#hasTime(),
      failed: (run, failure) => this.#tell(run, failure),
      counted: (runs, failed) => this.#show(runs, failed),
    });
    this.#output.progress.done();
    await this.#ci.write();
    this.#end(tally);
    if (isInterrupted) return EXIT.interrupted;
    return tally.failed > 0 ? EXIT.failed : EXIT.expected;
  }

  #hasTime(): boolean {
    const { milliseconds } = this.#options;
    return milliseconds === undefined || this.#io.now() - this.#start < milliseconds;
  }

  #tell(run: SeedRun, failure: FailureClass): void {
    const { generator: worlds, out } = this.#options;
    const { json, paint, progress } = this.#output;
    const { seed, scenario, result } = run;
    const isFirst = failure.seeds[0] === seed;
    const bug = worlds.bug === undefined ? "" : ` --bug ${worlds.bug}`;
    const drawn = `quorumlab fuzz --seed ${seed} --seeds 1 --profile ${worlds.profile}${bug}`;
    const saved = isFirst
      ? saveFailure(out, run, failure, { worlds, versions: versions() })
      : { file: "", replay: drawn, shrink: undefined };
    const { file, replay, shrink } = saved;
    const explain = isFirst ? explainCommand(file, seed) : undefined;
    const report = { id: scenario.name, file, result, wallMs: 0, versions: versions(), replay, explain };
    const one: FailureReport = { run, failure, told: report, shrink };
    progress.clear();
    this.#io.out(json ? `${failureLine(one, worlds)}\n` : failureText(one, paint));
    this.#ci.ran(report);
  }

  #show(runs: number, failed: number): void {
    const seconds = Math.max(1, this.#io.now() - this.#start) / 1_000;
    const what = `${(runs / seconds).toFixed(0)} a second, ${failed} failed`;
    this.#output.progress.at(runs, this.#options.seeds.length, what);
  }

  #end(tally: Tally): void {
    const { json, quiet, paint } = this.#output;
    const cost = { wallMs: this.#io.now() - this.#start, cpuMs: this.#io.cpu() - this.#cpuStart };
    const { quorumlab } = versions();
    const program = { quorumlab, commit: commitOfProgram() };
    if (json) this.#io.out(`${coverageLines(tally)}${fuzzSummaryLine(tally, cost, program)}`);
    else if (!quiet || tally.failed > 0) this.#io.out(fuzzSummaryText(tally, cost, program, paint));
  }
}
