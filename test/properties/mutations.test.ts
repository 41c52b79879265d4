/**
 * Goal: whatever field of a message is another one, no validator throws, and the checks that refuse it are those that
 * docs/mutations.md names. Method: forks of validators in real runs take mutations of the messages of these runs.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { MUTATIONS } from "../../src/simulator/byzantine/field-mutations.ts";
import { MESSAGE_KINDS } from "../../src/simulator/byzantine/message-fields.ts";
import { type MutationCensus, mutationCensus, mutationsDocument } from "../../tools/docs/mutations.ts";

const ROOT = join(import.meta.dirname, "../..");

let census: MutationCensus;

beforeAll(() => {
  census = mutationCensus(ROOT);
});

test("no mutation of any message makes a validator throw", () => {
  expect([...new Set(census.thrown)].slice(0, 20)).toEqual([]);
});

test("messages of every kind are mutated, in every way", () => {
  expect(new Set(census.rows.map(({ kind }) => kind))).toEqual(new Set(MESSAGE_KINDS));
  expect(new Set(census.rows.map(({ mutation }) => mutation))).toEqual(new Set(Object.keys(MUTATIONS)));
});

test("each mutation is answered as docs/mutations.md says", () => {
  const path = join(ROOT, "docs/mutations.md");
  expect(readFileSync(path, "utf8"), "run npm run docs").toBe(mutationsDocument(ROOT, census));
});
