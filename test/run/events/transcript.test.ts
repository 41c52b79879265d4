/** Transcripts: events in scenario files, inserted as JSON and compared by content. */
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/run/events/run-event.ts";
import { diffTranscript, withTranscript } from "../../../src/run/events/transcript.ts";
import { parsed } from "../support.ts";

const slot = { kind: "account", owner: "alice", number: 0 } as const;
const unknown = { type: "unknown", hash: "0x12" } as const;
const VOTE: RunEvent = {
  ...{ step: 7, at: 10, kind: "signed", party: "v1", statement: "vote", epoch: 0, slot, round: 0, value: unknown },
};
const CRASH: RunEvent = { step: 9, at: 20, kind: "crashed", party: "v2" };
const TIMER: RunEvent = { step: 8, at: 15, kind: "timerExpired", party: "v1", timer: { type: "sync" } };

describe("a transcript is inserted", () => {
  const before = "# a comment\nname: n   # why\n";

  it("at the end of a file without one, without traffic, steps and hashes", () => {
    const text = withTranscript(before, [VOTE, TIMER, CRASH]);
    expect(text.startsWith(before)).toBe(true);
    expect(parsed(text).transcript).toEqual([
      { at: 10, kind: "signed", party: "v1", statement: "vote", epoch: 0, slot, round: 0, value: { type: "unknown" } },
      { at: 20, kind: "crashed", party: "v2" },
    ]);
  });

  it("in place of the old one, with all other lines unchanged", () => {
    const old = `${before}transcript:\n  - { at: 0 }\n  - { at: 1 }\nshows: s # kept\n`;
    const text = withTranscript(old, [CRASH]);
    expect(parsed(text)).toMatchObject({ transcript: [{ at: 20, kind: "crashed", party: "v2" }], shows: "s" });
    expect(text).toContain("shows: s # kept");
    expect(withTranscript(text, [CRASH])).toBe(text);
  });
});

describe("a transcript is compared", () => {
  it("by content, whatever the order of members", () => {
    expect(diffTranscript([{ party: "v2", kind: "crashed", at: 20 }], [TIMER, CRASH])).toEqual([]);
    expect(diffTranscript(undefined, [CRASH])).toEqual([]);
  });

  it("up to the first event that differs", () => {
    const [words] = diffTranscript([{ at: 20, kind: "crashed", party: "v3" }], [CRASH]);
    expect(words).toMatch(/^transcript event 1: expected \{.*"v3"\}, got \{.*"v2"\}$/);
    expect(diffTranscript([], [CRASH])).toEqual([expect.stringContaining("expected the end, got")]);
  });
});
