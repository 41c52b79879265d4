/** reports/hunt.md: how soon drawn worlds find each known-bad variant, from the matrix that `hunt` saved. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { code, codes, page, table, wrapText } from "./markdown.ts";

/** Result of a hunt for one variant. `seeds`: median over the ranges; `null` where half of them or more found nothing. */
export interface HuntRow {
  readonly bug: string;
  readonly seeds: number | null;
  readonly seeds_95: number | null;
  /** Oracle that caught it first; `null` if no range found it. */
  readonly invariant: string | null;
  readonly ranges: number;
  readonly ranges_found: number;
}

interface Hunt {
  readonly budget: number;
  readonly repeats: number;
  readonly first: string;
  readonly versions: { readonly commit: string };
  readonly self_check_failures: readonly string[];
  readonly bugs: readonly HuntRow[];
}

function hunt(root: string): Hunt {
  return JSON.parse(readFileSync(join(root, "reports/hunt.json"), "utf8")) as Hunt;
}

/** Returns the rows of the last hunt by variant. */
export function lastHunt(root: string): ReadonlyMap<string, HuntRow> {
  return new Map(hunt(root).bugs.map((row) => [row.bug, row]));
}

export function huntDocument(root: string): string {
  const { budget, repeats, first, versions, self_check_failures: failures, bugs } = hunt(root);
  const inEach = bugs.filter(({ ranges, ranges_found: found }) => found === ranges);
  const inSome = bugs.filter(({ ranges, ranges_found: found }) => found > 0 && found < ranges);
  const inNone = bugs.filter(({ ranges_found: found }) => found === 0);
  const early = bugs.filter(({ seeds }) => seeds !== null && seeds <= 100);
  const last = Number(first) + budget * repeats - 1;
  return page([
    "# How soon known-bad variants are found",
    wrapText(
      `${code("npm run docs")} writes this page from [hunt.json](hunt.json), of one run on commit ` +
        `${versions.commit.slice(0, 8)}:`,
    ),
    code(`npx quorumlab hunt --repeats ${repeats} --seeds ${budget} --shrink-runs 0`),
    wrapText(
      `Seeds ${first} to ${last} are divided into ${repeats} ranges of ${budget} drawn worlds; half of the worlds of a range ` +
        "after the first 48 mutate earlier ones. A row counts the worlds until the first detection: an invariant breaks " +
        "that may catch the variant, and the real program passes in the same world. Median and 95 % are over the ranges; " +
        `a range without a detection has none. Self-check: ${failures.length === 0 ? "passed" : failures.join("; ")}.`,
    ),
    wrapText(
      `${bugs.length} variants: ${inEach.length} are found in each range, ${inSome.length} in some, ${inNone.length} in ` +
        `none; ${early.length} have a median of at most 100 worlds.`,
    ),
    inSome.length === 0 ? "" : wrapText(`In some: ${codes(inSome.map(({ bug }) => bug))}.`),
    inNone.length === 0 ? "" : wrapText(`In none: ${codes(inNone.map(({ bug }) => bug))}.`),
    table(
      ["variant", "ranges", "worlds, median", "95 %", "caught by"],
      bugs.map(({ bug, ranges, ranges_found: found, seeds, seeds_95: most, invariant }) => [
        code(bug),
        `${found}/${ranges}`,
        String(seeds ?? "–"),
        String(most ?? "–"),
        invariant ?? "–",
      ]),
    ),
  ]);
}
