/** Makes reports/mutation.md of the last run. Exits 1 where a survivor has no explanation, or an explanation no survivor. */
import { readFileSync, writeFileSync } from "node:fs";
import { matchReasons, readExplained } from "./explained.ts";
import { reportText } from "./markdown.ts";
import { type RawResult, readResults } from "./results.ts";

const RESULT = "reports/.mutation/result.json";
const EXPLAINED = "tools/mutation/explained.yaml";
const REPORT = "reports/mutation.md";

const files = readResults(JSON.parse(readFileSync(RESULT, "utf8")) as RawResult);
const survivors = files.flatMap((file) => file.survivors);
const matched = matchReasons(survivors, readExplained(readFileSync(EXPLAINED, "utf8")));
writeFileSync(REPORT, reportText(files, matched));
const { explained, unexplained, idle } = matched;
process.stdout.write(
  `${survivors.length} survivors: ${explained.length} explained, ${unexplained.length} not; ` +
    `${idle.length} explanations of none. See ${REPORT}\n`,
);
process.exitCode = unexplained.length + idle.length > 0 ? 1 : 0;
