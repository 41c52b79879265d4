/**
 * Goal: the first difference of two runs is reported correctly. Method: small synthetic runs with one difference; the
 * order across parties and repetitions do not count.
 */
import { expect, test } from "vitest";
import type { PartyEvent } from "../../../src/run/narrative/party-events.ts";
import { firstDifference } from "../../../src/search/shrink/difference.ts";

/** `10 v3 < v2 vote`: at 10 ms v2's vote reaches v3. `11 v3 commits`: v3 signs. */
function run(...lines: readonly string[]): readonly PartyEvent[] {
  return lines.map((line, index): PartyEvent => {
    const [at = "", party = "", ...rest] = line.split(" ");
    const [arrow, from = "", word = ""] = rest;
    const common = { event: index + 1, at: Number(at), party };
    if (arrow !== "<") return { ...common, clause: `${party} ${rest.join(" ")}`, received: undefined, isSigned: true };
    const words = `${from}'s ${word}`;
    const heard = { from, to: party, kind: "vote" as const, text: words };
    return { ...common, clause: `${words} reaches ${party}`, received: heard, isSigned: false };
  });
}

const RUN = ["10 v3 < v1 vote", "20 v3 < v2 commit", "25 v2 < v1 vote", "30 v3 < v1 change", "40 v3 commits"] as const;

test("runs are equal if they are equal for each party, independent of the order across parties", () => {
  const other = run("5 v2 < v1 vote", "11 v3 < v1 vote", "20 v3 < v2 commit", "33 v3 < v1 change", "40 v3 commits");
  expect(firstDifference(run(...RUN), other)).toBeUndefined();
  expect(firstDifference(run(...RUN), run(...RUN, "50 v3 commits", "60 v3 < v2 commit"))).toBeUndefined();
});

test("two messages in another order", () => {
  const other = run("10 v3 < v1 vote", "15 v3 < v1 change", "16 v3 changes", "20 v3 < v2 commit", "25 v2 < v1 vote");
  expect(firstDifference(other, run(...RUN))).toEqual({
    event: 2,
    text: "v2's commit reaches v3 before v1's change does",
    firstSignature: "v3 commits at 40 ms, where otherwise v3 changes at 16 ms",
  });
});

test("a message that only one of them has", () => {
  const without = run(...RUN.filter((line) => !line.includes("change")));
  expect(firstDifference(run(...RUN), without)?.text).toBe("it never happens that v1's change reaches v3");
  expect(firstDifference(without, run(...RUN))?.text).toBe("v1's change reaches v3, which never happens otherwise");
});

test("a message that is late in one of them, while the other run diverges", () => {
  const late = run("10 v3 < v1 vote", "15 v3 < v2 offer", "25 v2 < v1 vote", "30 v3 < v1 change", "90 v3 < v2 commit");
  expect(firstDifference(late, run(...RUN))).toEqual({
    event: 2,
    text: "v2's commit reaches v3 at 20 ms, and not at 90 ms only",
    firstSignature: "v3 commits at 40 ms, which it never does otherwise",
  });
});

test("the earliest of several differences is reported", () => {
  const other = run("8 v4 < v1 vote", "10 v3 < v1 vote", "20 v3 < v1 change", "25 v2 < v1 vote");
  expect(firstDifference(run(...RUN), other)?.text).toBe("v1's vote reaches v4, which never happens otherwise");
});
