/** Answers and frames that clients get, judged by an independent reading of what was applied (wire 1.4, 4). */
import fc from "fast-check";
import { expect, test } from "vitest";
import { runsFor } from "../../depth.ts";
import { LONELY, PLANTED, SESSION } from "./planted.ts";
import { faultsOf, type Round, sessions } from "./session.ts";
import type { Write } from "./writes.ts";

/** Sessions that are drawn. */
const RUNS = runsFor({ test: 1, nightly: 10, soak: 200 });
/** Planted faults: every so many, as each takes a session. */
const EVERY = runsFor({ test: 5, nightly: 1, soak: 1 });
const SEEN = Object.keys(PLANTED).filter((_, at) => at % EVERY === 0);

test("every answer and every frame of a random session says what was applied", async () => {
  await fc.assert(
    fc.asyncProperty(sessions, async (session) => {
      expect((await faultsOf(session)).slice(0, 5)).toEqual([]);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

test("one session with every kind of operation is told as it was, and one operation in it failed", async () => {
  expect((await faultsOf(SESSION, {})).slice(0, 5)).toEqual([]);
});

test("one session with validators alone and down is told as it was, and what they lost is posted again", async () => {
  expect((await faultsOf(LONELY)).slice(0, 5)).toEqual([]);
});

test("a recovery that is applied with another proof than the posted one is told to those of either", async () => {
  const round = (fault: Round["fault"], ms: number, ...writes: readonly Write[]): Round => ({
    ...{ guest: "none", writes, fault, node: "v3", ms },
  });
  const bob = { from: "bob", layout: "client", flag: true } as const;
  const rounds = [
    round("partition", 5),
    round("none", 20, { ...bob, kind: "payment", to: "issuer", value: 370, node: "v3" }),
    round("heal", 20, { ...bob, kind: "recovery", to: "carol", value: 1, node: "v2" }),
  ];
  expect(await faultsOf({ rounds, writeMode: "v1-only" })).toEqual([]);
});

test("payments that wait for an epoch to end are told as they were, when too few run for 30 s", async () => {
  const round = (fault: Round["fault"], node: Round["node"], write: Partial<Write>): Round => ({
    ...{ guest: "none", fault, node, ms: 5 },
    writes: [
      { kind: "payment", from: "alice", to: "bob", value: 7, layout: "client", node: "v1", flag: true, ...write },
    ],
  });
  const rounds = [
    round("crash", "v2", {}),
    round("partition", "v3", {}),
    round("epoch", "v1", { from: "bob", to: "carol", node: "v4" }),
  ];
  expect(await faultsOf({ rounds, writeMode: "v2-only" })).toEqual([]);
});

test.each(SEEN)("is seen: %s", async (name) => {
  expect(await faultsOf(SESSION, PLANTED[name]?.())).not.toEqual([]);
});
