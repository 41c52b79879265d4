/**
 * Parts of hand-written documents that measurements fill: the lines from `<!-- reports/FILE, SECTION: FILTER -->` to
 * `<!-- end -->` are the first table of that section, with the rows that the filter, an expression, matches.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const PART = /(<!-- (reports\/[\w.]+), ([^:\n]+): (.+) -->\n)[\s\S]*?(?=<!-- end -->)/g;

/** Returns a document with its parts as the reports are now. @throws Error for a part that the report does not have */
export function textWithParts(root: string, path: string): string {
  return readFileSync(join(root, path), "utf8").replace(
    PART,
    (_, head: string, report: string, title: string, filter) => {
      const rows = matchingRows(readFileSync(join(root, report), "utf8"), title, new RegExp(filter as string));
      if (rows.length === 0) throw new Error(`${path}: ${report} has no row like ${filter} in the section ${title}`);
      return `${head}${rows.join("\n")}\n`;
    },
  );
}

/** The first table of a section with those of its rows that match; empty without one. */
function matchingRows(report: string, title: string, filter: RegExp): readonly string[] {
  const section = report.split(/^#+ /m).find((part) => part.startsWith(`${title}\n`)) ?? "";
  const [head = "", rule = "", ...rows] =
    section
      .match(/(^\|.*\n)+/m)?.[0]
      .trimEnd()
      .split("\n") ?? [];
  const matching = rows.filter((row) => filter.test(row));
  return matching.length === 0 ? [] : [head, rule, ...matching];
}
