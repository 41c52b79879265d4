import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JSON_DEPTH } from "../../../src/server/limits.ts";
import { parseJson } from "../../../src/server/wire/json.ts";

/** JSON as clients write it: integers, and names that no object has twice. */
const integers = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "binary" }),
    fc.maxSafeInteger().map((value) => (value === 0 ? 0 : value)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.string({ maxLength: 4 }).filter((name) => name !== "__proto__"),
      tie("value"),
      {
        maxKeys: 4,
        noNullPrototype: true,
      },
    ),
  ),
})).value;

function message(text: string): string {
  const parsed = parseJson(text);
  if (parsed.ok) throw new Error(`${text} was accepted`);
  return parsed.error;
}

describe("parsing JSON", () => {
  test("gives what JSON.parse gives where nothing can be lost", () => {
    fc.assert(
      fc.property(integers, fc.constantFrom(undefined, 2), (value, indent) => {
        const parsed = parseJson(JSON.stringify(value, undefined, indent));
        expect(parsed).toEqual({ ok: true, value });
      }),
    );
  });

  test("gives the same for a text as clients serialize it and for one with a space before it", () => {
    const number = fc.constantFrom("0", "-0", "1.5", "1e3", "9007199254740991", "9007199254740992", "1e400");
    const name = fc.constantFrom("a", "b", "__proto__", "\\u0061", "1");
    const { text } = fc.letrec<{ text: string }>((tie) => ({
      text: fc.oneof(
        { maxDepth: 4 },
        number,
        fc.constantFrom('"a"', '"\\u0061"', '"\\ud800"', "true", "nul", '"'),
        fc.array(tie("text"), { maxLength: 3 }).map((items) => `[${items.join(",")}]`),
        fc
          .array(fc.tuple(name, tie("text")), { maxLength: 3 })
          .map((members) => `{${members.map(([key, value]) => `"${key}":${value}`).join(",")}}`),
      ),
    }));
    fc.assert(
      fc.property(text, (json) => {
        const [compact, spaced] = [parseJson(json), parseJson(` ${json}`)];
        if (compact.ok || spaced.ok) expect(compact).toEqual(spaced);
      }),
    );
  });

  test("keeps the digits of an integer of any size", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(1n << 300n), max: 1n << 300n }), (value) => {
        const parsed = parseJson(`[${value}]`);
        const isSafe = Number.isSafeInteger(Number(value));
        expect(parsed).toEqual({ ok: true, value: [isSafe ? Number(value) : String(value)] });
      }),
    );
    expect(parseJson("9007199254740991")).toEqual({ ok: true, value: 9007199254740991 });
    expect(parseJson("9007199254740993")).toEqual({ ok: true, value: "9007199254740993" });
  });

  test.each(["1.0", "1e3", "-0", "1E+2", "0.5", ".5", "+1", "007", "0x10", "1_000", "1n", "1.", "-0.0", "--1"])(
    "refuses the number %s, and says what stood there",
    (number) => expect(message(`{"value": ${number}}`)).toMatch(new RegExp(`got "${number.replace(/[.+]/g, "\\$&")}"`)),
  );

  test.each(["NaN", "Infinity", "undefined", "True", "nul", "'a'", "//"])("refuses the word %s", (word) =>
    expect(message(`[${word}]`)).toContain(`expected a JSON value, got ${JSON.stringify(word)} at character 1`),
  );

  test("refuses a name that stands twice, whatever its values and spelling", () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":{},"a":[]}',
      '{"a":1,"\\u0061":2}',
      '[{"b":{"a":1,"c":[{"a":2}],"a":1}}]',
    ])
      expect(message(text)).toBe('the name "a" is repeated in one object');
    expect(parseJson('{"a":{"a":[{"a":1},{"a":2}]}}').ok).toBe(true);
    expect(parseJson('{"a":"a","b":["a","a"]}').ok).toBe(true);
  });

  test("refuses __proto__ and pollutes no prototype", () => {
    for (const text of ['{"__proto__":{"polluted":1}}', '[{"\\u005f_proto__":1}]'])
      expect(message(text)).toContain("__proto__");
    const parsed = parseJson('{"constructor":{"prototype":{"polluted":1}},"toString":2}');
    expect(parsed).toMatchObject({ ok: true, value: { toString: 2 } });
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("refuses depth instead of overflowing the stack, and too many digits", () => {
    const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect(parseJson(nested(JSON_DEPTH)).ok).toBe(true);
    expect(message(nested(JSON_DEPTH + 1))).toContain("deeper than 32");
    expect(message("[".repeat(1_000_000))).toContain("deeper than 32");
    expect(message('{"a":'.repeat(1_000_000))).toContain("deeper than 32");
    expect(parseJson(`"${"[".repeat(100)}"`).ok).toBe(true);
    expect(parseJson("9".repeat(100)).ok).toBe(true);
    expect(message("9".repeat(101))).toContain("at most 100 digits");
    expect(message(`"${"\\".repeat(1_000_001)}`)).toContain("malformed");
  });

  test("never throws, and accepts nothing that JSON.parse refuses", () => {
    const soup = fc.array(
      fc.constantFrom(
        ..."{}[]:,\"\\ \n-+.0179eE'".split(""),
        '"a"',
        "true",
        "null",
        "\\u0061",
        "\\ud800",
        "__proto__",
        "\u0000",
        "é",
      ),
      { maxLength: 24 },
    );
    fc.assert(
      fc.property(soup, (pieces) => {
        const text = pieces.join("");
        if (parseJson(text).ok) expect(() => JSON.parse(text)).not.toThrow();
      }),
      { numRuns: 2_000 },
    );
  });
});
