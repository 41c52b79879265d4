/**
 * Causes of a violation, found by leaving them out: the smallest set that suffices, those without which it does not come,
 * pairs whose order matters, and the event from which on chance does not prevent it. Each statement is a run.
 */

import type { RunEvent } from "../../run/events/run-event.ts";
import type { Interruptible } from "../../run/interruptible.ts";
import { type FailingRun, ShrinkStop } from "../shrink/attempts.ts";
import { type Cause, recordCauses } from "./causes.ts";
import { type Deviation, firstDeviation } from "./deviation.ts";
import { type Change, Trials } from "./trials.ts";

/** Answer to the question why a run fails. */
export interface Why {
  /** Violated invariant; `error` if the program aborts. */
  readonly invariant: string;
  /** The violation as a sentence, with step and virtual time. */
  readonly reason: string;
  readonly step: number;
  readonly at: number;
  /** First step that the real program would not take; `undefined` if the program is real. */
  readonly deviation: Deviation | undefined;
  /** Number of causes up to the violation. */
  readonly causes: number;
  /** Causes that suffice, in the order of time: all others left out, the violation comes. */
  readonly sufficient: readonly Cause[];
  /** True if none of `sufficient` can be left out of it. */
  readonly isMinimal: boolean;
  /** Causes without which the violation does not come, in the order of time. */
  readonly essential: readonly Cause[];
  /** Deliveries of `sufficient` to one party without whose order the violation does not come. */
  readonly orders: readonly (readonly [first: Cause, second: Cause])[];
  readonly chance: Chance | undefined;
  readonly runs: number;
  /** Searches that did not end, as sentence parts. */
  readonly untried: readonly string[];
  /** Events up to the violation, which name operations. */
  readonly events: readonly RunEvent[];
}

/** Shares of runs that fail if chance is another one after an event. */
export interface Chance {
  /** Runs for each share. */
  readonly reseeds: number;
  /** Number of runs that fail if chance is another one from the start. */
  readonly failing: number;
  /** From this event on most runs fail, and fewer before it; `undefined` if every run fails anyway. */
  readonly from: { readonly step: number; readonly failing: number; readonly before: number } | undefined;
}

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

/** Searches the causes of a failure; `undefined` if the run does not fail. Interrupted, it says what was not tried. */
export function* why(failing: FailingRun): Interruptible<Why | undefined> {
  const recorded = yield* recordCauses(failing);
  if (recorded === undefined) return undefined;
  const { finding, result, events, causes } = recorded;
  const trials = new Trials(failing, recorded);
  const step = finding?.step ?? result.steps;
  const named = result.violations.find(
    (violation) => violation.step === step && violation.invariant === finding?.invariant,
  );
  const found: WhyDraft = {
    invariant: finding?.invariant ?? "error",
    reason: named === undefined ? result.reason : `${named.invariant}: ${named.detail}`,
    step,
    at: finding?.at ?? result.virtualMs,
    deviation: undefined,
    causes: causes.length,
    sufficient: causes,
    isMinimal: false,
    essential: [],
    orders: [],
    chance: undefined,
    runs: 0,
    untried: [],
    events,
  };
  const searches: readonly (readonly [untried: string, search: Interruptible<void>])[] = [
    ["the first deviation from the real program", findDeviation(found, failing)],
    ["some causes one at a time", findEssential(found, causes, trials)],
    ["a smaller set that suffices", findSufficient(found, trials)],
    ["the causes that suffice, one at a time", findHiddenEssential(found, trials)],
    ["another chance after an event", findChance(found, trials)],
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
  return { ...found, runs: trials.runs + 1, untried: searches.slice(tried).map(([untried]) => untried) };
}

function* findDeviation(found: WhyDraft, failing: FailingRun): Interruptible<void> {
  found.deviation = yield* firstDeviation(failing, found.step);
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
    size = Math.max(1, size === 1 ? 1 : Math.ceil(size / 2));
  }
  found.isMinimal = true;
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
function* findChance(found: WhyDraft, trials: Trials): Interruptible<void> {
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
  const jump = atStart === RESEEDS ? undefined : { ...from, before: before.failing };
  found.chance = { reseeds: RESEEDS, failing: atStart, from: jump };
}

function receiverOf({ event }: Cause): string | undefined {
  return event.kind === "delivered" ? event.to : undefined;
}

function keysOf(causes: readonly Cause[]): ReadonlySet<string> {
  return new Set(causes.map(({ key }) => key));
}
