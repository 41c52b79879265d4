/** Reader of `--genesis` and `--scenario`, the file that a served network starts from. */
import { err, ok, type Result } from "../../core/base/result.ts";
import { createParser } from "../../scenario/parse.ts";
import { problemText } from "../../scenario/problem.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { NamedText, RawServeOptions } from "./options.ts";

/**
 * Returns the members of the file that a served network uses; only a name without a file. Expectations and the bound on
 * events apply to `quorumlab run` only. A served network has no healing, so liveness is not demanded.
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
