/** `quorumlab corpus`: maintains a folder of small scenarios with the coverage of many generated ones. */
import { mkdirSync } from "node:fs";
import type { Options } from "yargs";
import { createParser } from "../../scenario/parse.ts";
import { collect } from "../../search/corpus/collect.ts";
import type { CorpusScenario } from "../../search/corpus/corpus.ts";
import { ALL_SEEDS, seedsOf } from "../../search/fuzz/seeds.ts";
import { type Args, type Command, textOf } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { profileIn, profileOption } from "../fuzz/profile.ts";
import { InterruptibleWork } from "../interruptible.ts";
import type { Io } from "../io.ts";
import { countIn, firstSeedOf } from "../numbers.ts";
import { FIRST_SEED_OPTION, JSON_OPTION, PROGRESS_OPTION, QUIET_OPTION, textOption, withOptions } from "../options.ts";
import { outputOf } from "../output.ts";
import { corpusScenariosIn, saveCorpusScenarios } from "./corpus-folder.ts";
import { corpusLine, corpusText } from "./corpus-report.ts";
import { SEED_DIGITS } from "./limits.ts";

/** Options in the order of the help text. */
const OPTIONS: Readonly<Record<string, Options>> = {
  seeds: textOption("number of seeds", "200"),
  seed: FIRST_SEED_OPTION,
  profile: profileOption("quick"),
  json: JSON_OPTION,
  quiet: QUIET_OPTION,
  progress: PROGRESS_OPTION,
};

export const corpusCommand: Command = {
  usage: "corpus <folder>",
  description: "maintain a folder of small scenarios with the coverage of many generated ones",
  examples: [
    ["$0 corpus scenarios/corpus --seeds 500", "run five hundred seeds, and keep scenarios with new coverage"],
    ["$0 corpus scenarios/corpus --seeds 2000 --seed 501", "continue with the next seeds"],
  ],
  build: (yargs, env) =>
    withOptions(
      yargs.positional("folder", {
        type: "string",
        demandOption: true,
        description: "folder of scenario files",
      }),
      env,
      OPTIONS,
    ),
  run: keep,
};

async function keep(args: Args, io: Io): Promise<ExitCode> {
  const folder = textOf(args, "folder") ?? "";
  const count = countIn(args, "seeds", SEED_DIGITS);
  const seeds = seedsOf(firstSeedOf(args), count, ALL_SEEDS);
  const profile = profileIn(args, "quick");
  const output = outputOf(args, io);
  const parser = createParser();
  const work = new InterruptibleWork(io);
  mkdirSync(folder, { recursive: true });
  const { scenarios: before, failed } = await corpusScenariosIn(folder, parser, work, io);
  let done = 0;
  const heard = (_seed: string, members: readonly CorpusScenario[]): void => {
    done += 1;
    output.progress.at(done, count, `${members.length} scenarios`);
  };
  const members = await work.finish(collect(before, { seeds, profile, parser, onProgress: heard }));
  output.progress.done();
  saveCorpusScenarios(folder, before, members);
  const kept = { folder, before, scenarios: members, failed, seeds: done };
  io.out(output.json ? corpusLine(kept) : corpusText(kept, output));
  if (work.isInterrupted) return EXIT.interrupted;
  return failed.length > 0 ? EXIT.failed : EXIT.expected;
}
