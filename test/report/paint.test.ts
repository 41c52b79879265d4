import { describe, expect, it } from "vitest";
import { painter, printable } from "../../src/report/paint.ts";

describe("what is written to a terminal", () => {
  it.each([
    ["\u001b]0;title\u0007", "\\u001b]0;title\\u0007"],
    ["\u001b[2J\u001b[5mother", "\\u001b[2J\\u001b[5mother"],
    ["\u009b2J\u007f\u0000\b", "\\u009b2J\\u007f\\u0000\\u0008"],
    ["a\rb", "a\\u000db"],
    ["\u202eabc\u2066", "\\u202eabc\\u2066"],
    ["x\r\u001b[K", "x\\u000d\\u001b[K"],
  ])("has controls of texts escaped: %j", (text, shown) => expect(printable(text)).toBe(shown));

  it("keeps line ends, tabs, colours, and the line that is drawn again", () => {
    const paint = painter(true);
    const colours = (["good", "bad", "warn", "dim", "strong"] as const).map((tone) => paint(tone, "x")).join("");
    for (const text of ["a\n\tb\r\nc", colours, "\r\u001b[K3 of 9", "für €, 😀"]) expect(printable(text)).toBe(text);
    expect(colours).toContain("\u001b[");
  });
});
