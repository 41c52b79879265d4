import { describe, expect, it } from "vitest";
import { siblingOf } from "../../src/report/sibling.ts";
import type { RunEvent } from "../../src/run/events/run-event.ts";
import { dataOf, PASSING, VIOLATION } from "./runs.ts";

const [failing, passing] = [dataOf(VIOLATION), dataOf(PASSING)];

/** An event without what moves when an earlier one is left out. */
function plain(event: RunEvent | undefined): object {
  return { ...event, step: 0, number: 0 };
}

describe("the nearest passing run", () => {
  it("equals the failing one up to the first event that differs", () => {
    const { event, statement, verdict, events } = siblingOf(failing.events, passing, "passing.yaml");
    expect(verdict).toBe("pass");
    if (event === undefined || statement === undefined) throw new Error("expected differences");
    for (let at = 0; at < event.here; at++) expect(plain(failing.events[at])).toEqual(plain(events[at]));
    expect(plain(failing.events[event.here])).not.toEqual(plain(events[event.there]));
    expect(failing.events[statement.here]).toMatchObject({ kind: "signed" });
    expect(events[statement.there]).toMatchObject({ kind: "signed" });
    expect(plain(failing.events[statement.here])).not.toEqual(plain(events[statement.there]));
  });

  it("has no difference from itself", () => {
    const { event, statement } = siblingOf(passing.events, passing, "passing.yaml");
    expect([event, statement]).toEqual([undefined, undefined]);
  });

  it("differs at its end from a run that goes on", () => {
    const { event } = siblingOf(passing.events.slice(0, 30), passing, "passing.yaml");
    expect(event).toEqual({ here: 30, there: 30 });
  });
});
