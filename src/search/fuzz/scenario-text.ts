/** Scenario files as text, with short sections and steps in one line each. */
import { Document, isMap, isSeq, type Node } from "yaml";
import { DEFAULT_SEED } from "../../scenario/limits.ts";
import type { Scenario } from "../../scenario/scenario.ts";

/** Maximum length of a section in one line, in characters. */
const LINE = 150;
const ORDER: readonly (keyof Scenario)[] = [
  "name",
  "shows",
  "tags",
  "bug",
  "seed",
  "network",
  "schedule",
  "genesis",
  "clients",
  "steps",
  "healing",
  "events",
  "expect",
  "invariants_off",
  "allow_idle",
  "transcript",
];

/** Returns the text, with `head` as comment lines above it. The parser reads the same scenario from it, with the seed of its run. */
export function scenarioText(given: Scenario, head: readonly string[] = [], seed?: string): string {
  const scenario = seed === undefined ? given : withSeed(given, seed);
  const ordered = ORDER.flatMap((key) => (scenario[key] === undefined ? [] : [[key, scenario[key]] as const]));
  const document = new Document(Object.fromEntries(ordered), { aliasDuplicateObjects: false });
  fold(document.contents);
  const comment = head.map((line) => `# ${line}`.trimEnd()).join("\n");
  return `${comment}${comment === "" ? "" : "\n"}${document.toString({ lineWidth: 0, flowCollectionPadding: true })}`;
}

function withSeed({ seed: _before, ...scenario }: Scenario, seed: string): Scenario {
  return seed === DEFAULT_SEED ? scenario : { ...scenario, seed };
}

/** Short sections become one line; the file itself stays in block style. */
function fold(node: Node | null, depth = 0): void {
  if (node === null || !(isMap(node) || isSeq(node))) return;
  if (depth > 0 && JSON.stringify(node.toJSON()).length <= LINE && !(depth === 1 && isSeq(node))) {
    node.flow = true;
    return;
  }
  for (const item of node.items) {
    const part = isMap(node) ? (item as { readonly value: unknown }).value : item;
    fold(part as Node | null, depth + 1);
  }
}
