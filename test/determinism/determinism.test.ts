/**
 * Goal: one scenario and one seed give one result everywhere: verdict, hash, events, state roots, certificates,
 * transcript, coverage. Method: scenario files and generated ones, twice in this process, in two other processes, in a
 * worker, and in another time zone and locale. The other processes run the built program, this one the sources.
 */
import { describe, expect, test } from "vitest";
import { AWAY, CASES, hashesIn, hashesInWorker, resultsHere } from "./elsewhere.ts";

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
});
