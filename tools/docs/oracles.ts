/** docs/oracles.md: the oracles from their catalogue, each with a real violation and the variants that it catches first. */
import { readFileSync } from "node:fs";
import { BUGS } from "../../src/bugs/catalogue.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { CATALOGUE, type CatalogueEntry } from "../../src/invariants/catalogue.ts";
import type { InvariantName, RunSetting } from "../../src/invariants/observation.ts";
import { asSentence } from "../../src/report/explain.ts";
import { runScenario } from "../../src/run/run.ts";
import { compile } from "../../src/scenario/compile/compile.ts";
import { createParser } from "../../src/scenario/parse.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { type HuntRow, lastHunt } from "./hunt.ts";
import { code, codes, page, preface, scenarioTexts, table, wrapText } from "./markdown.ts";

/** A scenario of a known-bad variant whose violation is short and typical. */
const EXAMPLES: Readonly<Record<InvariantName, string>> = {
  agreement: "quorum-off-by-one",
  irreversibility: "hasty-refusal",
  conservation: "lost-fee",
  accounts: "nonce-gap",
  authority: "role-checked-once",
  amnesia: "vote-before-persist",
  convergence: "never-compares",
  liveness: "private-cause",
  checkpoints: "allowance-of-any-role",
  fees: "stale-fees",
  accountability: "named-signer-reported",
  validity: "added-allowance",
  answers: "fee-not-told",
  footprint: "keeps-listed-records",
  fairness: "newest-first",
  recovery: "recovery-of-nothing",
};

export function oraclesDocument(root: string): string {
  const text = preface(root, "oracles");
  const hunted = lastHunt(root);
  const examples = violations(root);
  return page([
    text,
    "## 5 Summary",
    table(
      ["oracle", "protocol", "property", "beyond f"],
      CATALOGUE.map(({ name, section, sentence: property, needsBound }) => [
        code(name),
        section,
        property,
        needsBound ? "excused" : "judged",
      ]),
    ),
    ...CATALOGUE.flatMap((entry, index) => oracleSection(entry, index, hunted, examples, text)),
  ]);
}

function oracleSection(
  entry: CatalogueEntry,
  index: number,
  hunted: ReadonlyMap<string, HuntRow>,
  examples: Examples,
  text: string,
): readonly string[] {
  const { name, section, reads, judged, excuses, needsBound } = entry;
  const first = [...hunted].filter(([, { invariant }]) => invariant === name).map(([variant]) => variant);
  const others = BUGS.filter((bug) => bug.caughtBy.includes(name) && !first.includes(bug.name)).map((bug) => bug.name);
  const { violation, scenario, handled } = examples(entry);
  for (const record of handled)
    if (!text.includes(`| \`${record}\` |`)) throw new Error(`tools/docs/oracles.md: no row for the record ${record}`);
  return [
    `## ${index + 6} ${name} (protocol ${section})`,
    wrapText(asSentence(entry.sentence)),
    [
      item("Reads", `${reads} Records: ${codes(handled)}.`),
      item("Judges", judged),
      item("Excuses", excuses),
      item(
        "Beyond f",
        needsBound
          ? "Findings count as `beyond_f` once more than f validators of an epoch are Byzantine."
          : "The oracle judges honest validators whatever the number of Byzantine ones.",
      ),
      item("Catches first", first.length === 0 ? "No variant of the last hunt." : `${codes(first)}.`),
      item("May also catch", others.length === 0 ? "No other variant." : `${codes(others)}.`),
    ].join("\n"),
    `Example, from the scenario ${code(scenario)} of a known-bad variant:`,
    `\`\`\`text\n${wrapText(`${name}: ${violation}`)}\n\`\`\``,
  ];
}

function item(head: string, text: string): string {
  return wrapText(`- ${head}: ${text}`, "  ");
}

type Examples = (entry: CatalogueEntry) => {
  readonly scenario: string;
  readonly violation: string;
  readonly handled: readonly string[];
};

/** Runs the example of each oracle, and returns its first violation. */
function violations(root: string): Examples {
  const parser = createParser();
  const texts = scenarioTexts(root);
  return ({ name, oracle }) => {
    const scenario = EXAMPLES[name];
    const path = texts.find((text) => text.name === scenario && text.bug !== undefined)?.path;
    if (path === undefined) throw new Error(`the oracle ${name} has no example: no scenario is named ${scenario}`);
    const parsed = parser.parse(readFileSync(path, "utf8"));
    if (!parsed.ok) throw new Error(`${path}: ${parsed.error[0]?.message}`);
    const { expected, violations: found } = runScenario(parsed.value, { seed: "1" });
    const first = [...expected, ...found].find(({ invariant }) => invariant === name);
    if (first === undefined) throw new Error(`${path}: the run breaks no ${name}; name another example`);
    return { scenario, violation: first.detail, handled: oracle(settingOf(parsed.value)).handles };
  };
}

function settingOf(scenario: Scenario): RunSetting {
  return compile(scenario, { seed: "1", scheme: keyedHash }).setting;
}
