/** Report and record of the guards that are kept, and the reasons of those that nothing notices. */

import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { type Guard, guardKey } from "./find.ts";

/** The text before the tables of the report. */
const PREFACE = "tools/guards/preface.md";

/** The whole text. */
export function reportText(
  guards: readonly Guard[],
  killers: Killers,
  reasons: ReadonlyMap<string, Reason>,
  faults: readonly string[],
): string {
  const folders = [...new Set(guards.map(folderOf))].sort();
  const rows = [
    ...folders.map((name) =>
      row(
        name,
        guards.filter((guard) => folderOf(guard) === name),
      ),
    ),
    row("all", guards),
  ];
  const survivors = guards.filter((guard) => killerOf(guard) === undefined);
  const listed = (equivalent: boolean): readonly string[] =>
    survivors
      .filter((survivor) => isEquivalent(survivor) === equivalent)
      .map((survivor) => `- ${placeText(survivor)}\n  ${whyOf(survivor)}`);
  return [
    readFileSync(PREFACE, "utf8"),
    "| Folder | Guards | Kept scenarios | Unit tests only | Without effect | Survivors | Score |",
    "| --- | --: | --: | --: | --: | --: | --: |",
    ...rows,
    ...(faults.length === 0 ? [] : ["", "## Faults of this report", "", ...faults.map((fault) => `- ${fault}`)]),
    "",
    "## Survivors",
    "",
    ...listed(false),
    "",
    "## Guards without effect",
    "",
    "Another check stands behind each, or it saves work: the program does the same without it.",
    "",
    ...listed(true),
    "",
  ].join("\n");

  function killerOf(guard: Guard): string | undefined {
    return killers[guardKey(guard)] ?? undefined;
  }

  function isEquivalent(guard: Guard): boolean {
    return killerOf(guard) === undefined && reasons.get(guardKey(guard))?.isEquivalent === true;
  }

  function whyOf(guard: Guard): string {
    return reasons.get(guardKey(guard))?.why ?? "**Not explained.**";
  }

  function row(name: string, all: readonly Guard[]): string {
    const found = all.map(killerOf);
    const kept = found.filter((path) => path?.startsWith("scenarios/")).length;
    const killed = found.filter((path) => path !== undefined).length;
    const idle = all.filter(isEquivalent).length;
    const score = `${(Math.floor((1000 * killed) / (all.length - idle)) / 10).toFixed(1)} %`;
    const counts = [all.length, kept, killed - kept, idle, all.length - killed - idle];
    return `| ${[name, ...counts, score].join(" | ")} |`;
  }
}

function folderOf({ file }: Guard): string {
  return file.split("/").slice(0, 3).join("/");
}

function placeText({ file, line, within, condition, branch }: Guard): string {
  if (branch === undefined) return `${file}:${line}, \`${within}\` does not say ${code(shortenText(condition))}`;
  return `${file}:${line}, \`${within}\`: ${code(shortenText(condition))} refuses no more with ${code(shortenText(branch))}`;
}

function shortenText(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`;
}

function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

export const RECORD = "reports/guards.json";
export const EXPLAINED = "tools/guards/explained.yaml";

/** Path of what fails without the guard, a kept scenario or a test file, by `guardKey`; null for a survivor. */
export type Killers = Readonly<Record<string, string | null>>;

interface Explanation {
  readonly why: string;
  /** Present if the program does the same without the guards. */
  readonly changes?: "nothing";
  /** Each as "function: condition". */
  readonly guards: readonly string[];
}

export interface Reason {
  readonly why: string;
  /** True if the program does the same without the guard, so that nothing can notice it. */
  readonly isEquivalent: boolean;
}

/** Reasons by `guardKey`. @throws Error where the text is not a map of files to lists of `why` and `guards`. */
export function readReasons(text: string): ReadonlyMap<string, Reason> {
  const reasons = new Map<string, Reason>();
  for (const [file, explanations] of Object.entries((parse(text) ?? {}) as Record<string, readonly Explanation[]>)) {
    for (const { why, changes, guards } of explanations) {
      if (typeof why !== "string" || !Array.isArray(guards))
        throw new Error(`${EXPLAINED}: ${file}: expected a list of { why, guards: ["function: condition"] }`);
      for (const guard of guards as readonly string[]) {
        const key = `${file} ${guard}`;
        if (reasons.has(key)) throw new Error(`${EXPLAINED}: explained twice: ${key}`);
        reasons.set(key, { why: why.replace(/\s+/g, " ").trim(), isEquivalent: changes === "nothing" });
      }
    }
  }
  return reasons;
}

/** Survivors without a reason, and reasons of no survivor. */
export function faultsOf(
  guards: readonly Guard[],
  killers: Killers,
  reasons: ReadonlyMap<string, Reason>,
): readonly string[] {
  const survivors = new Set(guards.map(guardKey).filter((key) => killers[key] == null));
  const unexplained = [...survivors].filter((key) => !reasons.has(key)).map((key) => `no explanation: ${key}`);
  const idle = [...reasons.keys()].filter((key) => !survivors.has(key)).map((key) => `explains no survivor: ${key}`);
  return [...unexplained, ...idle];
}
