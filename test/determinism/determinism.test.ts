/**
 * Goal: one scenario and one seed give one result everywhere: verdict, hash, events, state roots, certificates,
 * transcript, coverage. Method: scenario files and generated ones, twice in this process, in two other processes, in a
 * worker, in another time zone and locale, and under the oldest and the newest Node. The other processes run the built
 * program, this one the sources.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { AWAY, type Case, hashesIn, hashesInWorker, nodeOf, resultsHere, VERSIONS } from "./elsewhere.ts";

const FILES = [
  "scenarios/rules/committees/committee-of-7.yaml",
  "scenarios/rules/recovery/nonces-conflict-and-block.yaml",
  "scenarios/rules/burns/burn-races-a-payment.yaml",
  "scenarios/rules/checkpoints/checkpoints-of-4.yaml",
  "scenarios/rules/fees/fees-shared-among-7.yaml",
  "scenarios/attacks/twins/twins-within-the-bound.yaml",
  "scenarios/bugs/hidden-locks.yaml",
];
const CASES: readonly Case[] = [
  ...FILES.flatMap((file) => ["1", "2"].map((seed): Case => ({ file, options: { seed } }))),
  ...["3", "4", "736~2"].map((seed): Case => ({ drawn: { seed, profile: "default" }, options: { seed } })),
  { drawn: { seed: "3", profile: "deep" }, options: { seed: "3" } },
  { file: "scenarios/rules/payments/payment.yaml", options: { seed: "1", crypto: "real" } },
];

const THIS_NODE = { node: process.execPath, env: {} };

describe("one scenario and one seed", () => {
  const here = resultsHere(CASES);

  test("give different results for different scenarios and seeds, with certificates and state roots", () => {
    expect(new Set(here).size).toBe(CASES.length);
    for (const result of here) {
      const { finals, validators } = JSON.parse(result) as { readonly finals: object[]; readonly validators: object[] };
      expect([finals.length > 0, validators.length > 0]).toEqual([true, true]);
    }
  });

  test("give the same result again in this process", () => expect(resultsHere(CASES)).toEqual(here));

  test("give one result in two other processes", () => {
    expect(hashesIn(THIS_NODE, CASES).results).toEqual(here);
    expect(hashesIn(THIS_NODE, CASES).results).toEqual(here);
  });

  test("give one result in a worker", async () => expect((await hashesInWorker(CASES)).results).toEqual(here));

  test("give one result in another time zone and locale", () => {
    const hashes = hashesIn({ ...THIS_NODE, env: AWAY }, CASES);
    expect([hashes.timeZone, hashes.locale]).toEqual(["Pacific/Chatham", "tr-TR"]);
    expect(hashes.results).toEqual(here);
  });

  describe.each(["oldest", "newest"] as const)("under the %s Node", (age) => {
    const node = nodeOf(age);

    test.skipIf(node === undefined)("give one result", () => {
      const hashes = hashesIn({ node: node as string, env: AWAY }, CASES);
      expect(hashes.node).toBe(VERSIONS[age]);
      expect(hashes.results).toEqual(here);
    });
  });
});

test("the oldest Node is the one that package.json promises, and both are those that are installed", () => {
  const read = (path: string): Record<string, Record<string, string>> =>
    JSON.parse(readFileSync(path, "utf8")) as Record<string, Record<string, string>>;
  expect(read("package.json")["engines"]?.["node"]).toBe(`>=${VERSIONS.oldest.replace(/\.0$/, "")}`);
  for (const [name, wanted] of Object.entries(
    read("test/determinism/nodes/package.json")["optionalDependencies"] ?? {},
  ))
    expect(wanted.split("@").at(-1)).toBe(VERSIONS[name.split("-")[0] as keyof typeof VERSIONS]);
});
