/** Goal: merged shards equal the whole campaign. Method: one campaign, whole and in shards. */
import { describe, expect, it } from "vitest";
import { mergeShards } from "../../../src/search/fuzz/merge.ts";
import { folder, runCommand } from "../../cli/support.ts";

const CAMPAIGN = [
  "fuzz",
  "--bug",
  "quorum-off-by-one",
  "--profile",
  "quick",
  "--seeds",
  "6",
  "--workers",
  "1",
  "--json",
];

async function shard(part: string): Promise<string> {
  return (await runCommand([...CAMPAIGN, "--out", folder({}), ...(part === "" ? [] : ["--shard", part])])).out;
}

describe("shards of a campaign", () => {
  it("have the runs, failures and coverage of the whole campaign", async () => {
    const whole = mergeShards([{ file: "whole", text: await shard("") }]);
    const parts = mergeShards([
      { file: "1", text: await shard("1/2") },
      { file: "2", text: await shard("2/2") },
    ]);
    if (!whole.ok || !parts.ok) throw new Error("what fuzz prints was not read");
    const { failures, ...sums } = parts.value;
    const { failures: expected, ...same } = whole.value;
    expect(sums).toEqual(same);
    const counts = (some: typeof failures): object =>
      Object.fromEntries(some.map(({ failure_signature, runs }) => [failure_signature, runs]));
    expect(counts(failures)).toEqual(counts(expected));
    expect(sums.failed).toBeGreaterThan(0);
  });

  it("add up their counts, and list unfinished seeds", () => {
    const one = '{"type":"summary","runs":2,"operations":9,"final":5,"cpu_ms":1500,"unfinished_seeds":["7"]}';
    const other = '{"type":"summary","runs":1,"operations":4,"final":4,"cpu_ms":250.5,"unfinished_seeds":["8"]}';
    const early = '{"type":"summary","runs":3,"failed":0,"empty":0,"events":10}';
    const merged = mergeShards([one, other, early].map((text, at) => ({ file: `${at}`, text })));
    const sums = { runs: 6, operations: 13, final: 9, cpu_ms: 1_750.5, unfinished_seeds: ["7", "8"], unfinished: [] };
    expect(merged.ok && merged.value).toMatchObject(sums);
  });

  it("fail if many runs decided nothing, of what they were asked for", async () => {
    const merged = async (runs: number, operations: number, final: number) => {
      const text = JSON.stringify({ type: "summary", runs, operations, final, cpu_ms: 1, unfinished_seeds: [] });
      const { code, out } = await runCommand(["merge", `${folder({ "a.jsonl": text })}/a.jsonl`]);
      return [code, out.includes("nothing was decided")];
    };
    expect(await merged(20, 90, 0)).toEqual([1, true]);
    expect(await merged(20, 90, 1)).toEqual([0, false]);
    expect(await merged(20, 0, 0)).toEqual([0, false]);
    expect(await merged(19, 90, 0)).toEqual([0, false]);
  });

  it("without a summary count as far as they were printed, and are listed", () => {
    const line = '{"type":"run","seed":"3","failure_signature":"agreement / account","replay":"quorumlab run x"}\n';
    const merged = mergeShards([{ file: "cut.jsonl", text: line }]);
    expect(merged.ok && merged.value).toMatchObject({ runs: 1, failed: 1, unfinished: ["cut.jsonl"] });
  });

  it.each(['{"type":"mark","name":"restarted"}', '{"type":"run","place":"agreement / account"}'])(
    "of an earlier format are rejected: %s",
    (line) => {
      const merged = mergeShards([{ file: "a.jsonl", text: `${line}\n` }]);
      expect(merged.ok ? "" : merged.error).toBe(
        "a.jsonl:1: expected a line of format 2, got one of format 1: run the shard again",
      );
    },
  );

  it.each(["{", "no json", "[1]", '{"kind":"run"}', "null"])(
    "are rejected for the line %s, with its position",
    (line) => {
      const merged = mergeShards([{ file: "a.jsonl", text: `{"type":"summary"}\n${line}\n` }]);
      expect(merged.ok ? "" : merged.error).toMatch(/^a\.jsonl:2: expected a line of "quorumlab fuzz --json"/);
    },
  );
});
