/** Answers and frames that clients get, judged by an independent reading of what was applied (wire 1.4, 4). */
import fc from "fast-check";
import { expect, test } from "vitest";
import { PLANTED, SESSION } from "./planted.ts";
import { faultsOf, sessions } from "./session.ts";

test("every answer and every frame of a random session says what was applied", async () => {
  await fc.assert(
    fc.asyncProperty(sessions, async (session) => {
      expect((await faultsOf(session)).slice(0, 5)).toEqual([]);
    }),
    { numRuns: 6, endOnFailure: true },
  );
}, 600_000);

test("one session with every kind of operation is told as it was, and one operation in it failed", async () => {
  expect((await faultsOf(SESSION)).slice(0, 5)).toEqual([]);
}, 120_000);

test.each(Object.keys(PLANTED))(
  "is seen: %s",
  async (name) => {
    expect(await faultsOf(SESSION, PLANTED[name]?.())).not.toEqual([]);
  },
  120_000,
);
