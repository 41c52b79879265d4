/** `--genesis` and `--scenario`: the file that a served network starts from. */
import { err, ok, type Result } from "../../core/base/result.ts";
import { createParser } from "../../scenario/parse.ts";
import { problemText } from "../../scenario/problem.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { NamedText, RawServeOptions } from "./options.ts";

/**
 * What a served network takes from its file; its name alone where there is none. What a file expects is judged by
 * `quorumlab run` only, which also has the bound on events, and nobody says when the faults of a served network end, so liveness is not demanded.
 */
export function readBase({ genesis, scenario }: RawServeOptions): Result<Scenario, string> {
  if (genesis !== undefined && scenario !== undefined)
    return err("--genesis and --scenario: expected one of them, since each brings a genesis");
  const file = genesis ?? scenario;
  if (file === undefined) return ok({ name: "a served network" });
  const read = readFile(file);
  if (!read.ok) return read;
  if (genesis !== undefined) {
    const { name, network = {}, genesis: begin = {} } = read.value;
    return ok({ name, network, genesis: begin });
  }
  const { expect: _expect, transcript: _transcript, events: _events, ...rest } = read.value;
  return ok({ ...rest, healing: { none: true } });
}

function readFile({ file, text }: NamedText): Result<Scenario, string> {
  const parsed = createParser().parse(text);
  return parsed.ok ? parsed : err(parsed.error.map((problem) => problemText(file, problem)).join("\n"));
}
