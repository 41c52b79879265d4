/**
 * Goal: the first difference of two runs is reported correctly. Method: small synthetic runs with one difference; the
 * order across parties and repetitions do not count.
 */
import { expect, test } from "vitest";
import type { MessageRef, RunEvent, SlotRef, ValueRef } from "../../../src/run/events/run-event.ts";
import { firstDifference } from "../../../src/search/shrink/difference.ts";

const SLOT: SlotRef = { kind: "account", owner: "alice", number: 0 };
const VALUE: ValueRef = { type: "operation", operation: "x" };

function messageOf(word: string): MessageRef {
  if (word === "offer") return { type: "offer", slot: SLOT };
  if (word === "change") return { type: "roundChange", epoch: 0, slot: SLOT, round: 1 };
  return { type: word === "vote" ? "vote" : "commit", epoch: 0, slot: SLOT, round: 0, value: VALUE };
}

/** `10 v3 < v2 vote`: at 10 ms v2's vote reaches v3. `11 v3 commits`: v3 signs. */
function run(...lines: readonly string[]): readonly RunEvent[] {
  return lines.map((line, index): RunEvent => {
    const [at = "", party = "", verb = "", from = "", word = ""] = line.split(" ");
    const dated = { step: index + 1, at: Number(at) };
    if (verb === "<") return { ...dated, kind: "delivered", from, to: party, number: index, message: messageOf(word) };
    const signed = { ...dated, kind: "signed", party, epoch: 0, slot: SLOT } as const;
    if (verb === "changes") return { ...signed, statement: "roundChange", round: 1 };
    return { ...signed, statement: "commit", round: 0, value: VALUE };
  });
}

const RUN = ["10 v3 < v1 vote", "20 v3 < v2 commit", "25 v2 < v1 vote", "30 v3 < v1 change", "40 v3 commits"] as const;
const COMMITS = "v3 commits to x in slot 0 of alice";
const CHANGES = "v3 changes to round 1 of slot 0 of alice without a lock";
const CHANGE = "v1's change to round 1 of slot 0 of alice";
const COMMIT = "v2's commit to x in slot 0 of alice";

test("runs are equal if they are equal for each party, independent of the order across parties", () => {
  const other = run("5 v2 < v1 vote", "11 v3 < v1 vote", "20 v3 < v2 commit", "33 v3 < v1 change", "40 v3 commits");
  expect(firstDifference(run(...RUN), other)).toBeUndefined();
  expect(firstDifference(run(...RUN), run(...RUN, "50 v3 commits", "60 v3 < v2 commit"))).toBeUndefined();
});

test("two messages in another order", () => {
  const other = run("10 v3 < v1 vote", "15 v3 < v1 change", "16 v3 changes", "20 v3 < v2 commit", "25 v2 < v1 vote");
  expect(firstDifference(other, run(...RUN))).toEqual({
    step: 2,
    text: `${COMMIT} reaches v3 before ${CHANGE} does`,
    firstSignature: `${COMMITS} at 40 ms, where otherwise ${CHANGES} at 16 ms`,
  });
});

test("a message that only one of them has", () => {
  const without = run(...RUN.filter((line) => !line.includes("change")));
  expect(firstDifference(run(...RUN), without)?.text).toBe(`it never happens that ${CHANGE} reaches v3`);
  expect(firstDifference(without, run(...RUN))?.text).toBe(`${CHANGE} reaches v3, which never happens otherwise`);
});

test("a message that is late in one of them, while the other run diverges", () => {
  const late = run("10 v3 < v1 vote", "15 v3 < v2 offer", "25 v2 < v1 vote", "30 v3 < v1 change", "90 v3 < v2 commit");
  expect(firstDifference(late, run(...RUN))).toEqual({
    step: 2,
    text: `${COMMIT} reaches v3 at 20 ms, and not at 90 ms only`,
    firstSignature: `${COMMITS} at 40 ms, which it never does otherwise`,
  });
});

test("the earliest of several differences is reported", () => {
  const other = run("8 v4 < v1 vote", "10 v3 < v1 vote", "20 v3 < v1 change", "25 v2 < v1 vote");
  expect(firstDifference(run(...RUN), other)?.text).toBe(
    "v1's vote for x in slot 0 of alice reaches v4, which never happens otherwise",
  );
});

test("signatures of one moment in another order tell nothing", () => {
  const [one, other] = [
    run("10 v3 commits", "10 v3 changes"),
    run("9 v3 < v1 change", "10 v3 changes", "10 v3 commits"),
  ];
  expect(firstDifference(one, other)).toEqual({
    step: 1,
    text: `${CHANGE} reaches v3, which never happens otherwise`,
    firstSignature: undefined,
  });
});

test("the same statement in another epoch is told with its epoch", () => {
  const later = run("40 v3 commits").map((event) => (event.kind === "signed" ? { ...event, epoch: 1 } : event));
  expect(firstDifference(run("40 v3 commits"), later)?.text).toBe(`${COMMITS}, epoch 1, which never happens otherwise`);
});
