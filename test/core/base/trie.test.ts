import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Trie } from "../../../src/core/base/trie.ts";

/** Keys that share prefixes and are prefixes of each other. */
const key = fc.string({ unit: fc.constantFrom("a", "b", "/", "0", "~"), maxLength: 6 });
const edit = fc.tuple(key, fc.option(fc.nat(3), { nil: undefined }));
const edits = fc.array(edit, { maxLength: 60 });

function played(steps: readonly (readonly [string, number | undefined])[]): [Trie<number>, Map<string, number>] {
  const map = new Map<string, number>();
  let trie = Trie.empty<number>();
  for (const [name, value] of steps) {
    trie = value === undefined ? trie.delete(name) : trie.set(name, value);
    if (value === undefined) map.delete(name);
    else map.set(name, value);
  }
  return [trie, map];
}

function sorted<V>(entries: Iterable<readonly [string, V]>): (readonly [string, V])[] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}

describe("a trie", () => {
  test("holds what a map holds after the same edits, in key order", () => {
    fc.assert(
      fc.property(edits, (steps) => {
        const [trie, map] = played(steps);
        expect([...trie.entries()]).toEqual(sorted(map));
        expect([...trie.values()]).toEqual(sorted(map).map(([, value]) => value));
        expect(trie.size).toBe(map.size);
        for (const [name] of steps) expect([trie.get(name), trie.has(name)]).toEqual([map.get(name), map.has(name)]);
      }),
    );
  });

  test("has one shape for one content, for any order of edits", () => {
    const shapeOf = (trie: Trie<number>) => JSON.stringify(trie.root);
    fc.assert(
      fc.property(edits, (steps) => {
        const [trie, map] = played(steps);
        expect(shapeOf(Trie.of([...map].reverse()))).toBe(shapeOf(trie));
      }),
    );
  });

  test("keeps every older version", () => {
    fc.assert(
      fc.property(edits, edits, (before, after) => {
        const [trie, map] = played(before);
        for (const [name, value] of after) value === undefined ? trie.delete(name) : trie.set(name, value);
        expect([...trie.entries()]).toEqual(sorted(map));
      }),
    );
  });

  test("is the same object after an edit that changes nothing", () => {
    fc.assert(
      fc.property(edits, key, (steps, name) => {
        const [trie] = played(steps);
        const value = trie.get(name);
        expect(value === undefined ? trie.delete(name) : trie.set(name, value)).toBe(trie);
      }),
    );
  });

  test("lists the keys within a prefix", () => {
    fc.assert(
      fc.property(edits, key, (steps, prefix) => {
        const [trie, map] = played(steps);
        expect([...trie.entriesWithPrefix(prefix)]).toEqual(sorted(map).filter(([name]) => name.startsWith(prefix)));
      }),
    );
  });

  test("names exactly the differences of two versions, related or not", () => {
    fc.assert(
      fc.property(edits, edits, fc.boolean(), (steps, more, related) => {
        const [before, beforeMap] = played(steps);
        const [after, afterMap] = played(related ? [...steps, ...more] : more);
        const names = new Set([...beforeMap.keys(), ...afterMap.keys()]);
        const expected = sorted([...names].map((name) => [name, [beforeMap.get(name), afterMap.get(name)]] as const));
        const found = before
          .differences(after)
          .map((difference) => [difference.key, [difference.before, difference.after]] as const);
        expect(sorted(found)).toEqual(expected.filter(([, [a, b]]) => a !== b));
      }),
    );
  });
});
