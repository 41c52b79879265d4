/** The entries that a served network holds do not depend on the number of payments, whatever their clients sign. */
import { expect, test } from "vitest";
import type { Millis } from "../../src/core/base/ids.ts";
import { Table } from "../../src/core/base/table.ts";
import { payment, recorded, submit } from "./support.ts";

const EVENTS = 1_000_000;
/** Places of old records, a few bytes each, and the oracle `amnesia`'s last 64 slots of each validator. */
const GROWING: readonly string[] = [".archive.shelf", ".observers.judge.oracles.6/*"];

/** Returns the number of entries of all collections of a state, by their paths. */
function entriesIn(state: object): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const seen = new Set<unknown>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    const isPlain = !(Symbol.iterator in value || value instanceof Table);
    const members = value instanceof Table ? value.entries() : [...(isPlain ? [] : (value as Iterable<unknown>))];
    if (!isPlain) found.set(path, (found.get(path) ?? 0) + members.length);
    for (const [at, member] of members.entries())
      walk(member, path.endsWith("/*") ? path : path.endsWith(".oracles") ? `${path}.${at}` : `${path}/*`);
    if (isPlain) for (const [name, member] of Object.entries(value)) walk(member, `${path}.${name}`);
  };
  walk(state, "");
  return found;
}

test.each(["payments", "pairs of payments with one nonce"])("of %s", (what) => {
  const { network } = recorded();
  const [before, after] = [40, 80].map((end, at) => {
    for (let nonce = 40 * at; nonce < end; nonce++) {
      submit(network, "v1", payment("alice", nonce));
      if (what !== "payments") submit(network, "v2", payment("alice", nonce, "dave"));
      network.runTo((network.now + 2_500) as Millis, EVENTS);
    }
    return entriesIn(network.capture());
  });
  expect([network.archive.finals, network.findings]).toEqual([80, []]);
  const grown = [...(after ?? [])].filter(([path, count]) => count > (before?.get(path) ?? 0) + 20);
  expect(grown.filter(([path]) => !GROWING.includes(path))).toEqual([]);
});
