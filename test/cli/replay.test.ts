import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Millis } from "../../src/core/base/ids.ts";
import type { RecordingEntry } from "../../src/live/recording.ts";
import { HEAD, payment, recorded, submit, textOf } from "../live/support.ts";
import { folder, GOOD, refusalOf, runCommand } from "./support.ts";

/** Two payments and a crash, and what was seen of them. */
function lived(last = "v1"): { readonly entries: readonly RecordingEntry[]; readonly hash: string } {
  const { network, entries } = recorded();
  submit(network, "v1", payment("alice", 0));
  network.runTo(300 as Millis, 1_000_000);
  network.writeVerificationPoint();
  network.step({ crash: { node: "v3" } });
  submit(network, last, payment("alice", 1));
  network.runTo(900 as Millis, 1_000_000);
  network.writeVerificationPoint();
  return { entries, hash: network.hash };
}

const { entries, hash } = lived();
const TEXT = textOf(entries);
const path = folder({ "a.ndjson": TEXT, "b.ndjson": textOf(lived("v2").entries), "torn.ndjson": TEXT.slice(0, -7) });

describe("quorumlab replay", () => {
  it("runs a recording again and says that it is the same", async () => {
    const { code, lines } = await runCommand(["replay", join(path, "a.ndjson"), "--json"]);
    expect(code).toBe(0);
    expect(lines[0]).toMatchObject({ type: "replay", same: true, differs: null, hash, final: 2, violations: [] });
    const { out } = await runCommand(["replay", join(path, "a.ndjson")]);
    expect(out).toMatch(
      /^same {2}\d+ events, 900 ms virtual, 2 final\nhash {10}0x[0-9a-f]{32}\n(root v\d {6} 0x[0-9a-f]{64}\n)+certificates {2}0x/,
    );
  });

  it("replays what a torn recording still holds", async () => {
    const { code, lines } = await runCommand(["replay", join(path, "torn.ndjson"), "--json"]);
    expect([code, lines[0]?.["same"]]).toEqual([0, true]);
  });

  it("names the first verification point that is not met", async () => {
    const setup = { ...HEAD.setup, seed: "2" };
    const text = textOf(entries, { ...HEAD, setup });
    const { code, out } = await runCommand(["replay", join(folder({ "c.ndjson": text }), "c.ndjson")]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^differs {2}at 300 ms virtual: 0x[0-9a-f]{32} after \d+ events was recorded, now 0x[0-9a-f]{32} after/,
    );
    expect(out).toMatch(
      /\nsame until 0 ms virtual, 0 events; the first that differs is among these events.*\n {2}\d+ 0 ms {2}/,
    );
  });

  it("stops at the requested time, and prints every event on the way", async () => {
    const { code, out } = await runCommand(["replay", join(path, "a.ndjson"), "--until", "20", "--step"]);
    expect(code).toBe(0);
    expect(out.split("\n").filter((line) => /^\d+ 0 ms {2}v\d starts$/.test(line))).toHaveLength(5);
    expect(out).toContain(", 20 ms virtual, 0 final");
  });

  it("shows the first event in which two recordings differ", async () => {
    const { code, out } = await runCommand(["replay", join(path, "a.ndjson"), "--diff", join(path, "b.ndjson")]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^( {2}.*\n){3}- \d+ 300 ms {2}the outside sends .* to v1\n\+ \d+ 300 ms {2}the outside sends .* to v2\n$/,
    );
    const same = await runCommand(["replay", join(path, "a.ndjson"), "--diff", join(path, "a.ndjson")]);
    expect([same.code, same.out]).toEqual([0, expect.stringMatching(/^same/)]);
  });

  it("runs a saved run again under its seed, and says whether the hash is the one that was saved", async () => {
    const files = {
      "good.yaml": `${GOOD}\nseed: "7"\n`,
      "slow.yaml": GOOD.replace("genesis:", "network: { delay_ms: 30 }\ngenesis:"),
    };
    const saved = folder(files);
    const { lines } = await runCommand(["run", join(saved, "good.yaml"), "--json"]);
    const facts = (hash: unknown): string => JSON.stringify({ hash, steps: 3 });
    writeFileSync(join(saved, "good.json"), facts(lines[0]?.["hash"]));
    const { code, lines: same } = await runCommand(["replay", join(saved, "good.yaml"), "--json"]);
    expect([code, same[0]]).toEqual([0, expect.objectContaining({ same: true, seed: "7", verdict: "pass" })]);
    writeFileSync(join(saved, "good.json"), facts("0x1"));
    const { code: other, out } = await runCommand(["replay", join(saved, "good.yaml")]);
    expect([other, out]).toEqual([1, expect.stringMatching(/^differs {2}0x1 was saved; now \d+ events/)]);
    expect((await runCommand(["replay", join(saved, "slow.yaml")])).out).toContain("no hash was saved to compare with");
    writeFileSync(join(saved, "good.json"), JSON.stringify({ seed: "7", format: 1 }));
    const early = await runCommand(["replay", join(saved, "good.yaml")]);
    expect([early.code, early.err]).toEqual([2, expect.stringContaining("expected a saved run of format 6, got 1")]);
  });

  it("shows the first event in which two scenario files differ, and the events to a time", async () => {
    const saved = folder({ "a.yaml": GOOD, "b.yaml": GOOD.replace('value: "10"', 'value: "11"') });
    const { code, out } = await runCommand(["replay", join(saved, "a.yaml"), "--diff", join(saved, "b.yaml")]);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^( {2}.*\n)+- \d+ 0 ms {2}operation x is .*\n\+ \d+ 0 ms {2}operation x is .*\n$/),
    ]);
    const same = await runCommand(["replay", join(saved, "a.yaml"), "--diff", join(saved, "a.yaml")]);
    expect([same.code, same.out]).toEqual([0, expect.stringMatching(/^same {2}\d+ events\n$/)]);
    const early = await runCommand(["replay", join(saved, "a.yaml"), "--step", "--until", "0"]);
    expect(early.out).toMatch(/^1 0 ms {2}the scenario makes alice submit x\n/);
    expect(early.out).not.toMatch(/^\d+ [1-9]\d* ms/m);
  });

  it("refuses what is no recording", async () => {
    const file = join(folder({ "x.ndjson": "name: x\n" }), "x.ndjson");
    expect(await runCommand(["replay", file])).toEqual(refusalOf("x.ndjson: line 1: expected a JSON object"));
  });
});
