/**
 * Causes of a failing run: deliveries between parties, and actions of its scenario on the network. Each has a key that
 * names it in other runs of the scenario, so that it can be left out of them.
 */
import type { Finding } from "../../invariants/judge.ts";
import type { Cause } from "../../run/events/causes.ts";
import { eventText } from "../../run/events/event-text.ts";
import { eventLog } from "../../run/events/recorder.ts";
import { type OperationLabels, operationLabels } from "../../run/events/reference-text.ts";
import type { RunEvent, RunEventKind } from "../../run/events/run-event.ts";
import { type Interruptible, unlessStopped } from "../../run/interruptible.ts";
import { joinListeners } from "../../run/observers.ts";
import { runInSlices } from "../../run/run.ts";
import type { RunResult } from "../../run/verdict.ts";
import type { CompiledScenario } from "../../scenario/compile/compile.ts";
import type { Arrival, WorldListener } from "../../simulator/listener.ts";
import { parcelText } from "../../simulator/network/pattern.ts";
import type { Action } from "../../simulator/plan.ts";
import type { FailingRun } from "../shrink/attempts.ts";

/** A failing run up to its first failure. */
export interface RecordedRun {
  /** First violation; `undefined` if the program aborts instead. */
  readonly finding: Finding | undefined;
  readonly result: RunResult;
  readonly events: readonly RunEvent[];
  readonly labels: OperationLabels;
  /** In the order of time. Of a stall up to the healing: after it the network owes each delivery. */
  readonly causes: readonly Cause[];
}

/** Most events of a run that are kept. */
const EVENTS_MAX = 500_000;
const KINDS: ReadonlySet<RunEventKind> = new Set<RunEventKind>([
  ...(["delivered", "action", "submitted", "timerExpired", "signed", "decided", "applied"] as const),
  ...(["started", "crashed", "restarted", "healed", "clientTimeout", "written"] as const),
]);

/** Returns the key of the action at a place of the plan. */
export function actionKey(place: number): string {
  return `action ${place}`;
}

/** Returns true for an action of which deliveries tell all: what clients submit has to reach validators. */
export function isOrder({ do: verb }: Action): boolean {
  return verb === "submit" || verb === "workload";
}

/** Returns a function that names the arrivals of one run in their turn: by what they say, and how often it was said before. */
export function keysInTurn(): (arrival: Arrival) => string {
  const counts = new Map<string, number>();
  return ({ from, to, parcel }) => {
    const text = parcelText(from, to, parcel);
    const number = (counts.get(text) ?? 0) + 1;
    counts.set(text, number);
    return `${text} ${number}`;
  };
}

/** Runs a scenario up to its first violation and lists its causes; `undefined` if it does not fail, or was interrupted. */
export function* recordCauses(failing: FailingRun): Interruptible<RecordedRun | undefined> {
  const { scenario, seed, programs } = failing;
  const log = eventLog(EVENTS_MAX, { kinds: KINDS });
  const keys = new Map<RunEvent | number, string>();
  const keyOf = keysInTurn();
  let step = 0;
  let finding: Finding | undefined;
  const arrivalsFor = (arrival: Arrival): readonly Arrival[] => {
    keys.set(step, keyOf(arrival));
    return [arrival];
  };
  const watch = (compiled: CompiledScenario): WorldListener =>
    joinListeners(log.watch(compiled), {
      eventBegins: (number) => {
        step = number;
      },
      acted: (action) => {
        // The recorder has made the event of the action just before.
        const event = log.events.at(-1);
        const place = compiled.plan.actions.findIndex((planned) => planned.action === action);
        if (place >= 0 && event?.kind === "action" && !isOrder(action)) keys.set(event, actionKey(place));
      },
    });
  const violated = (violation: Finding): void => {
    if (!violation.beyondF) finding ??= violation;
  };
  const run = runInSlices(scenario, { seed, programs, watch, violated, intervention: { arrivalsFor } });
  const result = yield* unlessStopped(run, () => finding !== undefined);
  if (result === undefined || (finding === undefined && result.verdict !== "error")) return undefined;
  const end = finding?.step ?? result.steps;
  const events = log.events.filter((event) => event.step <= end);
  const healed = events.find(({ kind }) => kind === "healed")?.step ?? end;
  const last = finding?.invariant === "liveness" ? healed : end;
  const labels = operationLabels(events);
  const causes = events.flatMap((event): readonly Cause[] => {
    if ((event.kind !== "delivered" && event.kind !== "action") || event.step > last) return [];
    const key = keys.get(event.kind === "action" ? event : event.step);
    return key === undefined || (event.kind === "delivered" && event.from === event.to)
      ? []
      : [{ key, text: eventText(event, labels), event }];
  });
  return { finding, result, events, labels, causes };
}
