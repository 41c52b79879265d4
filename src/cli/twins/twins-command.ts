/** `quorumlab twins`: every case of twins of a size, up to renaming. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUGS } from "../../bugs/catalogue.ts";
import { scenarioText } from "../../harness/fuzz/scenario-text.ts";
import { countTwinCases } from "../../harness/twins/cases.ts";
import { runTwinCases, type TwinRun } from "../../harness/twins/run-twins.ts";
import type { TwinSizes } from "../../harness/twins/symmetry.ts";
import { painter } from "../../report/paint.ts";
import { runLine, summaryLine } from "../../report/run-lines.ts";
import { runText } from "../../report/run-text.ts";
import { type Command, textOf } from "../command.ts";
import { EXIT, type ExitCode, UsageError } from "../exit-code.ts";
import { type Io, wantsColours } from "../io.ts";
import { fromEnv, JSON_OPTION, OUT_OPTION, PROGRESS_OPTION, SEED_OPTION } from "../options.ts";
import { createProgress } from "../progress.ts";
import { versions } from "../version.ts";
import { shardOf, wholeOf } from "../whole.ts";

type Args = Readonly<Record<string, unknown>>;

const text = (
  description: string,
  fallback?: string,
): { type: "string"; requiresArg: true; description: string; default?: string } => ({
  type: "string",
  requiresArg: true,
  description,
  ...(fallback === undefined ? {} : { default: fallback }),
});

export const twinsCommand: Command = {
  usage: "twins",
  description: "every way to split a network whose twins sign with one key, up to renaming",
  examples: [
    ["$0 twins", "four validators, one of them twice, two rounds: 740 cases"],
    ["$0 twins --rounds 3 --shard 1/8", "an eighth of the 47,376 cases of three rounds"],
    ["$0 twins --bug quorum-off-by-one --stop-after 1", "a known-bad variant"],
  ],
  build: (yargs, env) =>
    yargs
      .option("validators", fromEnv(env, "validators", text("validators, each with a key of its own", "4")))
      .option("twins", fromEnv(env, "twins", text("how many of them run twice", "1")))
      .option("rounds", fromEnv(env, "rounds", text("splits of the network, one after the other", "2")))
      .option(
        "crashes",
        fromEnv(env, "crashes", {
          type: "boolean",
          default: false,
          description: "each round's proposer crashes after its first word",
        }),
      )
      .option("shard", fromEnv(env, "shard", text("a part of the cases: 2/8 is the second of eight")))
      .option("stop-after", fromEnv(env, "stop-after", text("failing cases after which it ends")))
      .option("bug", fromEnv(env, "bug", text("the known-bad variant that runs instead of the real program")))
      .option("seed", fromEnv(env, "seed", SEED_OPTION))
      .option("out", fromEnv(env, "out", { ...OUT_OPTION, default: "reports/twins" }))
      .option("json", fromEnv(env, "json", JSON_OPTION))
      .option("progress", fromEnv(env, "progress", PROGRESS_OPTION)),
  run: async (args, io) => runCases(args, io),
};

async function runCases(args: Args, io: Io): Promise<ExitCode> {
  const sizes: TwinSizes = {
    n: wholeOf(args, "validators", 1, 9) ?? 4,
    twins: wholeOf(args, "twins", 0, 4) ?? 1,
    rounds: wholeOf(args, "rounds", 1, 6) ?? 2,
  };
  const count = countOf(sizes);
  const { index, count: every } = shardOf(textOf(args, "shard"));
  const stopAfter = wholeOf(args, "stop-after", 1, 1_000_000_000);
  const bug = bugOf(args);
  const [seed, start] = [textOf(args, "seed") ?? "1", io.now()];
  const progress = createProgress(io, textOf(args, "progress") ?? "auto");
  const cases = runTwinCases(sizes, index - 1, count, {
    seed,
    every,
    crashes: args["crashes"] === true,
    ...(bug === undefined ? {} : { bug }),
  });
  let [runs, failed, code]: [number, number, ExitCode] = [0, 0, EXIT.expected];
  for (const run of cases) {
    runs += 1;
    progress.at(run.number + 1, count, `${failed} failed`);
    if (isFailing(run)) {
      failed += 1;
      code = EXIT.failed;
      progress.clear();
      tell(run, args, io);
    }
    if (await io.interrupted()) code = EXIT.interrupted;
    if (code === EXIT.interrupted || failed === stopAfter) break;
  }
  progress.done();
  const wallMs = io.now() - start;
  const { n, twins, rounds } = sizes;
  const what = `${n} validators, ${twins} twice, ${rounds} ${rounds === 1 ? "round" : "rounds"}: ${runs} of ${count} cases`;
  if (args["json"] === true) io.out(`${summaryLine({ runs, passed: runs - failed, failed, wallMs })}\n`);
  else io.out(`${what}, ${painter(wantsColours(io))(failed > 0 ? "bad" : "good", `${failed} failed`)}\n`);
  return code;
}

/** A case in which nothing became final shows nothing, and is no failure. */
function isFailing({ result }: TwinRun): boolean {
  return result.verdict !== "pass" && result.reason !== "empty";
}

function countOf(sizes: TwinSizes): number {
  try {
    return Number(countTwinCases(sizes));
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

function bugOf(args: Args): string | undefined {
  const bug = textOf(args, "bug");
  if (bug === undefined || BUGS.some(({ name }) => name === bug)) return bug;
  throw new UsageError(`--bug: no known-bad variant is called "${bug}"; src/bugs has ${BUGS.length} of them`);
}

function tell({ number, scenario, result }: TwinRun, args: Args, io: Io): void {
  const out = textOf(args, "out") ?? "reports/twins";
  const file = join(out, `case-${number}.yaml`);
  const replay = `quorumlab run ${file} --seed ${result.seed}`;
  mkdirSync(out, { recursive: true });
  writeFileSync(file, scenarioText(scenario, [...result.reason.split("\n").slice(0, 4), `again: ${replay}`]));
  const told = { id: scenario.name, file, result, wallMs: 0, versions: versions(), replay };
  io.out(args["json"] === true ? `${runLine(told)}\n` : runText(told, painter(wantsColours(io))));
}
