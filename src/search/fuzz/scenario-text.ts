/** A scenario as the text of a file: short parts in one line, steps in one line each where they fit. */
import { Document, isMap, isSeq, type Node } from "yaml";
import type { Scenario } from "../../scenario/scenario.ts";

/** Characters of a part that may stand in one line. */
const LINE = 150;
const ORDER: readonly (keyof Scenario)[] = [
  "name",
  "shows",
  "bug",
  "network",
  "schedule",
  "genesis",
  "clients",
  "steps",
  "healing",
  "events",
  "expect",
  "invariants_off",
  "transcript",
];

/** The text; `head` are lines of a comment above it. The parser reads the same scenario from it. */
export function scenarioText(scenario: Scenario, head: readonly string[] = []): string {
  const ordered = ORDER.flatMap((key) => (scenario[key] === undefined ? [] : [[key, scenario[key]] as const]));
  const document = new Document(Object.fromEntries(ordered), { aliasDuplicateObjects: false });
  fold(document.contents);
  const comment = head.map((line) => `# ${line}`.trimEnd()).join("\n");
  return `${comment}${comment === "" ? "" : "\n"}${document.toString({ lineWidth: 0, flowCollectionPadding: true })}`;
}

/** What is short enough becomes one line; the file itself stays open. */
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
