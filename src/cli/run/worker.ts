/** Worker thread of `run`: executes the files that it receives. */
import { loadQuickKeccak } from "../../backends/keccak.ts";
import { runToEnd } from "../../run/interruptible.ts";
import type { ScenarioFile } from "../../scenario/files.ts";
import { createParser } from "../../scenario/parse.ts";
import { answerJobs, isStopped, type ThreadData } from "../worker-pool.ts";
import { execute, type FileOutcome, type RunSettings } from "./execution.ts";

await loadQuickKeccak();
const parser = createParser();
answerJobs<ScenarioFile, RunSettings>(outcome);

function outcome(file: ScenarioFile, { data, stop }: ThreadData<RunSettings>): FileOutcome {
  const work = execute(file, parser, data, () => performance.now());
  return runToEnd(work, () => isStopped(stop));
}
