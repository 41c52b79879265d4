/** Data of the report of a campaign or a hunt, from the file that it wrote. */
import { basename, dirname } from "node:path";
import { EmbeddedQueue } from "../campaign/embedded.ts";
import { type JobResult, resultsIn, wholeLines } from "../campaign/rows.ts";
import { courseOf, summaryOf } from "../campaign/summary.ts";
import { readLines } from "../report/searches/read-lines.ts";
import { type SearchData, searchDataOf } from "../report/searches/search-data.ts";
import { failureLines } from "./campaign/report.ts";
import { UsageError } from "./command.ts";
import { jsonLine } from "./output.ts";
import { versions } from "./reproduce.ts";

/** Returns the data of a file with this text. @throws UsageError for anything else */
export async function searchDataIn(path: string, text: string): Promise<SearchData> {
  const about = { title: basename(path), versions: versions() };
  const data = searchDataOf(isResults(text) ? await linesOfResults(path, text) : text, about);
  if (data.ok) return data.value;
  throw new UsageError(`${path}: ${data.error}`);
}

/** True for the file in which a campaign keeps its results: each row names its job. */
function isResults(text: string): boolean {
  const first = readLines(`${text.slice(0, text.indexOf("\n") + 1)}`);
  return first.ok && typeof first.value[0]?.["job"] === "string";
}

/** Returns what `campaign results --json` prints of results. The plan beside them knows how to repeat a seed. */
async function linesOfResults(path: string, text: string): Promise<string> {
  const results: readonly JobResult[] = resultsIn(wholeLines(text));
  const { findings, coverage: _, errors: __, unexpected: ___, ...sums } = summaryOf(results);
  const plan = await new EmbeddedQueue(dirname(path)).plan();
  const lines = [...failureLines(findings, plan), ...courseOf(results), { type: "summary", ...sums }];
  return lines.map(jsonLine).join("");
}
