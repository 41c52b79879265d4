/**
 * Causes of a violation, found by leaving them out: the smallest set that suffices, those without which it does not come,
 * pairs whose order matters, and the event from which on chance does not prevent it. Each statement is a run.
 */
import type { Cause, StepText, Why } from "../../run/events/causes.ts";
import { eventText } from "../../run/events/event-text.ts";
import type { Interruptible } from "../../run/interruptible.ts";
import { type FailingRun, ShrinkStop } from "../shrink/attempts.ts";
import { type RecordedRun, recordCauses } from "./causes.ts";
import { firstDeviation } from "./deviation.ts";
import { type Change, Trials } from "./trials.ts";

/** Runs for each share. */
const RESEEDS = 8;
/** Parts of the causes of which each is left out at once. */
const PARTS = 8;

/** Groups of deliveries that may be superfluous all together; `undefined` for other causes. */
const GROUPINGS: readonly ((cause: Cause) => string | undefined)[] = [
  ({ event }) => (event.kind === "delivered" ? event.kind : undefined),
  ({ event }) => (event.kind === "delivered" ? event.message.type : undefined),
  ({ event }) => (event.kind === "delivered" ? event.to : undefined),
  ({ event }) => (event.kind === "delivered" ? event.from : undefined),
];

type WhyDraft = { -readonly [Member in keyof Why]: Why[Member] };

/** Result of an earlier search for the causes of the same failure. */
export type EarlierWhy = Pick<Why, "invariant" | "step" | "at" | "causes" | "outcomes">;

/**
 * Searches the causes of a failure; `undefined` if the run does not fail. Interrupted, it says what was not tried; another
 * search goes on from there if it is given the `earlier` one. @throws RangeError if that one was about another failure
 */
export function* why(failing: FailingRun, earlier?: EarlierWhy): Interruptible<Why | undefined> {
  const recorded = yield* recordCauses(failing);
  if (recorded === undefined) return undefined;
  const { finding, result, causes } = recorded;
  const trials = new Trials(failing, recorded, earlier?.outcomes);
  const step = finding?.step ?? result.steps;
  const named = result.violations.find(
    (violation) => violation.step === step && violation.invariant === finding?.invariant,
  );
  const found: WhyDraft = {
    invariant: finding?.invariant ?? "error",
    reason: named === undefined ? result.reason : `${named.invariant}: ${named.detail}`,
    step,
    at: finding?.at ?? result.virtualMs,
    causes: causes.length,
    essential: [],
    sufficient: causes,
    minimal: false,
    orders: [],
    chance: null,
    deviation: null,
    runs: 0,
    outcomes: "",
    untried: [],
  };
  if (earlier !== undefined) requireSame(found, earlier);
  const searches: readonly (readonly [untried: string, search: Interruptible<void>])[] = [
    ["the first deviation from the real program", findDeviation(found, failing, recorded)],
    ["some causes one at a time", findEssential(found, causes, trials)],
    ["a smaller set that suffices", findSufficient(found, trials)],
    ["the causes that suffice, one at a time", findHiddenEssential(found, trials)],
    ["another chance after an event", findChance(found, trials, recorded)],
    ["other orders of deliveries", findOrders(found, trials)],
  ];
  let tried = 0;
  try {
    for (const [, search] of searches) {
      yield* search;
      tried += 1;
    }
  } catch (error) {
    if (!(error instanceof ShrinkStop)) throw error;
  }
  const { outcomes } = trials;
  return { ...found, runs: outcomes.length + 1, outcomes, untried: searches.slice(tried).map(([untried]) => untried) };
}

/** @throws RangeError for causes of another failure. */
function requireSame(found: EarlierWhy, earlier: EarlierWhy): void {
  const textOf = ({ invariant, step, at, causes }: EarlierWhy): string =>
    `${invariant} at step ${step} (${at} ms) with ${causes} causes`;
  if (textOf(found) !== textOf(earlier)) throw new RangeError(`expected ${textOf(found)}, got ${textOf(earlier)}`);
}

function* findDeviation(found: WhyDraft, failing: FailingRun, recorded: RecordedRun): Interruptible<void> {
  const deviation = yield* firstDeviation(failing, found.step);
  if (deviation !== undefined) found.deviation = { ...stepText(recorded, deviation.step), party: deviation.party };
}

