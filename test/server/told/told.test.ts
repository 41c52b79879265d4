/** Answers and frames that clients get, judged by an independent reading of what was applied (wire 1.4, 4). */
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { runsFor } from "../../depth.ts";
import { LONELY, PLANTED, round, SESSION } from "./planted.ts";
import { faultsOf, type Round, sessions } from "./session.ts";

/** Sessions that are drawn. */
const RUNS = runsFor({ test: 1, nightly: 10, soak: 200 });
/** Planted faults: every so many, as each takes a session. */
const EVERY = runsFor({ test: 5, nightly: 1, soak: 1 });
const SEEN = Object.keys(PLANTED).filter((_, at) => at % EVERY === 0);

afterEach(() => void vi.restoreAllMocks());

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
  const bob = { from: "bob", layout: "client", flag: true } as const;
  const rounds = [
    round("partition", 5),
    round("none", 20, { ...bob, kind: "payment", to: "issuer", value: 370, node: "v3" }),
    round("heal", 20, { ...bob, kind: "recovery", to: "carol", value: 1, node: "v2" }),
  ];
  expect(await faultsOf({ rounds, writeMode: "v1-only" })).toEqual([]);
});

test("payments that wait for an epoch to end are told as they were, when too few run for 30 s", async () => {
  const rounds: readonly Round[] = [
    { ...round("crash", 5, {}), node: "v2" },
    { ...round("partition", 5, {}), node: "v3" },
    { ...round("epoch", 5, { from: "bob", to: "carol", node: "v4" }), node: "v1" },
  ];
  expect(await faultsOf({ rounds, writeMode: "v2-only" })).toEqual([]);
});

test.each(SEEN)("is seen: %s", async (name) => {
  expect(await faultsOf(SESSION, PLANTED[name]?.())).not.toEqual([]);
});
