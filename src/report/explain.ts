/** Explanations of every name: refusal codes, invariants, coverage points, variants, and the words of the scenario language. */
import { BUGS } from "../bugs/catalogue.ts";
import { REFUSAL_CODES, REFUSALS } from "../core/base/refusal.ts";
import { CATALOGUE } from "../invariants/catalogue.ts";
import { ALL_COVERAGE_POINTS, COVERAGE_POINT_NAMES, WORLD_COVERAGE_POINTS } from "../scenario/coverage-points.ts";
import { publishedSchema } from "../scenario/schema/schema.ts";
import {
  alternativesOf,
  meaningsOf,
  memberOf,
  plainDescription,
  type SchemaNode,
  statedExample,
  valuesOf,
} from "../schema/nodes.ts";
import { closestWord } from "../schema/problem.ts";
import { modesOf, STRATEGIES, STRATEGY_NAMES, type StrategyName } from "../simulator/byzantine/registry.ts";
import type { Paint } from "./paint.ts";

/** One explanation. */
export interface Explanation extends NameText {
  readonly kind: ExplainedKind;
}

interface NameText {
  readonly name: string;
  readonly sentence: string;
  /** Section of a document in `docs`. */
  readonly section: string;
  /** Labels and texts in display order. */
  readonly more: readonly (readonly [label: string, text: string])[];
}

/** Names of each kind. */
const KINDS = {
  refusal: refusals,
  invariant: invariants,
  coverage: coveragePoints,
  variant: variants,
  key: (schema) => language(5, schema, Object.keys(schema.properties ?? {})),
  verb: (schema) => language(6, stepSchema(schema), alternativesOf(stepSchema(schema))),
  trigger: (schema) => {
    const after = memberOf(stepSchema(schema), "after");
    return language(7, after, Object.keys(after.properties ?? {}));
  },
  operation: (schema) => {
    const submit = memberOf(stepSchema(schema), "submit");
    return language(8, submit, alternativesOf(submit));
  },
  policy: policies,
  strategy: strategies,
  message: (schema) => choiceTexts(11, memberOf(memberOf(stepSchema(schema), "drop"), "kinds").items ?? {}),
  expectation: (schema) => language(12, expectationIn(schema), alternativesOf(expectationIn(schema))),
  misbehaviour: (schema) => choiceTexts(13, valuesOf(memberOf(expectationIn(schema), "reported"))),
} as const satisfies Readonly<Record<string, (schema: SchemaNode) => readonly NameText[]>>;

/** Kind of a name. */
export type ExplainedKind = keyof typeof KINDS;

/** Returns the explanation of every name, by kind, in display order. O(schema). */
export function explanations(): ReadonlyMap<ExplainedKind, readonly Explanation[]> {
  const schema = publishedSchema() as SchemaNode;
  const kinds = Object.entries(KINDS) as readonly (readonly [ExplainedKind, (typeof KINDS)[ExplainedKind]])[];
  return new Map(kinds.map(([kind, make]) => [kind, make(schema).map((text) => ({ kind, ...text }))]));
}

/** Returns the explanations of a name, one for each kind that has it; for an unknown name the closest known one. */
export function explain(name: string): readonly Explanation[] | { readonly closest: string | undefined } {
  const all = [...explanations().values()].flat();
  const found = all.filter((explanation) => explanation.name === name);
  if (found.length > 0) return found;
  const names = all.map((explanation) => explanation.name);
  return { closest: closestWord(name, names) };
}

function refusals(): readonly NameText[] {
  return REFUSAL_CODES.map((name) => {
    const { rule, status, section, givenBy } = REFUSALS[name];
    const giver =
      givenBy === "ledger" ? "the ledger rules" : "a validator, from its pending operations and the signatures";
    const more = [
      ["HTTP status", String(status)],
      ["given by", giver],
    ] as const;
    return { name, sentence: `Refused unless ${rule}.`, section, more };
  });
}

function invariants(): readonly NameText[] {
  return CATALOGUE.map(({ name, sentence, section, bugs, needsBound }) => {
    const excuse = needsBound
      ? "more than f Byzantine validators can violate it: then it is reported as beyond_f"
      : "holds however many validators are Byzantine";
    const more = [
      ["bugs", bugs.join(", ")],
      ["beyond f", excuse],
    ] as const;
    return { name, sentence, section: `protocol ${section}`, more };
  });
}

