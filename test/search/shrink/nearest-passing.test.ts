/**
 * Goal: the nearest passing scenario passes, differs by one edit, and is described correctly. Method: known-bad
 * variants whose failure depends on one message, and one without a passing neighbour.
 */
import { describe, expect, test } from "vitest";
import { eventText } from "../../../src/run/events/event-text.ts";
import { eventLog } from "../../../src/run/events/recorder.ts";
import { operationLabels } from "../../../src/run/events/reference-text.ts";
import { partyOf, type RunEvent } from "../../../src/run/events/run-event.ts";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { runScenario } from "../../../src/run/run.ts";
import { createParser } from "../../../src/scenario/parse.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import { firstDifference } from "../../../src/search/shrink/difference.ts";
import { type NearestSearch, nearestPassing } from "../../../src/search/shrink/nearest-passing.ts";
import { failing } from "./support.ts";

const parser = createParser();

function searched(scenario: Scenario): NearestSearch {
  return runToEnd(nearestPassing({ scenario, seed: "1" }, parser));
}

function eventsIn(scenario: Scenario): readonly RunEvent[] {
  const { events, watch } = eventLog(20_000);
  runScenario(scenario, { seed: "1", watch });
  return events;
}

/** Validator that forgets its lock, and shows it, only if no commit arrived before its round change. */
const HIDDEN = failing("hidden");

describe("the nearest passing scenario", () => {
  const { nearest: sibling } = searched(HIDDEN);

  test("passes", () => {
    expect(runScenario(HIDDEN, { seed: "1" }).verdict).toBe("violation");
    const scenario = sibling?.scenario ?? HIDDEN;
    expect(parser.takes(scenario)).toBe(true);
    expect(runScenario(scenario, { seed: "1" })).toMatchObject({ verdict: "pass", reason: "" });
  });

  test("is described by events of both runs", () => {
    const [here, there] = [eventsIn(HIDDEN), eventsIn(sibling?.scenario ?? HIDDEN)];
    expect(sibling?.difference).toEqual(firstDifference(here, there));
    const [, first = "", second = ""] = /^(.*) before (.*)$/.exec(sibling?.difference.text ?? "") ?? [];
    expect(first).toMatch(/^v\d's commit to x in slot 0 of alice reaches v1$/);
    const [before, after] = [here, there].map((all) => {
      const labels = operationLabels(all);
      const clauses = all.filter((event) => partyOf(event) === "v1").map((event) => eventText(event, labels));
      return [clauses.indexOf(second), clauses.indexOf(first)];
    });
    for (const places of [before, after]) expect(Math.min(...(places ?? []))).toBeGreaterThanOrEqual(0);
    expect(before).toEqual([...(before ?? [])].sort((a, b) => a - b));
    expect(after).toEqual([...(after ?? [])].sort((a, b) => b - a));
  });

  test("is undefined if every edit fails, and the number of edits is reported", () => {
    const always = failing("always");
    const { nearest: none, runs } = searched(always);
    expect(none).toBeUndefined();
    expect(runs).toBeGreaterThan(3);
  });
});
