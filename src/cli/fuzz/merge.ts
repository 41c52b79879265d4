/** `quorumlab merge`: merges the shards of a campaign. */

import { countText } from "../../invariants/text.ts";
import type { Paint } from "../../report/paint.ts";
import { readText } from "../../scenario/files.ts";
import { type MergedCampaign, mergeShards } from "../../search/fuzz/merge.ts";
import { decidesNothing } from "../../search/fuzz/tally.ts";
import { type Command, EXIT, texts, UsageError } from "../command.ts";
import { painterFor } from "../io.ts";
import { filesArgument, JSON_OPTION } from "../options.ts";
import { jsonLine } from "../output.ts";
import { combinationsText, coverageText, idleText, runsText, unfinishedText } from "./report.ts";

/** Maximum size of one shard's output: 256 MiB. */
const SHARD_BYTES = 268_435_456;

export const mergeCommand: Command = {
  examples: [
    ["$0 merge shard-1.jsonl shard-2.jsonl", "failures by signature, and coverage points that no shard reached"],
  ],
  positionals: { files: filesArgument("outputs of fuzz --json") },
  options: { json: JSON_OPTION },
  run: async (args, io) => {
    const shards = texts(args, "files").map((file) => {
      const text = readText(file, SHARD_BYTES);
      if (!text.ok) throw new UsageError(`${file}: ${text.error.message}`);
      return { file, text: text.value };
    });
    const merged = mergeShards(shards);
    if (!merged.ok) throw new UsageError(merged.error);
    io.out(args["json"] === true ? mergedLines(merged.value) : mergedText(merged.value, painterFor(io)));
    return merged.value.failed > 0 || decidesNothing(countsOf(merged.value)) ? EXIT.failed : EXIT.expected;
  },
};

function mergedLines({ failures, coverage, combinations, unfinished, ...sums }: MergedCampaign): string {
  const lines = [
    ...failures.map((failure) => ({ type: "failure", ...failure })),
    ...coverage.map((row) => ({ type: "coverage", ...row })),
    ...Object.entries(combinations).map(([name, runs]) => ({ type: "combination", name, runs })),
    { type: "summary", ...sums, passed: sums.runs - sums.failed, distinct: failures.length, unfinished },
  ];
  return lines.map((line) => jsonLine(line)).join("");
}

/** Returns the counts as a campaign has them. */
function countsOf({ runs, operations, final: finals }: MergedCampaign): Parameters<typeof decidesNothing>[0] {
  return { runs, operations, finals };
}

function mergedText(merged: MergedCampaign, paint: Paint): string {
  const { runs, failed, failures, coverage, combinations, unfinished_seeds, unfinished, ...sums } = merged;
  return [
    ...failures.flatMap(({ failure_signature, runs: alike, seed, replay }) => [
      `${String(alike).padStart(6)} ${failure_signature} ${paint("dim", `(seed ${seed})`)}\n`,
      `       ${paint("dim", "reproduce:")} ${replay}\n`,
    ]),
    ...unfinished.map((file) => `${paint("warn", "unfinished")} ${file}: it has no summary\n`),
    `${runsText(runs, failed, failures.length, paint)}\n`,
    idleText(countsOf(merged), paint),
    unfinishedText(unfinished_seeds, paint),
    paint(
      "dim",
      `${countText(sums.operations, "operation")}, ${sums.final} final; ${(sums.cpu_ms / 1_000).toFixed(1)} s of CPU time\n`,
    ),
    coverageText(new Map(coverage.map(({ name, hits }) => [name, hits])), paint),
    combinationsText(new Map(Object.entries(combinations)), paint),
  ].join("");
}
