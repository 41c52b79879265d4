import { expect, test } from "vitest";
import { allOracles, CATALOGUE } from "../../src/invariants/catalogue.ts";
import { createJudge } from "../../src/invariants/judge.ts";
import { VIOLATIONS_KEPT } from "../../src/invariants/limits.ts";
import { epochRun } from "./runs.ts";
import { details, Stream } from "./support.ts";
import { ALICE, accountSlot, BOB, hash, own, payment, setting } from "./vocabulary.ts";

const SLOT = accountSlot(ALICE, 0);
const [X, Y] = [hash("value x"), hash("value y")];

/** v3 and v4 commit twice. */
function broken(byzantine: readonly string[]): Stream {
  const stream = new Stream(setting({ byzantine }));
  stream.vote(["v1", "v3", "v4"], SLOT, X).vote(["v2", "v3", "v4"], SLOT, Y);
  return stream.commit(["v1", "v3", "v4"], SLOT, X).commit(["v2", "v3", "v4"], SLOT, Y);
}

function run(stream: Stream): ReturnType<typeof createJudge> {
  const all = createJudge(stream.setting);
  for (const record of stream.records) all.observe(record);
  return all;
}

test("the catalogue names every oracle once, by its own name, in the order of protocol 7", () => {
  expect(allOracles(setting()).map(({ name }) => name)).toEqual(CATALOGUE.map(({ name }) => name));
  expect(new Set(CATALOGUE.map(({ section }) => section)).size).toBe(16);
});

test("a clean run of three epochs has no findings, by all oracles together and by each alone", () => {
  const stream = epochRun();
  expect(run(stream).findings).toEqual([]);
  for (const oracle of allOracles(stream.setting)) expect(details(oracle, stream)).toEqual([]);
});

test("broken agreement is beyond f if more than f validators are Byzantine, and nothing else is found then", () => {
  const beyond = run(broken(["v3", "v4"])).findings;
  expect(beyond.map(({ invariant, beyondF }) => [invariant, beyondF])).toEqual([
    ["agreement", true],
    ["agreement", true],
  ]);
  const within = run(broken(["v4"])).findings;
  expect(within.filter(({ beyondF }) => beyondF)).toEqual([]);
  expect(new Set(within.map(({ invariant }) => invariant))).toEqual(
    new Set(["agreement", "amnesia", "accountability"]),
  );
});

test("per-node invariants judge beyond f too", () => {
  const stream = new Stream(setting({ byzantine: ["v3", "v4"] }))
    .apply("v1", own("x", 0, payment(ALICE, 0, BOB, 1000)))
    .end();
  expect(run(stream).findings.some(({ invariant, beyondF }) => invariant === "accounts" && !beyondF)).toBe(true);
});

test("a flood of one violation is counted and kept only so far", () => {
  const stream = new Stream(setting());
  for (let slot = 0; slot < 50; slot++)
    stream.vote(["v1"], accountSlot(ALICE, slot), X).vote(["v1"], accountSlot(ALICE, slot), Y);
  const all = run(stream);
  const kept = all.findings.filter(({ invariant }) => invariant === "amnesia");
  expect(kept).toHaveLength(VIOLATIONS_KEPT);
  expect(all.count).toBe(100);
});
