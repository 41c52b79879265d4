/** Health of a served network: quorums over the links that carry messages. */
import { describe, expect, it } from "vitest";
import { type HealthState, healthOf } from "../../src/page/live/health.ts";

const NAMES = ["v1", "v2", "v3", "v4"];

/** Four validators of which three must sign. `cut`: pairs that are apart, both ways. */
function network(
  cut: readonly (readonly [string, string])[] = [],
  { down = [], incorrect = [], spare = [] }: Partial<Record<"down" | "incorrect" | "spare", readonly string[]>> = {},
): HealthState {
  const nodes = [...NAMES, ...spare].map((node) => ({
    ...{ node, checkpoint: 0, pending: 0, isRunning: !down.includes(node) },
    ...{ isCorrect: !incorrect.includes(node), isByzantine: incorrect.includes(node) },
  }));
  const epoch = { number: 0, members: NAMES, opened: 0, fees: [] };
  const apart = cut.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]);
  const faults = [...apart, ...down, ...incorrect].map(String);
  return { nodes, epoch, quorum: 3, violations: [], cut: apart, faults };
}

const wordOf = (state: HealthState): string => healthOf(state).word;

describe("health of a network", () => {
  it("is stopped by two halves, and not by one validator apart", () => {
    const halves = ["v1", "v2"].flatMap((one) => ["v3", "v4"].map((other) => [one, other] as const));
    expect(healthOf(network(halves))).toMatchObject({ word: "stopped", reason: expect.stringContaining("at most 2") });
    expect(wordOf(network(NAMES.slice(0, 3).map((one) => [one, "v4"])))).toBe("faults");
    expect(wordOf(network())).toBe("healthy");
  });

  it("counts a link that is cut one way", () => {
    const { cut, ...state } = network([["v1", "v2"]]);
    const oneWay = cut.slice(0, 1);
    expect(wordOf({ ...state, cut: oneWay })).toBe("faults");
    const star = ["v2", "v3"].flatMap((one) => [["v1", one] as const, ["v4", one] as const]);
    expect(wordOf(network([...star, ["v2", "v3"]]))).toBe("stopped");
    expect(wordOf({ ...state, cut: [...star, ["v2", "v3"]] })).toBe("stopped");
  });

  it("is at risk where a quorum needs a Byzantine validator", () => {
    expect(wordOf(network([], { incorrect: ["v4"] }))).toBe("faults");
    expect(wordOf(network([], { incorrect: ["v4"], down: ["v3"] }))).toBe("at risk");
    expect(wordOf(network([], { down: ["v3", "v4"] }))).toBe("stopped");
  });

  it("does not count a spare validator", () => {
    expect(wordOf(network([], { down: ["v3", "v4"], spare: ["v5", "v6"] }))).toBe("stopped");
  });
});
