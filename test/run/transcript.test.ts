/** Insertion of transcripts into scenario files. */
import { describe, expect, it } from "vitest";
import { withTranscript } from "../../src/run/transcript-text.ts";
import { parsed } from "./support.ts";

describe("a transcript is inserted", () => {
  const before = "# a comment\nname: n   # why\n";

  it("at the end of a file without one", () => {
    const text = withTranscript(before, ["1 a", '2 "b"']);
    expect(text.startsWith(before)).toBe(true);
    expect(parsed(text).transcript).toEqual(["1 a", '2 "b"']);
  });

  it("in place of the old one, with all other lines unchanged", () => {
    const old = `${before}transcript:\n  - "old"\n  - "older"\nshows: s # kept\n`;
    const text = withTranscript(old, ["new"]);
    expect(parsed(text)).toMatchObject({ transcript: ["new"], shows: "s" });
    expect(text).toContain("shows: s # kept");
    expect(withTranscript(text, ["new"])).toBe(text);
  });
});
