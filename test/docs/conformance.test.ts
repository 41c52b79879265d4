/** The table of statements refuses what would make it say more than the tests do. */
import { describe, expect, test } from "vitest";
import { type Chapters, choicesIn, conformanceText, type Statement } from "../../tools/docs/conformance.ts";
import { holdersInScenario, holdersInTest } from "../../tools/docs/holders.ts";

const CHOICES = new Map([["Amounts of 0", "Refused."]]);

function textOf(changes: Partial<Statement>, numbers: readonly number[] = [1]): string {
  const chapters: Chapters = {
    "The service": [{ number: 1, says: "Fees are fixed.", at: "specification 7", ...changes }],
  };
  return conformanceText(chapters, CHOICES, [{ path: "test/a.test.ts", title: "fees are fixed", numbers }]).join("\n");
}

describe("a statement", () => {
  test("has its sections and what holds it", () => {
    expect(textOf({})).toContain("| 1 | Fees are fixed. | specification 7 | `test/a.test.ts`: fees are fixed |");
    expect(textOf({ choice: "Amounts of 0" }, [])).toContain("*Amounts of 0*; we chose: Refused. (specification 16) |");
  });

  test("needs a test, a choice or a reason why it is open", () => {
    expect(() => textOf({}, [])).toThrow("1: no test or scenario holds it");
  });

  test("is open for a reason, and listed at the top", () => {
    expect(textOf({ open: "The fee varies." }, [])).toMatch(/^- 1: The fee varies\.$/m);
    for (const open of ["", " ", true, null] as unknown as string[])
      expect(() => textOf({ open })).toThrow("1: open: expected how the program deviates");
  });

  test("has a choice of the specification, the next number, and a section", () => {
    expect(() => textOf({ choice: "Amounts" })).toThrow(
      '1: choice: section 16 of docs/specification.md has no topic "Amounts"',
    );
    expect(() => textOf({ number: 2 })).toThrow("2: expected the number 1");
    expect(() => textOf({ at: "" })).toThrow("1: at: expected a text");
  });

  test("is one of those that tags name", () => {
    for (const number of [0, 2])
      expect(() => textOf({}, [1, number])).toThrow(`holds ${number}: expected a number from 1 to 1`);
  });
});

test("the choices are the rows of section 16 alone", () => {
  const text =
    "## 15 A\n| a | b |\n\n## 16 Decisions\n\n| topic | the program |\n|---|---|\n| Amounts of 0 | Refused. |\n";
  expect(choicesIn(text).get("Amounts of 0")).toBe("Refused.");
  expect(choicesIn(text).has("a")).toBe(false);
});

const titlesIn = (source: string): readonly string[] => holdersInTest("a.test.ts", source).map(({ title }) => title);

describe("a tag", () => {
  test.each([
    ['test("pays", () => {});', "pays"],
    ['it("pays", () => {});', "pays"],
    ["test(`pays $" + "{fee}`, () => {});", "pays …"],
    ['describe("a fee", () => {});', "a fee"],
    ['test.runIf(isHere)("pays", () => {});', "pays"],
    ['test.each([1, 2])("pays %i", () => {});', "pays …"],
  ])("stands above %s", (source, title) => {
    expect(titlesIn(`// holds: 1, 20\n${source}`)).toEqual([title]);
  });

  test("stands above a test of a group, whose title comes first", () => {
    const source = 'describe("a fee", () => {\n  // holds: 3\n  test("is fixed", () => {});\n});';
    expect(holdersInTest("a.test.ts", source)).toEqual([{ path: "a.test.ts", title: "a fee is fixed", numbers: [3] }]);
  });

  test.each([
    ['test.each([\n  // holds: 1\n  ["/a", 404],\n])("GET %s is %i", () => {});', "GET /a is 404"],
    ['const ROWS = [\n  // holds: 1\n  ["/a", 404],\n];\ntest.each(ROWS)("GET %s is %i", () => {});', "GET /a is 404"],
    ['const ROWS = {\n  // holds: 1\n  "a fee": 1,\n};\ntest.each(Object.entries(ROWS))("%s", () => {});', "a fee"],
    [
      'const ROWS = [\n  // holds: 1\n  [{ kind: "mint" }],\n];\ntest.each(ROWS)("$kind is free", () => {});',
      "mint is free",
    ],
  ])("stands above a row of a table", (source, title) => expect(titlesIn(source)).toEqual([title]));

  test.each([
    "const fee = 1;",
    "// Why.\ntest('pays', () => {});",
    "\ntest('pays', () => {});",
    "test.skip('pays', () => {});",
    "test.todo('pays');",
    "describe.skip('fees', () => {\n// holds: 1\ntest('pays', () => {});\n});",
    "test.skip.each([1])('pays %i', () => {});",
    "tested('pays', () => {});",
    "const ROWS = [\n// holds: 1\n['a']];\nother(ROWS);",
    "",
  ])("stands above nothing else: %j", (source) => {
    const text = source.includes("// holds:") ? source : `// holds: 1\n${source}`;
    expect(() => holdersInTest("a.test.ts", text)).toThrow(/^a\.test\.ts:\d+: the tag 1 stands above no test/);
  });

  test.each(["", " ", " x", " 1 2", " 1,2", " 1, "])("names numbers, not%j", (words) => {
    expect(() => holdersInTest("a.test.ts", `// holds:${words}\ntest("a", () => {});`)).toThrow("expected numbers");
  });

  test("in a scenario names it, unless it runs a known-bad variant", () => {
    const text = "name: fees are fixed\n# holds: 2, 3\nshows: specification 7\n";
    expect(holdersInScenario("a.yaml", text)).toEqual([{ path: "a.yaml", title: "fees are fixed", numbers: [2, 3] }]);
    expect(holdersInScenario("a.yaml", text.replace(/#.*\n/, ""))).toEqual([]);
    expect(() => holdersInScenario("a.yaml", `${text}bug: lost-fee\n`)).toThrow("a.yaml: a run of a known-bad variant");
  });
});
