/** Narrative of a run: its events in sentences up to the first violation, and their text for a terminal. */

import type { Scheme } from "../core/crypto/scheme.ts";
import { bounds } from "../invariants/history/quorum.ts";
import { countText } from "../invariants/text.ts";
import type { Recording, Setup } from "../live/recording.ts";
import { type ReplayedRun, replayRecording } from "../live/replay.ts";
import { NARRATIVE_KINDS, type NarrativeLine, type NarrativeLines, narrativeLines } from "../run/events/narrative.ts";
import { eventLog } from "../run/events/recorder.ts";
import { joinNames } from "../run/events/reference-text.ts";
import type { RunEvent } from "../run/events/run-event.ts";
import { type RunOptions, runScenario } from "../run/run.ts";
import { type NamedViolation, namedViolation, type RunResult } from "../run/verdict.ts";
import { byzantineValidators } from "../scenario/compile/compile.ts";
import { VALIDATORS_DEFAULT } from "../scenario/declarations.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Paint } from "./paint.ts";
import { brokenInvariants } from "./run-report.ts";

/** Most events that a narrative reads. */
const EVENTS = 1_000_000;

/** The narrative of a run. */
export interface Narrative extends NarrativeLines {
  /** The events that the narrative reads, up to the first violation or the end; at most `EVENTS`. */
  readonly events: readonly RunEvent[];
  readonly title: string;
  /** Names of the validators that may break the rules. */
  readonly byzantine: readonly string[];
  /** The configuration in one line. */
  readonly parties: string;
  /** All violations in the order of their steps, expected and excused ones included. */
  readonly violations: readonly NamedViolation[];
  /** The violated invariants in sentences, each with its section. */
  readonly demands: readonly string[];
  readonly end: NarrativeEnd;
}

/** The end of a run. A served network is judged by its violations only. */
export interface NarrativeEnd extends Pick<RunResult, "verdict" | "reason" | "unmet" | "virtualMs" | "hash"> {
  readonly finals: number;
}

/** Runs a scenario under stand-in signatures. Never throws: an exception in the run is the verdict `error`. */
export function narrativeOf(scenario: Scenario, seed: string, programs?: RunOptions["programs"]): Narrative {
  const recorded = eventLog(EVENTS, { kinds: NARRATIVE_KINDS });
  const result = runScenario(scenario, { seed, programs, watch: recorded.watch });
  return narrativeOfRun(scenario, result, recorded.events);
}

/** Returns the narrative of a run from its result and its events, of which it reads those of `NARRATIVE_KINDS`. */
export function narrativeOfRun(scenario: Scenario, result: RunResult, events: readonly RunEvent[]): Narrative {
  const { seed, verdict, reason, unmet, virtualMs, hash, violations, expected, beyondF } = result;
  const run = { scenario, byzantine: [...byzantineValidators(scenario)], seed };
  const end = { verdict, reason, unmet, finals: result.finals.length, virtualMs, hash };
  return narrativeOfEvents(run, events, [...violations, ...expected, ...beyondF], end);
}

/** Replays the recording of a served network. `scheme`: the signature scheme of the recording. */
export function narrativeOfRecording(recording: Recording, scheme: Scheme): Narrative {
  const recorded = eventLog(EVENTS, { kinds: NARRATIVE_KINDS });
  const replayed = replayRecording(recording, scheme, { listeners: { watcher: recorded.watch } });
  return narrativeOfReplay(recording, replayed, recorded.events);
}

/** Returns the narrative of a replay from its events. */
export function narrativeOfReplay({ head }: Recording, { run }: ReplayedRun, events: readonly RunEvent[]): Narrative {
  const { directory, operations, setting } = run.compiled;
  const found = run.findings.map((finding) => namedViolation(finding, directory, operations));
  const byzantine = setting.nodes.filter(({ honest }) => !honest).map(({ node }) => node);
  const { archive, world } = run;
  const end = { ...foundEnd(found[0]), finals: archive.finals, virtualMs: world.now, hash: world.hash };
  return narrativeOfEvents({ ...head.setup, byzantine }, events, found, end);
}

/** Stands for the seed of a path of the explorer. */
export const PATH_SEED = "none, a path of the explorer";

/** End of a path that the explorer found. */
export interface PathEnd {
  readonly byzantine: string;
  readonly violations: readonly NamedViolation[];
  /** Description of the stall after the path. */
  readonly stall: string | undefined;
}

