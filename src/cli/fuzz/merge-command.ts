/** `quorumlab merge`: the shards of a campaign, put together again. */
import { readText } from "../../harness/files.ts";
import { type Merged, mergeShards } from "../../harness/fuzz/merge.ts";
import { type Paint, painter } from "../../report/paint.ts";
import { type Command, texts } from "../command.ts";
import { EXIT, UsageError } from "../exit-code.ts";
import { wantsColours } from "../io.ts";
import { fromEnv, JSON_OPTION } from "../options.ts";
import { SHARD_BYTES } from "./limits.ts";

export const mergeCommand: Command = {
  usage: "merge <files..>",
  description: "add up what the shards of a campaign printed as JSON lines",
  examples: [["$0 merge shard-1.jsonl shard-2.jsonl", "all failures by kind, and which marks no shard reached"]],
  build: (yargs, env) =>
    yargs
      .positional("files", {
        type: "string",
        array: true,
        demandOption: true,
        description: "outputs of fuzz --json",
      })
      .option("json", fromEnv(env, "json", JSON_OPTION)),
  run: async (args, io) => {
    const shards = texts(args, "files").map((file) => {
      const text = readText(file, SHARD_BYTES);
      if (!text.ok) throw new UsageError(`${file}: ${text.error.message}`);
      return { file, text: text.value };
    });
    const merged = mergeShards(shards);
    if (!merged.ok) throw new UsageError(merged.error);
    io.out(args["json"] === true ? mergedLines(merged.value) : mergedText(merged.value, painter(wantsColours(io))));
    return merged.value.failed > 0 ? EXIT.failed : EXIT.expected;
  },
};

function mergedLines({ failures, marks, unfinished, ...sums }: Merged): string {
  const lines = [
    ...failures.map((one) => ({ type: "failure", ...one })),
    ...marks.map((one) => ({ type: "mark", ...one })),
    { type: "summary", ...sums, passed: sums.runs - sums.failed, distinct: failures.length, unfinished },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function mergedText({ runs, failed, failures, marks, unfinished }: Merged, paint: Paint): string {
  const unreached = marks.filter(({ hits }) => hits === 0).map(({ name }) => name);
  return [
    ...failures.flatMap(({ place, runs: alike, seed, replay }) => [
      `${String(alike).padStart(6)} ${place} ${paint("dim", `(seed ${seed})`)}\n`,
      `       ${paint("dim", "again:")} ${replay}\n`,
    ]),
    ...unfinished.map((file) => `${paint("warn", "unfinished")} ${file}: it has no summary\n`),
    `${runs} worlds, ${paint(failed > 0 ? "bad" : "good", `${failed} failed`)}`,
    failed > 0 ? ` in ${failures.length} ${failures.length === 1 ? "way" : "ways"}\n` : "\n",
    paint("dim", `${marks.length - unreached.length} of ${marks.length} marks reached`),
    unreached.length === 0 ? "\n" : `${paint("dim", `; not: ${unreached.join(", ")}`)}\n`,
  ].join("");
}