/** Returns the first event of a step. */
function stepText({ events, labels, result }: RecordedRun, step: number): StepText {
  const event = events.find((one) => one.step === step && one.kind !== "operation");
  const text = event === undefined ? `event ${step}` : eventText(event, labels);
  return { step, at: event?.at ?? result.virtualMs, text };
}

/** Leaves out kinds of messages and parties, then by delta debugging parts of all causes down to single ones, the latest first. */
function* findSufficient(found: WhyDraft, trials: Trials): Interruptible<void> {
  for (const groupOf of GROUPINGS)
    for (const group of new Set(found.sufficient.map(groupOf))) {
      const kept = found.sufficient.filter((cause) => groupOf(cause) !== group);
      if (group !== undefined && (yield* trials.fails({ keeps: keysOf(kept) }))) found.sufficient = kept;
    }
  for (let size = Math.ceil(found.sufficient.length / 2); size >= 1; ) {
    let isSmaller = false;
    for (let end = found.sufficient.length; end > 0; end -= size) {
      const kept = found.sufficient.filter((_, place) => place < end - size || place >= end);
      if (!(yield* trials.fails({ keeps: keysOf(kept) }))) continue;
      found.sufficient = kept;
      isSmaller = true;
    }
    if (size === 1 && !isSmaller) break;
    size = Math.ceil(size / 2);
  }
  found.minimal = true;
}

/** Leaves out parts of the causes, down to single ones where the violation does not come. */
function* findEssential(found: WhyDraft, causes: readonly Cause[], trials: Trials): Interruptible<void> {
  const size = Math.ceil(causes.length / PARTS);
  for (let from = 0; from < causes.length; from += size)
    found.essential = [...found.essential, ...(yield* essentialIn(causes.slice(from, from + size), trials))];
}

/** Causes whose absence goes unnoticed where others are absent, too. */
function* findHiddenEssential(found: WhyDraft, trials: Trials): Interruptible<void> {
  for (const cause of found.sufficient) {
    if (found.essential.includes(cause) || (yield* trials.fails({ omits: keysOf([cause]) }))) continue;
    found.essential = [...found.essential, cause].sort((a, b) => a.event.step - b.event.step);
  }
}

function* essentialIn(group: readonly Cause[], trials: Trials): Interruptible<readonly Cause[]> {
  if (yield* trials.fails({ omits: keysOf(group) })) return [];
  if (group.length === 1) return group;
  const half = Math.ceil(group.length / 2);
  const first = yield* essentialIn(group.slice(0, half), trials);
  return [...first, ...(yield* essentialIn(group.slice(half), trials))];
}

/** Swaps neighbours among the deliveries that suffice, at each party, in the run in which there are no others. */
function* findOrders(found: WhyDraft, trials: Trials): Interruptible<void> {
  const keeps = keysOf(found.sufficient);
  const deliveries = found.sufficient.filter(({ event }) => event.kind === "delivered");
  for (const [place, first] of deliveries.entries()) {
    const second = deliveries.slice(place + 1).find((later) => receiverOf(later) === receiverOf(first));
    if (second === undefined) continue;
    const change: Change = { keeps, swaps: [first.key, second.key] };
    if (!(yield* trials.fails(change))) found.orders = [...found.orders, [first, second]];
  }
}

/** Bisects the events for the one from which on more than half of the further failures are certain. */
function* findChance(found: WhyDraft, trials: Trials, recorded: RecordedRun): Interruptible<void> {
  const failures = function* (after: number): Interruptible<number> {
    let count = 0;
    for (let number = 1; number <= RESEEDS; number++)
      if (yield* trials.fails({ reseed: { after, seed: `another chance ${number}` } })) count += 1;
    return count;
  };
  const atStart = yield* failures(0);
  let before = { step: 0, failing: atStart };
  let from = { step: found.step, failing: RESEEDS };
  while (atStart < RESEEDS && from.step - before.step > 1) {
    const step = Math.trunc((before.step + from.step) / 2);
    const share = { step, failing: yield* failures(step) };
    if (share.failing * 2 > RESEEDS + atStart) from = share;
    else before = share;
  }
  const jump = { ...stepText(recorded, from.step), failing: from.failing, before: before.failing };
  found.chance = { reseeds: RESEEDS, failing: atStart, from: atStart === RESEEDS ? null : jump };
}

function receiverOf({ event }: Cause): string | undefined {
  return event.kind === "delivered" ? event.to : undefined;
}

function keysOf(causes: readonly Cause[]): ReadonlySet<string> {
  return new Set(causes.map(({ key }) => key));
}
