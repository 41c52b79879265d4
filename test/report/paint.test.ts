import { describe, expect, it } from "vitest";
import { painter, printable, REDRAW } from "../../src/report/paint.ts";

/** Every C0 and C1 control, DEL, and every mark of direction, but line ends and tabs. */
const CONTROLS = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code)).filter((character) =>
  /[\p{Cc}\p{Bidi_C}]/u.test(character.replace(/[\n\t]/, "")),
);

describe("what is written to a terminal", () => {
  it.each([
    ["\u001b]0;title\u0007", "\\u001b]0;title\\u0007"],
    ["\u001b[2J\u001b[5mother", "\\u001b[2J\\u001b[5mother"],
    ["\u001b[31mred\u001b[39m", "\\u001b[31mred\\u001b[39m"],
    ["\u009b2J\u007f\u0000\b", "\\u009b2J\\u007f\\u0000\\u0008"],
    ["a\rb", "a\\u000db"],
    ["\u202eabc\u2066\u200f", "\\u202eabc\\u2066\\u200f"],
    ["\r\u001b[Kx", "\\u000d\\u001b[Kx"],
  ])("has controls of texts escaped, beside a colour of this program: %j", (text, shown) => {
    expect(printable(text)).toBe(shown);
    expect(printable(painter(true)("bad", text))).toBe(`\u001b[31m${shown}\u001b[39m`);
  });

  it("has no control that a text brings, wherever it stands", () => {
    expect(CONTROLS.length).toBe(65 - 2 + 12);
    for (const control of CONTROLS) {
      const painted = printable(`${REDRAW}${painter(true)("dim", `${control}a${control}`)}${control}`);
      expect(painted.split(control).length - 1).toBe("\r\u001b[K\u001b[2m\u001b[22m".split(control).length - 1);
    }
  });

  it("keeps line ends, tabs, colours, and the line that is drawn again", () => {
    const paint = painter(true);
    const colours = (["good", "bad", "warn", "dim", "strong"] as const).map((tone) => paint(tone, "x")).join("");
    for (const text of ["a\n\tb\r\nc", "für €, 😀"]) expect(printable(text)).toBe(text);
    expect(printable(`${REDRAW}3 of 9`)).toBe("\r\u001b[K3 of 9");
    expect(printable(colours)).toBe(
      "\u001b[32mx\u001b[39m\u001b[31mx\u001b[39m\u001b[33mx\u001b[39m\u001b[2mx\u001b[22m\u001b[1mx\u001b[22m",
    );
  });
});
