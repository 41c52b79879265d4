import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type RecordingEntry, readRecording } from "../../src/live/recording.ts";
import { textOf } from "./support.ts";

const entries: readonly RecordingEntry[] = [0, 10, 20, 30].map((at) => ({
  type: "mark",
  at,
  steps: at * 2,
  hash: "0x1",
}));
const TEXT = textOf(entries);
const LINES = TEXT.split("\n");

describe("a recording's text", () => {
  test("reads back", () => {
    const read = readRecording(TEXT);
    expect(read).toMatchObject({ ok: true, value: { entries, bytes: TEXT.length } });
  });

  test("loses no whole line when its tail is torn off anywhere", () => {
    const head = (LINES[0]?.length ?? 0) + 1;
    fc.assert(
      fc.property(fc.integer({ min: head, max: TEXT.length }), (length) => {
        const read = readRecording(TEXT.slice(0, length));
        const whole = TEXT.slice(0, length).split("\n").length - 2;
        expect(read.ok && read.value.entries).toEqual(entries.slice(0, whole));
      }),
    );
  });

  test("is refused where a line before the last was changed, left out or moved", () => {
    const changed = TEXT.replace('"at":10', '"at":11');
    const without = LINES.toSpliced(2, 1).join("\n");
    const moved = LINES.toSpliced(1, 2, LINES[2] ?? "", LINES[1] ?? "").join("\n");
    for (const text of [changed, without, moved]) {
      const read = readRecording(text);
      expect(read.ok ? "" : read.error).toMatch(/^line [234]: its checksum is [0-9a-f]{16}, expected [0-9a-f]{16}/);
    }
  });

  test.each([
    ["", "line 1: expected the head"],
    ["name: x\n", "line 1: expected a JSON object that ends in a checksum"],
    [TEXT.slice(0, 20), "line 1: it has no end"],
  ])("of something else says what was expected: %j", (text, message) => {
    const read = readRecording(text);
    expect(read.ok ? "" : read.error).toContain(message);
  });

  test("of another format says which", () => {
    const other = textOf([]).replace('"format":1', '"format":9');
    const read = readRecording(other);
    expect(read.ok ? "" : read.error).toMatch(/^line 1/);
  });
});
