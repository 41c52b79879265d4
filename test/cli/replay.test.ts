import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Millis } from "../../src/core/base/ids.ts";
import { type Entry, NO_SUM, recordLine } from "../../src/harness/live/recording.ts";
import { HEAD, payment, recorded, textOf } from "../harness/live/support.ts";
import { folder, told } from "./support.ts";

/** Two payments and a crash, and what was seen of them. */
function lived(last = "v1"): { readonly entries: readonly Entry[]; readonly hash: string } {
  const { network, entries } = recorded();
  network.submit("v1", payment("alice", 0));
  network.runTo(300 as Millis, 1_000_000);
  network.mark();
  network.step({ crash: { node: "v3" } });
  network.submit(last, payment("alice", 1));
  network.runTo(900 as Millis, 1_000_000);
  network.mark();
  return { entries, hash: network.hash };
}

const { entries, hash } = lived();
const TEXT = textOf(entries);
const path = folder({ "a.ndjson": TEXT, "b.ndjson": textOf(lived("v2").entries), "torn.ndjson": TEXT.slice(0, -7) });

describe("quorumlab replay", () => {
  it("runs a recording again and says that it is the same", async () => {
    const { code, lines } = await told(["replay", join(path, "a.ndjson"), "--json"]);
    expect(code).toBe(0);
    expect(lines[0]).toMatchObject({ type: "replay", same: true, differs: null, hash, final: 2, violations: [] });
    const { out } = await told(["replay", join(path, "a.ndjson")]);
    expect(out).toMatch(
      /^same {2}\d+ events, 900 ms virtual, 2 final\nhash {10}0x[0-9a-f]{32}\n(root v\d {6} 0x[0-9a-f]{64}\n)+certificates {2}0x/,
    );
  });

  it("replays what a torn recording still holds", async () => {
    const { code, lines } = await told(["replay", join(path, "torn.ndjson"), "--json"]);
    expect([code, lines[0]?.["same"]]).toEqual([0, true]);
  });

  it("names the first mark that is not met", async () => {
    const setup = { ...HEAD.setup, seed: "2" };
    let sum = NO_SUM;
    const text = [{ ...HEAD, setup }, ...entries].map((one) => {
      const next = recordLine(sum, one);
      sum = next.sum;
      return next.line;
    });
    const { code, out } = await told(["replay", join(folder({ "c.ndjson": text.join("") }), "c.ndjson")]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^differs {2}at 300 ms virtual: 0x[0-9a-f]{32} after \d+ events was recorded, now 0x[0-9a-f]{32} after/,
    );
  });

  it("stops where it is told to, and prints every event on the way", async () => {
    const { code, out } = await told(["replay", join(path, "a.ndjson"), "--until", "20", "--step"]);
    expect(code).toBe(0);
    expect(out.split("\n").filter((line) => /^\d+ \d+ start v\d$/.test(line))).toHaveLength(5);
    expect(out).toContain(", 20 ms virtual, 0 final");
  });

  it("shows the first event in which two recordings differ", async () => {
    const { code, out } = await told(["replay", join(path, "a.ndjson"), "--diff", join(path, "b.ndjson")]);
    expect(code).toBe(1);
    expect(out).toMatch(/^( {2}.*\n){3}- \d+ 300 arrival the outside>v1 .*\n\+ \d+ 300 arrival the outside>v2 .*\n$/);
    const same = await told(["replay", join(path, "a.ndjson"), "--diff", join(path, "a.ndjson")]);
    expect([same.code, same.out]).toEqual([0, expect.stringMatching(/^same/)]);
  });

  it.each([
    [["replay", "nowhere.ndjson"], /nowhere\.ndjson: cannot be read/],
    [["replay", join(folder({ "x.ndjson": "name: x\n" }), "x.ndjson")], /x\.ndjson: line 1: expected a JSON object/],
    [["replay", join(path, "a.ndjson"), "--until", "soon"], /--until: expected virtual milliseconds, got "soon"/],
  ])("refuses what is no recording or time: %j", async (argv, message) => {
    const { code, err } = await told(argv);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});
