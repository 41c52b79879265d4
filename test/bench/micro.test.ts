/** The micro-benchmarks: each group runs, and names its rows. No test of time. */
import { describe, expect, test } from "vitest";
import { callsRow, groupText, measured, Stopwatch } from "../../bench/micro/harness.ts";
import { GROUPS } from "../../bench/micro/micro.ts";
import { BACKENDS } from "../../src/backends/secp256k1.ts";
import { OPERATION_KINDS } from "../../src/core/ledger/operations/kinds.ts";
import { CATALOGUE } from "../../src/invariants/catalogue.ts";
import { PROFILES } from "../../src/search/fuzz/swarm.ts";

const LEAST = { rounds: 1, ms: 0, quick: true };

/** First words of the names of rows that each group has. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  primitives: [
    ...["hash 100 bytes: noble", "hash 100 bytes: wasm"],
    ...[...BACKENDS, "stand-in"].flatMap((name) => [`sign: ${name}`, `recover: ${name}`]),
  ],
  step: [
    ..."submit start restart timer govern offer vote lock commit finality".split(" "),
    ..."roundChange proposal close disclosure fetch decisions status snapshot stateRequest statePieces".split(" "),
  ],
  apply: [...OPERATION_KINDS, "recovery", "forced debit", "list of a token"],
  oracles: CATALOGUE.map(({ name }) => name),
  draw: PROFILES,
  parse: ["body", "scenario file"],
  hosts: ["in this process", "native"],
};

/** True for a name that is `start`, or goes on behind it. */
function isNamed(name: string, start: string): boolean {
  return name.startsWith(start) && /^([,: ]|$)/.test(name.slice(start.length));
}

test("each group is one of those whose rows are known", () => {
  expect(GROUPS.map(({ name }) => name)).toEqual(Object.keys(NAMED));
});

test.each(GROUPS)("$name: each row has a name of its own and a value", async (group) => {
  const rows = await group.rows();
  const names = rows.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const lacking = (NAMED[group.name] ?? []).filter((start) => !names.some((name) => isNamed(name, start)));
  expect(lacking).toEqual([]);
  const results = measured(rows, LEAST);
  expect(results.map(({ name }) => name)).toEqual(names);
  const bad = results.filter(({ us, ratio, samples }) => ![us, ratio].every(Number.isFinite) || samples === 0);
  expect(bad).toEqual([]);
  const lines = groupText(group, results).split("\n");
  expect(lines[0]).toBe(`**${group.name}**: ${group.about}`);
  expect(lines.slice(4).map((line) => line.split(" | ")[0])).toEqual(names.map((name) => `| ${name}`));
});

describe("the harness", () => {
  test("makes all calls in turn, twenty at least, and says how many", () => {
    const made: string[] = [];
    const calls = ["a", "b", "c"].map((name) => () => made.push(name));
    const { run } = callsRow("calls", calls);
    expect(run(undefined as never)).toBe(21);
    expect(made.join("")).toBe("abc".repeat(7));
  });

  test("compares with the first row, or with the one that is named", () => {
    const rows = [callsRow("a", [() => 1]), callsRow("b", [() => 2]), callsRow("c", [() => 3], "b")];
    const [a, b, c] = measured(rows, LEAST);
    expect([a?.ratio, b?.ratio, c?.ratio]).toEqual([1, (b?.us ?? 0) / (a?.us ?? 0), (c?.us ?? 0) / (b?.us ?? 0)]);
    expect(() => measured([callsRow("a", [() => 1], "x")], LEAST)).toThrow("no row is called x");
  });

  test("has a stopwatch that adds up what it brackets, less the readings, and begins anew once it is read", () => {
    const readings = [0, 10, 100, 105, 200, 202];
    const watch = new Stopwatch({ now: () => readings.shift() ?? Number.NaN, timerOverhead: 1 });
    expect(watch.take()).toBeUndefined();
    const bracket = (): void => {
      watch.start();
      watch.stop();
    };
    bracket();
    bracket();
    expect(watch.take()).toBe(9 + 4);
    bracket();
    expect([watch.take(), watch.take()]).toEqual([1, undefined]);
  });

  test("refuses a row that does nothing", () => {
    expect(() => measured([{ name: "idle", run: () => 0 }], LEAST)).toThrow("idle did nothing");
    expect(() => callsRow("idle", [])).toThrow("idle: expected a call at least");
  });
});
