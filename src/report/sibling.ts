/** The nearest passing run of a failing one, and the first events in which the two differ. */
import type { RunEvent } from "../run/events/run-event.ts";
import type { RunData, RunDifference, Sibling } from "./run-data.ts";

/** Events of the sibling after the differences that are kept. */
const KEPT_AFTER = 2_000;

/** Compares a run with one that passes. Numbers of steps and messages do not count. O(events of both). */
export function siblingOf(events: readonly RunEvent[], passing: RunData, file: string): Sibling {
  const { title, validators, clients, byzantine, end } = passing;
  const event = firstDifference(events, passing.events, () => true);
  const statement = firstDifference(events, passing.events, ({ kind }) => kind === "signed");
  const last = Math.max(event?.there ?? 0, statement?.there ?? 0);
  return {
    ...{ title, file, verdict: end.verdict, validators, clients, byzantine },
    events: passing.events.slice(0, last + KEPT_AFTER),
    ...{ event, statement },
  };
}

function firstDifference(
  here: readonly RunEvent[],
  there: readonly RunEvent[],
  isCompared: (event: RunEvent) => boolean,
): RunDifference | undefined {
  const placesIn = (run: readonly RunEvent[]): readonly number[] =>
    run.flatMap((event, at) => (isCompared(event) ? [at] : []));
  const [placesHere, placesThere] = [placesIn(here), placesIn(there)];
  for (let at = 0; at < Math.max(placesHere.length, placesThere.length); at++) {
    const [one, other] = [placesHere[at], placesThere[at]];
    if (one === undefined || other === undefined || contentOf(here[one]) !== contentOf(there[other]))
      return { here: one ?? here.length, there: other ?? there.length };
  }
  return undefined;
}

function contentOf(event: RunEvent | undefined): string {
  return JSON.stringify({ ...event, step: 0, number: 0 });
}
