/** Goal: sums over results do not depend on their order, and the least seed stands for a failure. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CampaignRow, JobResult } from "../../src/campaign/rows.ts";
import { totalsOf } from "../../src/campaign/summary.ts";

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

const worlds = fc.uniqueArray(fc.tuple(fc.constantFrom("fees", "agreement"), fc.nat(30)), {
  minLength: 1,
  selector: ([, seed]) => seed,
});

test("failures are counted by signature, with the least seed", () => {
  fc.assert(
    fc.property(worlds, fc.nat(), (drawn, turn) => {
      const results = drawn.map(([signature, seed]) => failing(signature, String(seed)));
      const turned = results.map((_, at) => results[(at + turn) % results.length] as JobResult);
      const { findings, ...sums } = totalsOf(turned).summary();
      expect(sums).toMatchObject({ jobs: drawn.length, worlds: drawn.length, failed: drawn.length });
      for (const { signature, worlds: count, seed } of findings) {
        const own = drawn.filter(([name]) => name === signature);
        expect([count, seed]).toEqual([own.length, String(Math.min(...own.map(([, number]) => number)))]);
      }
      expect(new Set(findings.map(({ signature }) => signature))).toEqual(new Set(drawn.map(([name]) => name)));
    }),
  );
});

test("a job that could not be done is among the errors, and no other one", () => {
  const done = failing("fees", "1");
  const [, job] = failing("fees", "2") as [CampaignRow, Extract<CampaignRow, { type: "job" }>];
  const { errors, jobs } = totalsOf([done, [{ ...job, error: "no such bug" }]]).summary();
  expect([jobs, errors.map(({ error }) => error)]).toEqual([2, ["no such bug"]]);
});
