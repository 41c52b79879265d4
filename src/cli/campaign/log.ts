/** Rows of `reports/campaigns.md`. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { replaceFile } from "../../campaign/embedded.ts";
import type { Members } from "../http.ts";

const HEADER = `| date | commit | command after \`fuzz\`, or from \`campaign\` on | worlds | operations | final | events | CPU time in s | findings |
|---|---|---|--:|--:|--:|--:|--:|---|
`;

export interface LogRow {
  readonly date: string;
  readonly commit: string;
  readonly command: string;
  /** Lines that `campaign start --json` printed. */
  readonly lines: readonly Members[];
}

/** Returns the row of a campaign. */
export function logRow({ date, commit, command, lines }: LogRow): string {
  const summary = lines.find(({ type }) => type === "summary") ?? {};
  const count = (name: string): string => String(summary[name] ?? 0);
  const seconds = Math.round(Number(summary["cpu_ms"] ?? 0) / 1_000);
  const sums = ["worlds", "operations", "final", "events"].map(count);
  return `| ${[date, commit, `\`${command}\``, ...sums, seconds, findingsIn(lines)].join(" | ")} |\n`;
}

/** Returns what a campaign found, in the words of the table. */
function findingsIn(lines: readonly Members[]): string {
  const summary = lines.find(({ type }) => type === "summary") ?? {};
  const told = lines.flatMap(({ type, ...line }) => {
    if (type === "failure") return [`seed ${line["seed"]}: ${line["signature"]}, open`];
    if (type === "finding" && line["closed_by"] === summary["commit"]) return [`${line["key"]}: closed`];
    if (type === "level")
      return [`${line["file"]}, rounds ${line["rounds"]}: ${line["counterexample"] ?? "not exhausted"}`];
    return type === "scenario" ? [`${line["file"]}: ${line["verdict"]}`] : [];
  });
  const jobs = Number(summary["worlds"] ?? 0) === 0 ? ` in ${summary["jobs"] ?? 0} jobs` : "";
  return told.length === 0 ? `none${jobs}` : told.join("; ").replaceAll("|", "\\|");
}

/** Puts a row below the last one of the table; a file without a table gets one. */
export function appendRow(file: string, row: string): void {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "# Campaigns\n\n";
  const lines = text.split("\n");
  const header = lines.findIndex((line) => line.startsWith("| date | commit |"));
  mkdirSync(dirname(file), { recursive: true });
  let end = header;
  while (lines[end]?.startsWith("|") === true) end += 1;
  const below = [...lines.slice(0, end), row.trimEnd(), ...lines.slice(end)].join("\n");
  replaceFile(file, header < 0 ? `${text}${HEADER}${row}` : below);
}
