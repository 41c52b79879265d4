/** Files that the documents are made from: the hand-written prefaces, the scenarios, the table of the last hunt. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { findScenarios } from "../../src/scenario/files.ts";

/** Folders whose scenarios were written for one statement each; generated ones are left out. */
const FOLDERS = ["attacks", "bugs", "regressions", "rules", "workloads"];

/** The members of a scenario that the documents name. */
export interface ScenarioText {
  /** Without its folder and suffix. */
  readonly name: string;
  readonly path: string;
  readonly bug?: string;
  readonly shows?: string;
  readonly steps?: readonly { readonly after?: { readonly coverage?: string } }[];
  readonly expect?: readonly { readonly coverage?: string | readonly string[]; readonly violation?: string }[];
}

/** The result of a hunt for one variant. Seeds are a median over the ranges. */
export interface HuntSummary {
  readonly ranges: string;
  readonly seeds: string;
  /** `undefined` for a variant that no range detected. */
  readonly oracle: string | undefined;
}

/** The text before the generated sections of a document. */
export function preface(root: string, name: string): string {
  return readFileSync(join(root, "tools/docs", `${name}.md`), "utf8");
}

/** All hand-written scenarios, by path. */
export function scenarioTexts(root: string): readonly ScenarioText[] {
  const { files } = findScenarios(FOLDERS.map((folder) => join(root, "scenarios", folder)));
  return files.map(({ path, id }) => {
    const data = parse(readFileSync(path, "utf8")) as Omit<ScenarioText, "name" | "path">;
    return { ...data, name: id, path };
  });
}

/** The table of reports/hunt.md, by variant. */
export function lastHunt(root: string): ReadonlyMap<string, HuntSummary> {
  const text = readFileSync(join(root, "reports/hunt.md"), "utf8");
  const rows = text.matchAll(/^\| `([^`]+)` \| (\d+\/\d+) \| ([^|]+) \|[^|]+\|[^|]+\|[^|]+\| (\w+|–) \|$/gm);
  const found = [...rows].map(
    ([, variant, ranges, seeds, oracle]) =>
      [
        variant ?? "",
        { ranges, seeds: seeds?.trim(), oracle: oracle === "–" ? undefined : oracle } as HuntSummary,
      ] as const,
  );
  if (found.length === 0) throw new Error("reports/hunt.md: expected a table of variants");
  return new Map(found);
}
