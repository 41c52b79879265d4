/** Data of campaigns and hunts for the tests of their pages. */
import { type SearchData, searchDataOf } from "../../src/report/search-data.ts";

export const ABOUT = { title: "file.ndjson", versions: { quorumlab: "0" } };

export const LONG: string = `${"long ".repeat(40)}<b>سلام</b>`;

export function linesOf(...lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

export function dataOfText(text: string): SearchData {
  const data = searchDataOf(text, ABOUT);
  if (!data.ok) throw new Error(data.error);
  return data.value;
}

/** A campaign with so many coverage points, kinds of faults and failures. */
export function campaignText(size: number): string {
  const progress = Array.from({ length: size }, (_, at) => ({
    ...{ type: "progress", runs: at + 1, failed: at >> 2, distinct: at >> 3, events: at * 900, points: at },
    ...{ by: { loss: at >> 1, crash: at >> 2 }, wall_ms: at * 210 },
  }));
  const runs = Array.from({ length: size >> 2 }, (_, at) => ({
    ...{ type: "run", seed: String(at * 4), failure_signature: `agreement account ${at >> 1} ${LONG}` },
    replay: `quorumlab fuzz --seed ${at * 4} --seeds 1`,
  }));
  const coverage = Array.from({ length: size }, (_, at) => ({
    ...{ type: "coverage", name: `point ${at}`, hits: at * 3, runs: at, by: { loss: at >> 1, crash: at >> 2 } },
  }));
  const slow = { type: "slow", seed: "4", events: 12_000, wall_ms: 812 };
  const summary = { type: "summary", runs: size, failed: runs.length, events: size * 900, operations: 5, final: 4 };
  return linesOf(...runs, ...progress, slow, ...coverage, summary);
}

export function huntText(size: number): string {
  const bugs = Array.from({ length: size }, (_, at) => ({
    ...{ type: "bug", bug: `variant-${at}`, source: `protocol 3.2 ${LONG}`, mistake: "a mistake", found: at % 5 > 0 },
    ...{ seeds: at % 5 > 0 ? at : null, seeds_95: at % 5 > 0 ? at * 3 : null, wall_ms: at % 5 > 0 ? at * 400 : null },
    ...{
      wall_ms_95: null,
      invariant: at % 5 > 0 ? "agreement" : null,
      ranges: 3,
      ranges_found: at % 5 > 0 ? 2 : at % 2,
    },
    ...{ shrunk_steps: null, replay: at % 5 > 0 ? "quorumlab fuzz --seed 1 --seeds 1" : null },
  }));
  return linesOf(...bugs, { type: "summary", runs: size, budget: 400, repeats: 3, self_check_failures: [] });
}
