/** docs/bugs.md: the known-bad variants, by class, and the numbers of the classes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { BUGS } from "../../src/bugs/catalogue.ts";
import type { KnownBadVariant } from "../../src/bugs/known-bad-variant.ts";
import { rules as realRules } from "../../src/core/validator/rules.ts";
import { CATALOGUE } from "../../src/invariants/catalogue.ts";
import { asSentence } from "../../src/report/explain.ts";
import { type HuntRow, lastHunt } from "./hunt.ts";
import { code, codes, page, preface, type ScenarioText, scenarioTexts, table, wrapText } from "./markdown.ts";

/** The number of a row, as the code cites it. */
const NUMBER = /\b([A-J])-?\d{1,2}\b/g;

/** Classes of mistakes by their letters, and the numbers that code and scenarios cite, each with a sentence. */
type Classes = Readonly<Record<string, { readonly name: string; readonly numbers: Readonly<Record<string, string>> }>>;

const FILE = "tools/docs/bugs.yaml";

export function bugsDocument(root: string): string {
  const classes = parse(readFileSync(join(root, FILE), "utf8")) as Classes;
  checkNumbers(classes, scenarioTexts(root));
  const hunted = lastHunt(root);
  return page([
    preface(root, "bugs"),
    "## 4 Numbers",
    ...Object.entries(classes).flatMap(([letter, { name, numbers }], index) => [
      `### 4.${index + 1} ${letter === "none" ? "" : `Class ${letter}: `}${name}`,
      letter === "none"
        ? "Variants without a number come from traps of this protocol. Section 5 lists them."
        : numberTable(letter, numbers),
    ]),
    "## 5 Known-bad variants",
    wrapText(
      `There are ${BUGS.length} variants. Each has a scenario of its own name among the scenarios of bugs. A variant stands under the first class that its source names. The column *found by* ` +
        "names the oracle that caught the variant in the last hunt, with the median number of seeds until then; `0 of 3 ranges` " +
        "stands for a variant that it did not find, `not hunted` " +
        "stands for a variant that the hunt did not contain. The oracles behind the semicolon may catch the variant too.",
    ),
    ...Object.entries(classes)
      .map(([letter, { name }]) => ({ name, bugs: BUGS.filter((bug) => letterOf(bug) === letter) }))
      .filter(({ bugs }) => bugs.length > 0)
      .flatMap(({ name, bugs }, index) => [`### 5.${index + 1} ${name}`, variantTable(bugs, hunted)]),
  ]);
}

function numberTable(letter: string, numbers: Readonly<Record<string, string>>): string {
  const rows = Object.entries(numbers);
  const variants = (number: string): string =>
    codes(BUGS.filter(({ source }) => numbersIn(source).includes(number)).map(({ name }) => name)) || "–";
  const oracles = (number: string): string =>
    codes(CATALOGUE.filter(({ bugs }) => bugs.includes(number)).map(({ name }) => name)) || "–";
  return letter === "I"
    ? table(
        ["number", "property", "oracles"],
        rows.map(([number, text]) => [number, text, oracles(number)]),
      )
    : table(
        ["number", "mistake", "variants"],
        rows.map(([number, text]) => [number, text, variants(number)]),
      );
}

function variantTable(bugs: readonly KnownBadVariant[], hunted: ReadonlyMap<string, HuntRow>): string {
  const rows = bugs.map((bug) => {
    const { name, mistake: wrong, source, caughtBy } = bug;
    return [
      code(name),
      asSentence(wrong),
      [...numbersIn(source), sectionsIn(source)].filter((part) => part !== "").join("; "),
      changedFunctions(bug),
      detectionText(hunted.get(name), caughtBy),
    ];
  });
  return table(["variant", "mistake", "source", "changes", "found by"], rows);
}

function detectionText(hunted: HuntRow | undefined, caughtBy: readonly string[]): string {
  const first = firstDetectionText(hunted);
  const others = caughtBy.filter((name) => name !== hunted?.invariant);
  return others.length === 0 ? first : `${first}; ${codes(others)}`;
}

/** The oracle and the median, and the ranges where some did not contain a detection. */
function firstDetectionText(hunted: HuntRow | undefined): string {
  if (hunted === undefined) return "not hunted";
  const { invariant, seeds, ranges, ranges_found: found } = hunted;
  if (invariant === null) return `${found} of ${ranges} ranges`;
  const median = seeds === null ? "no median" : `${seeds} ${seeds === 1 ? "seed" : "seeds"}`;
  return `${code(invariant)}, ${found === ranges ? median : `${median}, ${found} of ${ranges} ranges`}`;
}

/** The functions of the core that a variant replaces, or the part of the program that it wraps. */
function changedFunctions({ rules, statement, program, attack }: KnownBadVariant): string {
  const changed = rules?.(realRules);
  const functions =
    changed === undefined
      ? []
      : (["consensus", "ledger", "validator"] as const).flatMap((room) =>
          Object.entries(changed[room])
            .filter(([name, value]) => value !== (realRules[room] as unknown as Record<string, unknown>)[name])
            .map(([name]) => code(name)),
        );
  return [
    ...functions,
    ...(statement === undefined ? [] : ["signed bytes"]),
    ...(program === undefined || attack !== undefined ? [] : ["steps of the program"]),
    ...(attack === undefined ? [] : ["with an attack"]),
  ].join(", ");
}

function numbersIn(source: string): readonly string[] {
  return [...source.matchAll(NUMBER)].map(([number]) => number);
}

function letterOf({ source }: KnownBadVariant): string {
  return numbersIn(source)[0]?.charAt(0) ?? "none";
}

/** The sections of the protocol, without the numbers of the catalogue. */
function sectionsIn(source: string): string {
  return source
    .split(/;\s*/)
    .filter((part) => numbersIn(part).length === 0)
    .join("; ")
    .replaceAll("design", "protocol");
}

/** Each number that the code or a scenario cites has a row. */
function checkNumbers(classes: Classes, scenarios: readonly ScenarioText[]): void {
  const phrases = scenarios.map(({ shows = "" }) => /bug[^;]*$/.exec(shows)?.[0] ?? "");
  const cited = [...BUGS.map(({ source }) => source), ...CATALOGUE.map(({ bugs }) => bugs.join(" ")), ...phrases];
  const known = new Set(Object.values(classes).flatMap(({ numbers }) => Object.keys(numbers)));
  const missing = new Set(cited.flatMap(numbersIn).filter((number) => !known.has(number)));
  if (missing.size > 0) throw new Error(`${FILE}: no sentence for ${[...missing].join(", ")}`);
}
