/**
 * Goal: drawn worlds go where bugs live. Method: a fixed number of seeds reaches every mark but those that are named here
 * with the reason why they are rare.
 */
import { expect, test } from "vitest";
import { finished } from "../../../src/run/sliced.ts";
import { campaign } from "../../../src/search/fuzz/campaign.ts";
import { inTurn, seedsOf } from "../../../src/search/fuzz/seeds.ts";

const SEEDS = 160;

/** What so few worlds need not reach. */
const RARE: readonly string[] = [
  // Bounds that only floods reach.
  "queue full",
  // A grant and its revocation around one operation of its holder.
  "role lost in a race",
  // Lies that need a liar of one kind as the proposer of one slot.
  "checkpoint refused",
  "closing refused",
  "noticed: false checkpoint",
  "noticed: false closing",
  "noticed: false state",
  "noticed: double close",
  "noticed: double proposal",
  "state source changed",
  // More than f Byzantine validators that finalize what contradicts an honest ledger.
  "halted",
  // A recovery of an account that cannot pay; a certificate that overtakes its content everywhere.
  "recovery unpaid",
  "decision waited for content",
  // Liars that answer clients with a certificate of too few.
  "client doubted",
];

test(`${SEEDS} worlds fail in nothing, and reach every place that so many should reach`, () => {
  const seeds = inTurn(seedsOf(1n, SEEDS, { index: 1, count: 1 }));
  const worlds = { profile: "default", bug: undefined } as const;
  const { classes, marks } = finished(campaign({ worlds, seeds, stopAfter: undefined }));
  expect(classes).toEqual([]);
  const unreached = marks.flatMap(({ mark, hits }) => (hits === 0 && !RARE.includes(mark) ? [mark] : []));
  expect(unreached).toEqual([]);
});