function coveragePoints(): readonly NameText[] {
  return COVERAGE_POINT_NAMES.map((name) => ({
    name,
    sentence: asSentence(ALL_COVERAGE_POINTS[name]),
    // Faults of the simulated world, or the protocol of the validators.
    section: Object.hasOwn(WORLD_COVERAGE_POINTS, name) ? "protocol 1.2" : "protocol 3 to 12",
    more: [],
  }));
}

function variants(): readonly NameText[] {
  return BUGS.map(({ name, mistake, source, caughtBy }) => ({
    name,
    sentence: asSentence(mistake),
    section: source,
    more: [
      ["caught by", caughtBy.join(", ")],
      ["example", `quorumlab fuzz --bug ${name} --stop-after 1`],
    ],
  }));
}

function policies(schema: SchemaNode): readonly NameText[] {
  const part = memberOf(memberOf(schema, "genesis"), "policies");
  return Object.entries(part.properties ?? {}).map(([name, choice]) => ({
    name,
    sentence: asSentence(`The policy of a genesis about ${choice.description}`),
    section: "specification 12.1",
    more: meaningsOf(choice).map(([word, meaning], at) => [at === 0 ? `${word}, the default` : word, meaning] as const),
  }));
}

function strategies(schema: SchemaNode): readonly NameText[] {
  const meanings = new Map(meaningsOf(memberOf(memberOf(stepSchema(schema), "byzantine"), "strategy")));
  return STRATEGY_NAMES.map((name) => {
    const modes = modesOf(name);
    return {
      name,
      sentence: asSentence(meanings.get(name) ?? ""),
      section: "scenarios 10",
      more: [...(modes.length === 0 ? [] : [["modes", modes.join(", ")] as const]), ["example", strategyExample(name)]],
    };
  });
}

/** Returns a step that starts a strategy on v4. */
export function strategyExample(name: StrategyName): string {
  const { towards, readsChance, readsOperation, readsField } = STRATEGIES[name];
  const [mode] = modesOf(name);
  const members = [
    ...(towards === undefined ? [] : [", towards: [v1]"]),
    ...(readsChance ? [", chance: 1/4"] : []),
    ...(mode === undefined ? [] : [`, mode: ${mode}`]),
    ...(readsField ? [', field: "claims[].seals", mutation: doubled'] : []),
    ...(readsOperation ? [", of: x"] : []),
  ];
  return `- { at: 0, byzantine: { node: v4, strategy: ${name}${members.join("")} } }`;
}

/** Members of a part of the scenario language, each with its example. */
function language(chapter: number, part: SchemaNode, names: readonly string[]): readonly NameText[] {
  return names.map((name) => {
    const { description } = memberOf(part, name);
    const example = statedExample(description);
    return {
      name,
      sentence: asSentence(plainDescription(description)),
      section: `scenarios ${chapter}`,
      more: example === undefined ? [] : [["example", example.trim()]],
    };
  });
}

/** The words of a choice. */
function choiceTexts(chapter: number, node: SchemaNode): readonly NameText[] {
  return meaningsOf(node).map(([name, meaning]) => ({
    name,
    sentence: asSentence(meaning),
    section: `scenarios ${chapter}`,
    more: [],
  }));
}

function stepSchema(schema: SchemaNode): SchemaNode {
  return memberOf(schema, "steps").items ?? {};
}

function expectationIn(schema: SchemaNode): SchemaNode {
  return memberOf(schema, "expect").items ?? {};
}

/** Returns a sentence: a capital letter at its start and a full stop at its end. */
export function asSentence(text: string): string {
  const start = text.startsWith("f + 1") ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

/** Name, sentence, section, and what else there is. */
export function explanationText({ kind, name, sentence, section, more }: Explanation, paint: Paint): string {
  const rows: readonly (readonly [string, string])[] = [["section", section], ...more];
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, text]) => `  ${paint("dim", label.padEnd(width))}  ${text}`);
  return `${paint("strong", name)} ${paint("dim", `(${kind})`)}\n  ${sentence}\n${lines.join("\n")}\n`;
}
