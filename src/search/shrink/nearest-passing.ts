/**
 * Nearest passing scenario: of all single edits that make a failing scenario pass, the one whose run equals the failing
 * one for longest. The divergence of the two runs is decisive for the failure.
 */
import { eventLog } from "../../run/events/recorder.ts";
import type { RunEvent, RunEventOf } from "../../run/events/run-event.ts";
import type { Interruptible } from "../../run/interruptible.ts";
import { runInSlices } from "../../run/run.ts";
import type { RunResult } from "../../run/verdict.ts";
import { verbOf } from "../../scenario/members.ts";
import type { ScenarioParser } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Step } from "../../scenario/schema/step.ts";
import type { PatternSpec } from "../../scenario/schema/trigger.ts";
import { type FailingRun, RUN_EVENTS } from "./attempts.ts";
import { COMPARED_KINDS, type Difference, firstDifference, isCompared, isReceived } from "./difference.ts";

/** Messages that are delayed in search of a passing run, latest first. */
const MESSAGES_TRIED = 80;
/** Events of a run that are kept for comparisons. */
const COMPARED_EVENTS = 20_000;

export interface NearestPassing extends FailingRun {
  /** Description of the edit. */
  readonly edit: string;
  /** First divergence of the two runs. */
  readonly difference: Difference;
}

/** Result of the search. */
export interface NearestSearch {
  /** `undefined` if no tried edit passes. */
  readonly nearest: NearestPassing | undefined;
  readonly runs: number;
}

type RecordedRun = Readonly<{ result: RunResult; events: readonly RunEvent[] }>;

/** Searches the nearest passing scenario; if interrupted, returns the nearest so far. */
export function* nearestPassing(failing: FailingRun, parser: ScenarioParser): Interruptible<NearestSearch> {
  const { scenario, seed, programs } = failing;
  const here = yield* recordRun(failing);
  if (here === undefined) return { nearest: undefined, runs: 1 };
  let nearest: NearestPassing | undefined;
  let runs = 1;
  // Of the messages the latest that helps is the nearest; of the steps the one whose run diverges last.
  // Up to the first violation, or the last event of an aborted run.
  const { violations, steps } = here.result;
  const messages = delayMessages(scenario, here.events, violations[0]?.step ?? steps).slice(0, MESSAGES_TRIED);
  for (const changes of [messages, editSteps(scenario)]) {
    for (const { scenario: changed, text: words } of changes) {
      if (yield) return { nearest, runs };
      if (!parser.takes(changed)) continue;
      runs += 1;
      const there = yield* recordRun({ scenario: changed, seed, programs });
      if (there?.result.verdict !== "pass") continue;
      const difference = firstDifference(here.events, there.events);
      if (difference === undefined || difference.step <= (nearest?.difference.step ?? -1)) continue;
      nearest = { scenario: changed, seed, edit: words, difference };
      if (changes === messages) break;
    }
  }
  return { nearest, runs };
}

/** Runs a candidate and records its events; `undefined` if there are too many to compare, or it was interrupted. */
function* recordRun({ scenario, seed, programs }: FailingRun): Interruptible<RecordedRun | undefined> {
  const keeps = (event: RunEvent): boolean => event.kind === "operation" || isCompared(event);
  const { events, watch } = eventLog(COMPARED_EVENTS, { kinds: COMPARED_KINDS, keeps });
  const result = yield* runInSlices(scenario, { seed, programs, events: RUN_EVENTS, watch });
  return events.length < COMPARED_EVENTS ? { result, events } : undefined;
}

/** Added delay in virtual milliseconds: longer than the rounds of a small network. */
const LATE_MS = 1_000;

interface ScenarioEdit {
  readonly scenario: Scenario;
  /** Description of the edit; begins with "with" or "without". */
  readonly text: string;
}

/** Delays one message, and with it all later ones of its kind on that link for a while; latest messages first. */
function delayMessages(scenario: Scenario, events: readonly RunEvent[], until: number): readonly ScenarioEdit[] {
  const latest = new Map<string, RunEventOf<"delivered">>();
  for (const event of events.toReversed()) {
    if (!isReceived(event) || event.step > until) continue;
    const key = `${event.at} ${event.from} ${event.to} ${event.message.type}`;
    if (!latest.has(key)) latest.set(key, event);
  }
  return [...latest.values()].map((event) => delayMessage(scenario, event));
}

function delayMessage(scenario: Scenario, { at, from, to, message }: RunEventOf<"delivered">): ScenarioEdit {
  const kind = message.type;
  const rule = unusedRule(scenario);
  const hold: PatternSpec = { rule, from: [from], to: [to], kinds: [kind] };
  const steps = [...(scenario.steps ?? []), { at, hold }, { at: at + LATE_MS, release: rule }];
  return {
    scenario: { ...scenario, steps },
    text: `with ${kind} messages from ${from} to ${to} held from ${at} ms to ${at + LATE_MS} ms`,
  };
}

function unusedRule({ steps = [] }: Scenario): string {
  const used = new Set(steps.flatMap(({ hold, drop }) => hold?.rule ?? drop?.rule ?? []));
  for (let number = 1; ; number++) if (!used.has(`late${number}`)) return `late${number}`;
}

/**
 * Removes each step, submits it to another validator, moves it in time; changes the delays of all links. Simplest
 * first.
 */
function editSteps(scenario: Scenario): readonly ScenarioEdit[] {
  const { steps = [] } = scenario;
  const withStep = (place: number, changed: readonly Step[]): Scenario => ({
    ...scenario,
    steps: steps.flatMap((step, index) => (index === place ? changed : [step])),
  });
  const left = steps.map((step, place) => ({
    scenario: withStep(place, []),
    text: `without ${stepText(step, place)}`,
  }));
  const asked = steps.flatMap((step, place): readonly ScenarioEdit[] => {
    const { only, ...rest } = step;
    if (only === undefined || step.submit === undefined) return [];
    const text = `with ${stepText(step, place)} submitted to its client's home only`;
    return [{ scenario: withStep(place, [rest]), text }];
  });
  const moved = steps.flatMap((step, place) =>
    alternativeTimes(step).map((at): ScenarioEdit => {
      const { at: before, ...rest } = step;
      const text = `with ${stepText(step, place)} at ${at} ms instead of ${before} ms`;
      return { scenario: withStep(place, [{ at, ...rest }]), text };
    }),
  );
  return [...left, ...asked, ...moved, ...alternativeDelays(scenario)];
}

/** Earlier unless at 0, a little later, and much later. */
function alternativeTimes({ at }: Step): readonly number[] {
  if (at === undefined) return [];
  return [...(at > 1 ? [Math.trunc(at / 2)] : []), at + 50, at + LATE_MS];
}

function alternativeDelays(scenario: Scenario): readonly ScenarioEdit[] {
  const now = scenario.network?.delay_ms;
  return [1, 50, 200]
    .filter((delay) => delay !== now)
    .map((delay) => ({
      scenario: { ...scenario, network: { ...scenario.network, delay_ms: delay } },
      text: `with ${delay} ms for every message instead of ${now ?? "the default delay"}`,
    }));
}

/** Returns a text such as `step 3 (the crash of v2)`. */
function stepText(step: Step, place: number): string {
  const { submit, crash, byzantine } = step;
  const about = submit?.id ?? crash?.node ?? byzantine?.node;
  return `step ${place + 1} (${verbOf(step)}${about === undefined ? "" : ` ${about}`})`;
}
