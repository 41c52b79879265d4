import { expect, test } from "vitest";
import type { PlannedAction } from "../../src/simulator/plan.ts";
import { copyOf, ms } from "./support.ts";
import { ledgerOf, namesOf, network } from "./validators.ts";

test.each([1, 4, 7])("%i validators decide every payment, agree, and end in the same state", (validators) => {
  const { world, watch } = network({ validators, accounts: 8, payments: 40 });
  expect(world.run({})).toBe("quiet");
  world.run({ at: ms(world.now + 60_000), quiet: false });
  expect(watch.decided.size).toBe(40);
  expect(watch.forks).toEqual([]);
  const ledgers = namesOf(validators).map((name) => ledgerOf(world, name));
  expect(new Set(ledgers).size).toBe(1);
});

test("a copy of a working network ends as its original", () => {
  const { world, plan } = network({ validators: 4, accounts: 4, payments: 20 });
  world.run({ steps: 300 });
  const copy = copyOf(world, plan);
  copy.run({});
  world.run({});
  expect(copy.hash).toBe(world.hash);
  expect(ledgerOf(copy, "v3")).toBe(ledgerOf(world, "v3"));
});

const FAULTS: PlannedAction[] = [
  { at: ms(20), action: { do: "crash", node: "v2", outputs: 3, restartAfterMs: 200 } },
  {
    at: ms(60),
    action: {
      do: "partition",
      groups: [
        ["v1", "v2"],
        ["v3", "v4"],
      ],
    },
  },
  { at: ms(900), action: { do: "heal" } },
  { at: ms(950), action: { do: "crash", node: "v3", output: { type: "persist" }, restartAfterMs: 500 } },
  { at: ms(30), action: { do: "byzantine", node: "v4", strategy: { name: "double-vote" } } },
  { at: ms(30), action: { do: "byzantine", node: "v4", strategy: { name: "double-commit" } } },
  { at: ms(3000), action: { do: "endFaults", healing: { atLeast: 3 } } },
];

const BAD = {
  delayMs: { from: 1, to: 60 },
  loss: { of: 1, in: 20 },
  duplicate: { of: 1, in: 20 },
  reorder: { of: 1, in: 4 },
};

test("under faults nothing forks, and after the healing every payment is answered", () => {
  for (let seed = 0; seed < 10; seed++) {
    const plan = { seed: `${seed}`, actions: FAULTS, link: BAD, disk: { writeMs: { from: 0, to: 4 } } };
    const { world, watch } = network({ validators: 4, accounts: 6, payments: 40, plan });
    expect(world.run({ at: ms(200_000) })).toBe("quiet");
    expect(watch.forks).toEqual([]);
    expect(watch.amnesia).toEqual([]);
    expect(world.core).toEqual(["v1", "v2", "v3"]);
    expect(watch.decided.size).toBeGreaterThanOrEqual(40);
  }
});

test("twins of one validator break nothing", () => {
  for (let seed = 0; seed < 5; seed++) {
    const groups = [
      ["v1", "v4", "v2"],
      ["v4'", "v3"],
    ];
    const actions: PlannedAction[] = [
      { at: ms(0), action: { do: "partition", groups } },
      { at: ms(1500), action: { do: "endFaults", healing: { atLeast: 3 } } },
    ];
    const { world, watch } = network({
      validators: 4,
      accounts: 6,
      payments: 30,
      twins: ["v4"],
      plan: { seed: `${seed}`, actions },
    });
    expect(world.run({ at: ms(200_000) })).toBe("quiet");
    expect(watch.forks).toEqual([]);
    expect(watch.decided.size).toBeGreaterThanOrEqual(30);
  }
});
