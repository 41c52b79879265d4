/** The binary form of graphs: what is read is what was written, with the same objects in the same places. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Table } from "../../../src/core/base/table.ts";
import { Trie } from "../../../src/core/base/trie.ts";
import { GraphWriter, readGraph } from "../../../src/live/snapshot/graph.ts";
import { plainOf } from "../plain.ts";

const { plain } = fc.letrec<{ plain: unknown }>((tie) => ({
  plain: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(undefined, null, true, false, -0, Number.NaN, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
    fc.integer(),
    fc.double(),
    fc.bigInt(),
    fc.string({ unit: "grapheme" }),
    fc.stringMatching(/^0x[0-9a-f]{0,12}$/),
    fc.nat({ max: 1_500 }).map((count) => `0x${"1f".repeat(count)}`),
    fc.array(tie("plain")),
    fc.dictionary(fc.string(), tie("plain")).map((record) => ({ ...record })),
    fc.array(fc.tuple(fc.string(), tie("plain"))).map((entries) => new Map(entries)),
    fc.array(tie("plain")).map((items) => new Set(items)),
    fc.array(fc.tuple(fc.string(), tie("plain"))).map((entries) => new Table(entries)),
    fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,4}$/), tie("plain"))).map((entries) => Trie.of(entries)),
  ),
}));

function written(value: unknown, known: readonly object[] = []): Uint8Array {
  return Buffer.concat([...new GraphWriter(known).write(value)]);
}

describe("a written graph", () => {
  test("is read as it was, in the same order", () => {
    fc.assert(
      fc.property(plain, (value) => {
        const again = readGraph(written(value), []);
        expect(plainOf(again)).toEqual(plainOf(value));
        if (value instanceof Table)
          expect([...(again as typeof value).inOrderOfArrival()].map(plainOf)).toEqual(
            [...value.inOrderOfArrival()].map(plainOf),
          );
        expect(written(again)).toEqual(written(value));
      }),
    );
  });

  test("has a member of any name", () => {
    const value = JSON.parse('{"__proto__":"0x","toString":1}') as object;
    expect(Object.entries(readGraph(written(value), []) as object)).toEqual(Object.entries(value));
  });

  test("has one object where one was, within it and in what is known already", () => {
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1 }), fc.array(fc.nat(), { maxLength: 20 }), (values, places) => {
        const parts = values.map((value) => ({ value }));
        const [known = { value: undefined }] = parts;
        const all = { list: places.map((place) => parts[place % parts.length]), map: new Map(parts.entries()) };
        const again = readGraph(written(all, [known]), [known]) as typeof all;
        const numbers = (graph: typeof all): readonly number[] => {
          const distinct = [...new Set([known, ...graph.list, ...graph.map.values()])];
          return [...graph.list, ...graph.map.values()].map((one) => distinct.indexOf(one as typeof known));
        };
        expect(numbers(again)).toEqual(numbers(all));
      }),
    );
  });

  test("holds no function, and no object of a class that it does not know", () => {
    expect(() => written({ list: [() => 1] })).toThrow("expected plain data, got a function");
    expect(() => written(new Map([["x", new Date(0)]]))).toThrow("got an object of Date");
  });

  test("comes in slices, which put together are the same bytes", () => {
    const large = new Map(Array.from({ length: 20_000 }, (_, number) => [number, { number, text: `of ${number}` }]));
    const slices = [...new GraphWriter([]).write({ large })];
    expect(slices.length).toBeGreaterThan(10);
    expect(Math.max(...slices.map(({ length }) => length))).toBeLessThan(20_000);
    expect(plainOf(readGraph(Buffer.concat(slices), []))).toEqual(plainOf({ large }));
  });

  test("that is cut short is no graph", () => {
    const bytes = written({ list: ["one", "two", 3n] });
    for (let length = 0; length < bytes.length; length++)
      expect(() => readGraph(bytes.subarray(0, length), [])).toThrow();
    expect(() => readGraph(Buffer.concat([bytes, Buffer.of(0)]), [])).toThrow("left after its end");
  });
});
