/** Records of the built program: the build writes literals that spread in another way, which must mean the same. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutSpreads } from "../../tools/spreads.mjs";

/**
 * Values of literals call `see`, which tells in what order they are evaluated. No literal repeats a plain name: the compiler
 * refuses it, and V8 gives `{ ...x, b: 1, a: 2, b: 3 }` the order a, b where `{ b: 1, a: 2, b: 3 }` has b, a.
 */
const name = fc.constantFrom("a", "b", "c", "d");
const { literal } = fc.letrec<{ literal: string; member: string; value: string }>((tie) => ({
  literal: fc
    .tuple(fc.uniqueArray(tie("member"), { maxLength: 5, comparator: repeats }), fc.constantFrom("", ","))
    .map(([members, end]) => `{ ${members.join(",\n ")}${members.length === 0 ? "" : end} }`),
  member: fc.oneof(
    fc.tuple(name, tie("value")).map(([key, value]) => `${key}: ${value} /* ${key}, ${key} */`),
    fc.tuple(name, tie("value")).map(([key, value]) => `["${key}"]: ${value}`),
    name,
    tie("value").map((value) => `...${value}`),
    tie("value").map((value) => `...(see() % 2 ? ${value} : undefined)`),
    name.map((key) => `${key}() { return { ...this, x: 1 }; }`),
    name.map((key) => `get ${key}() { return see(); }`),
  ),
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.constant("see()"), name, tie("literal")),
}));

/** Returns true if two members have one plain name; a spread and a computed name have none. */
function repeats(one: string, other: string): boolean {
  const plain = /^(?:get )?(\w+)/;
  const named = plain.exec(one)?.[1];
  return named !== undefined && named === plain.exec(other)?.[1];
}

/** Returns the record that an expression makes, with the values that it saw; methods by the record that they return. */
function made(expression: string): unknown {
  let seen = 0;
  const see = (): number => ++seen;
  const make = new Function("see", "a", "b", "c", "d", `return (${expression});`);
  const record = make(see, { a: 1, b: 2 }, { b: [3], e: 4 }, { c: 5 }, undefined) as object;
  return { text: JSON.stringify(record, (_, value) => (typeof value === "function" ? "method" : value)), seen };
}

describe("literals that spread", () => {
  test("make the same records in the same order", () => {
    fc.assert(
      fc.property(literal, (text) => {
        // A text that starts with a brace is a block.
        expect(made(withoutSpreads(`(${text})`))).toEqual(made(`(${text})`));
      }),
    );
  });

  test("keep the lines of their module", () => {
    fc.assert(
      fc.property(literal, (text) => {
        expect(withoutSpreads(`(${text})`).split("\n")).toHaveLength(text.split("\n").length);
      }),
    );
  });

  test.each([
    ["({ ...a, k: 1 })", "((Object.assign(Object.assign({} ,a) ,{k: 1}) ))"],
    ["({ k, ...a })", "((Object.assign( {k} ,a) ))"],
    ["({ ...a })", "({ ...a })"],
    ["({ a, ...b } = c)", "({ a, ...b } = c)"],
    ["({ ...a, get k() { return 1; } })", "({ ...a, get k() { return 1; } })"],
  ])("%s", (text, expected) => expect(withoutSpreads(text).replaceAll(/ +/g, " ")).toBe(expected));
});
