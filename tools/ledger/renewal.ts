/** Renewal of one row of the ledger. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { attempt, runResult } from "./attempt.ts";
import { type Builds, MAIN, originOf } from "./builds.ts";
import type { Reproduction, Row } from "./row.ts";

/** Context of a renewal. */
export interface Workshop {
  /** The root of the project, built. */
  readonly root: string;
  readonly builds: Builds;
  /** YYYY-MM-DD. */
  readonly today: string;
  readonly say: (line: string) => void;
}

export interface Renewal {
  readonly row: Row;
  /** Problems of the row, for the maintainer. */
  readonly complaints: readonly string[];
}

/** The row of a file after runs on the commits before its fix and on the present build. */
export function renewRow(file: string, old: Row | undefined, shop: Workshop): Renewal {
  const { bug, fixed, reproduced, why } = findShowingCommit(file, shop);
  const row = { bug, file, fixed, command: `npm run ledger -- --only ${basename(file, ".yaml")}` };
  const broken = presentFaults(file, shop);
  if (reproduced !== null) return { row: { ...row, reproduced }, complaints: broken };
  // An earlier reproduction stays in the ledger.
  const last = old?.reproduced ?? null;
  if (old === undefined || last === null) {
    // Without a reproduction the fix is written by hand.
    return { row: { ...row, fixed: old?.fixed ?? fixed, reproduced, why }, complaints: broken };
  }
  const gone = `${file} showed on ${last.commit} last on ${last.on}, and does so no more: ${why}`;
  return { row: { ...old, bug }, complaints: [gone, ...broken] };
}

interface Search {
  readonly bug: string;
  readonly fixed: string | null;
  readonly reproduced: Reproduction | null;
  /** Reason why it is not reproduced; empty if it is. */
  readonly why: string;
}

/** Searches the nearest commit before the fix that shows the bug: some files are younger than their fix. */
function findShowingCommit(file: string, { root, builds, today, say }: Workshop): Search {
  const { name: bug } = parse(readFileSync(join(root, file), "utf8")) as { readonly name: string };
  const { added, before } = originOf(file, root);
  const emptySearch = (why: string): Search => {
    say(`  ${why}`);
    return { bug, fixed: added, reproduced: null, why };
  };
  let fixed = added;
  let without: readonly string[] = [];
  for (const commit of before) {
    const main = builds.mainOf(commit);
    if (main === undefined) return emptySearch(`${commit} has no command line that could run the file`);
    const tried = attempt(main, join(root, file), builds.folder);
    switch (tried.type) {
      case "shown":
        say(`  ${commit} ${tried.as.verdict}: ${tried.as.detail}`);
        return { bug, fixed, reproduced: { commit, on: today, ...tried.as }, why: "" };
      case "refused":
        return emptySearch(`${commit} refuses the file: ${tried.why}`);
      case "passed":
        ({ without } = tried);
        say(`  ${commit} passes${lackingText(without)}`);
        fixed = commit;
    }
  }
  return emptySearch(`the ${before.length} commits before pass as well${lackingText(without)}`);
}

function lackingText(without: readonly string[]): string {
  return without.length > 0 ? ` without ${without.join(", ")}, which it has no word for` : "";
}

function presentFaults(file: string, { root, say }: Workshop): readonly string[] {
  const result = runResult(join(root, MAIN), file, root);
  const words = result.type === "run" ? `${result.verdict} ${result.reason ?? ""}`.trim() : "refused";
  say(`  now ${words}`);
  return words === "pass" ? [] : [`${file} does not pass on the present build: ${words}`];
}
