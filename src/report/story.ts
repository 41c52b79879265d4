/** Narrative of a run: its events in sentences up to the first violation. */
import type { Scheme } from "../core/crypto/scheme.ts";
import { CATALOGUE } from "../invariants/catalogue.ts";
import { bounds } from "../invariants/history/quorum.ts";
import type { Recording } from "../live/recording.ts";
import { replay } from "../live/replay.ts";
import { listed } from "../run/listed.ts";
import { namesFor, namesIn } from "../run/narrative/names.ts";
import { type Plot, plotOf } from "../run/narrative/plot.ts";
import { type Tellings, tellingsOf } from "../run/narrative/telling.ts";
import { namedViolation } from "../run/outcome.ts";
import { runScenario } from "../run/run.ts";
import type { NamedViolation, Verdict } from "../run/verdict.ts";
import { type Compiled, dishonest } from "../scenario/compile/compile.ts";
import { VALIDATORS_DEFAULT } from "../scenario/declared.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** Most entries that a narrative collects. */
const TELLINGS = 200_000;

/** The narrative of a run. */
export interface Story extends Plot {
  readonly title: string;
  /** The configuration in one line. */
  readonly cast: string;
  /** The violated invariants in sentences, each with its section. */
  readonly demands: readonly string[];
  readonly end: StoryEnd;
}

/** The end of a run. A served network is judged by its violations only. */
export interface StoryEnd {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly unmet: readonly string[];
  readonly finals: number;
  readonly virtualMs: number;
  readonly hash: string;
}

/** Runs a scenario under stand-in signatures. Never throws: an exception in the run is the verdict `error`. */
export function storyOf(scenario: Scenario, seed: string): Story {
  const { list, listener } = tellingsOf(namesFor(scenario), { most: TELLINGS });
  const result = runScenario(scenario, { seed, listener });
  const { verdict, reason, unmet, virtualMs, hash } = result;
  const found = [...result.violations, ...result.expected, ...result.beyondF];
  return {
    title: scenario.name,
    cast: castOf(scenario, [...dishonest(scenario)], seed),
    ...told(list, found),
    end: { verdict, reason, unmet, finals: result.finals.length, virtualMs, hash },
  };
}

/** Replays the recording of a served network. `scheme`: the signature scheme of the recording. */
export function storyOfRecording(recording: Recording, scheme: Scheme): Story {
  const { setup } = recording.head;
  let tellings: Tellings | undefined;
  const watcher = ({ directory, submissions }: Compiled): Tellings["listener"] => {
    tellings = tellingsOf(namesIn(directory, submissions), { most: TELLINGS, startedAt: setup.startedAt });
    return tellings.listener;
  };
  const { run } = replay(recording, scheme, { ears: { watcher } });
  const { directory, operations, setting } = run.compiled;
  const found = run.findings.map((finding) => namedViolation(finding, directory, operations));
  const liars = setting.nodes.filter(({ honest }) => !honest).map(({ node }) => node);
  return {
    title: setup.scenario.name,
    cast: castOf(setup.scenario, liars, setup.seed),
    ...told(tellings?.list ?? [], found),
    end: {
      verdict: found.length > 0 ? "violation" : "pass",
      reason: "",
      unmet: [],
      finals: run.archive.finals,
      virtualMs: run.world.now,
      hash: run.world.hash,
    },
  };
}

function told(list: Tellings["list"], found: readonly NamedViolation[]): Pick<Story, "lines" | "after" | "demands"> {
  const sorted = found.toSorted((a, b) => a.step - b.step);
  return { ...plotOf(list, sorted), demands: demandsOf(sorted) };
}

function castOf(scenario: Scenario, liars: readonly string[], seed: string): string {
  const { validators, faults, quorum } = bounds(scenario.network?.validators ?? VALIDATORS_DEFAULT);
  const parts = [
    validators === 1
      ? "1 validator, its own quorum"
      : `${validators} validators, a quorum is ${quorum}, tolerates f = ${faults} Byzantine`,
    ...(liars.length === 0 ? [] : [`${listed(liars)} ${liars.length === 1 ? "is" : "are"} Byzantine`]),
    ...(scenario.bug === undefined ? [] : [`under the known-bad variant ${scenario.bug}`]),
    `seed ${seed}`,
  ];
  return parts.join("; ");
}

function demandsOf(found: readonly NamedViolation[]): readonly string[] {
  const broken = new Set(found.map(({ invariant }) => invariant));
  return CATALOGUE.filter(({ name }) => broken.has(name)).map(
    ({ name, section, sentence }) => `${name} (protocol ${section}): ${sentence}`,
  );
}
