/** Goal: sums over results do not depend on their order, and the least seed stands for a failure. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CampaignRow, JobResult } from "../../src/campaign/rows.ts";
import { summaryOf } from "../../src/campaign/summary.ts";

const ENDED = {
  worlds: 1,
  failed: 1,
  events: 3,
  operations: 2,
  final: 1,
  ms: 5,
  ended: 0,
  worker: "test",
  error: null,
};

/** The result of a job with one failing world. */
function failing(signature: string, seed: string): JobResult {
  const world = { type: "world", job: seed, seed, signature } as Extract<CampaignRow, { type: "world" }>;
  return [world, { type: "job", job: seed, kind: "fuzz", ...ENDED, follow: [] }];
}

const worlds = fc.uniqueArray(fc.tuple(fc.constantFrom("fees", "agreement"), fc.nat(3), fc.nat(30), fc.boolean()), {
  minLength: 1,
  selector: ([, seed, mutation, isMutation]) => `${seed} ${isMutation ? mutation : ""}`,
});

test("failures are counted by signature, with the least seed, mutations of a seed behind it", () => {
  fc.assert(
    fc.property(worlds, fc.nat(), (drawn, turn) => {
      const results = drawn.map(([signature, seed, mutation, isMutation]) =>
        failing(signature, isMutation ? `${seed}~${mutation}` : String(seed)),
      );
      const turned = results.map((_, at) => results[(at + turn) % results.length] as JobResult);
      const { findings, ...sums } = summaryOf(turned);
      expect(sums).toMatchObject({ jobs: drawn.length, worlds: drawn.length, failed: drawn.length });
      for (const { signature, worlds: count, seed } of findings) {
        const own = drawn.filter(([name]) => name === signature);
        const order = own.map(([, number, mutation, isMutation]) => number * 100 + (isMutation ? 1 + mutation : 0));
        const [number = "", mutation] = seed.split("~");
        expect(count).toBe(own.length);
        expect(Number(number) * 100 + (mutation === undefined ? 0 : 1 + Number(mutation))).toBe(Math.min(...order));
      }
      expect(new Set(findings.map(({ signature }) => signature))).toEqual(new Set(drawn.map(([name]) => name)));
    }),
  );
});

test("a job that could not be done is among the errors, and no other one", () => {
  const done = failing("fees", "1");
  const [, job] = failing("fees", "2") as [CampaignRow, Extract<CampaignRow, { type: "job" }>];
  const { errors, jobs } = summaryOf([done, [{ ...job, error: "no such bug" }]]);
  expect([jobs, errors.map(({ error }) => error)]).toEqual([2, ["no such bug"]]);
});
