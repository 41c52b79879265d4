import { expect, test } from "vitest";
import { Trie } from "../../src/core/base/trie.ts";
import { Digester } from "../../src/simulator/digest.ts";
import { lanesHex, Mix } from "../../src/simulator/random.ts";

const hexOf = (value: unknown): string => lanesHex(new Digester().of(value));

test("equal data has one digest, whether or not it was met before", () => {
  const digester = new Digester();
  const make = (): object => ({ a: 1, operations: [{ b: [2n, "x", undefined] }], seals: [true] });
  const first = make();
  expect(digester.of(first)).toBe(digester.of(first));
  expect(lanesHex(digester.of(make()))).toBe(hexOf(first));
});

test("different data has different digests", () => {
  const values = [
    ...[undefined, 0, 1, -1, 2 ** 40, 2 ** 32, "", "0", "1", true, false, 5n],
    ...[[], {}, [1], [[1]], [1, 2], [2, 1], { a: 1 }, { b: 1 }, { a: { b: 1 } }, { a: "b" }, ["ab", "c"], ["a", "bc"]],
    ...[{ a: {}, b: 1 }, Trie.of([["a", 1]]), Trie.of([["a", 2]])],
  ];
  expect(new Set(values.map(hexOf)).size).toBe(values.length);
});

test("what is no data is refused", () => {
  expect(() => hexOf({ a: () => 1 })).toThrow("expected plain data, got a function");
});

test("every bit of an event moves the hash", () => {
  const hashes = new Set<string>();
  for (let word = 0; word < 4; word++) {
    for (let bit = 0; bit < 32; bit++) {
      const words: [number, number, number, number] = [1, 2, 3, 4];
      words[word] = (words[word] as number) ^ (1 << bit);
      const mix = new Mix();
      mix.block(...words);
      hashes.add(lanesHex(mix.finish()));
    }
  }
  expect(hashes.size).toBe(128);
});