/** Returns the narrative of a path of the explorer, which has neither times nor a hash. */
export function narrativeOfPath(
  scenario: Scenario,
  { byzantine, violations, stall }: PathEnd,
  events: readonly RunEvent[],
): Narrative {
  const run = { scenario, byzantine: [byzantine], seed: PATH_SEED };
  const [first] = violations.toSorted((a, b) => a.step - b.step);
  const finals = events.flatMap((event) =>
    event.kind === "applied" ? event.effects.map(({ operation }) => operation) : [],
  );
  const end = { ...foundEnd(first, stall), finals: new Set(finals).size, virtualMs: 0, hash: "none" };
  return narrativeOfEvents(run, events, violations, end);
}

/** The end of a run that is judged by its violations alone, or stalls. */
function foundEnd(
  first: NamedViolation | undefined,
  stall?: string,
): Pick<NarrativeEnd, "verdict" | "reason" | "unmet"> {
  if (first !== undefined) return { verdict: "violation", reason: `${first.invariant}: ${first.detail}`, unmet: [] };
  return { verdict: stall === undefined ? "pass" : "stalled", reason: stall ?? "", unmet: [] };
}

type NarratedRun = Pick<Setup, "scenario" | "seed"> & Partial<Pick<Setup, "startedAt">> & Pick<Narrative, "byzantine">;

function narrativeOfEvents(
  { scenario, byzantine, seed, startedAt = 0 }: NarratedRun,
  events: readonly RunEvent[],
  found: readonly NamedViolation[],
  end: NarrativeEnd,
): Narrative {
  const violations = found.toSorted((a, b) => a.step - b.step);
  const last = violations[0]?.step ?? Number.POSITIVE_INFINITY;
  return {
    ...{ title: scenario.name, parties: partiesOf(scenario, byzantine, seed), byzantine },
    events: events.filter(({ step }) => step <= last),
    ...narrativeLines({ events, found: violations, startedAt }),
    ...{ violations, end },
    demands: brokenInvariants(violations).map(
      ({ name, section, sentence }) => `${name} (protocol ${section}): ${sentence}`,
    ),
  };
}

function partiesOf(scenario: Scenario, byzantine: readonly string[], seed: string): string {
  const { validators, faults, quorum } = bounds(scenario.network?.validators ?? VALIDATORS_DEFAULT);
  const parts = [
    validators === 1
      ? "1 validator, its own quorum"
      : `${validators} validators, a quorum is ${quorum}, tolerates f = ${faults} Byzantine`,
    ...(byzantine.length === 0 ? [] : [`${joinNames(byzantine)} ${byzantine.length === 1 ? "is" : "are"} Byzantine`]),
    ...(scenario.bug === undefined ? [] : [`under the known-bad variant ${scenario.bug}`]),
    ...policyParts(scenario),
    `seed ${seed}`,
  ];
  return parts.join("; ");
}

/** Policies that the genesis names, since verdicts may turn on them. */
function policyParts({ genesis }: Scenario): readonly string[] {
  const named = Object.entries(genesis?.policies ?? {}).map(([name, choice]) => `${name} = ${choice}`);
  return named.length === 0 ? [] : [`under the ${named.length === 1 ? "policy" : "policies"} ${joinNames(named)}`];
}

const TIME_WIDTH = 8;

/** The last `most` lines of a narrative. `more`: the command that prints all of them. */
export function narrativeText(narrative: Narrative, most: number, more: string, paint: Paint): string {
  const { title, parties, lines, after, demands, end } = narrative;
  const left = Math.max(0, lines.length - most);
  const cut = left === 0 ? [] : [paint("dim", `${countText(left, "earlier line")}: ${more}`)];
  const rest = after === 0 ? [] : [paint("dim", countText(after, "more line"))];
  return [
    `${paint("strong", title)}`,
    paint("dim", parties),
    ...cut,
    ...timedLines(lines.slice(left), paint),
    ...rest,
    endText(end, paint),
    ...(end.verdict === "unmet" ? end.unmet.map((words) => `expected ${words}`) : []),
    ...demands,
    "",
  ].join("\n");
}

/** Prints each time once. */
function timedLines(lines: readonly NarrativeLine[], paint: Paint): readonly string[] {
  let before: number | undefined;
  return lines.map(({ at, text, isBreach }) => {
    const time = at === before ? "" : `${at} ms`;
    before = at;
    return `${paint("dim", time.padStart(TIME_WIDTH))}  ${isBreach ? paint("bad", text) : text}`;
  });
}

function endText({ verdict, reason, unmet, finals, virtualMs }: NarrativeEnd, paint: Paint): string {
  // The lines contain violations and stalls already.
  const isShown = verdict === "unmet" ? unmet.length > 0 : verdict !== "error";
  const why = isShown ? "" : ` ${reason}`;
  const facts = paint("dim", `${finals} final after ${virtualMs} ms`);
  return `${paint(verdict === "pass" ? "good" : "bad", verdict)}${why}  ${facts}`;
}
