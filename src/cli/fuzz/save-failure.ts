/** Saved failures: a scenario file that fails on its own, and a JSON file with the observed facts. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scenarioText } from "../../search/fuzz/scenario-text.ts";
import type { GeneratorOptions, SeedRun } from "../../search/fuzz/seed-run.ts";
import type { FailureClass } from "../../search/fuzz/tally.ts";
import { reproduceCommand, shellQuoted } from "../commands.ts";
import type { versions } from "../version.ts";

export interface Saved {
  readonly file: string;
  /** Commands that reproduce and minimize it. */
  readonly replay: string;
  readonly shrink: string;
}

/** Writes `<out>/<invariant>-<slot>-<seed>.yaml` and `.json`. */
export function saveFailure(
  out: string,
  { seed, scenario, result }: SeedRun,
  { signature }: FailureClass,
  about: { readonly worlds: GeneratorOptions; readonly versions: ReturnType<typeof versions> },
): Saved {
  const path = join(out, `${signature.invariant}-${signature.slot}-${seed}`);
  const file = `${path}.yaml`;
  const replay = reproduceCommand(file, seed);
  const shrink = `quorumlab shrink ${shellQuoted(file)} --seed ${seed}`;
  const head = [...sentence(result.reason), `reproduce: ${replay}`, `minimize: ${shrink}`];
  const { verdict, reason, hash, steps, violations } = result;
  const { profile, bug } = about.worlds;
  const facts = {
    seed,
    profile,
    bug: bug ?? null,
    place: signature,
    verdict,
    reason,
    hash,
    steps,
    violations,
    replay,
    ...about.versions,
  };
  mkdirSync(out, { recursive: true });
  writeFileSync(file, scenarioText(scenario, head));
  writeFileSync(`${path}.json`, `${JSON.stringify(facts, null, 2)}\n`);
  return { file, replay, shrink };
}

/** Returns the reason as lines for a comment. */
function sentence(reason: string): readonly string[] {
  return reason.split("\n").slice(0, 8);
}
