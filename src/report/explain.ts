/** Explanations of every name: refusal codes, invariants, coverage points, variants, and the words of the scenario language. */
import { BUGS } from "../bugs/catalogue.ts";
import { REFUSAL_CODES, REFUSALS } from "../core/ledger/refusals.ts";
import { CATALOGUE } from "../invariants/catalogue.ts";
import { ALL_COVERAGE_POINTS, COVERAGE_POINT_NAMES, WORLD_COVERAGE_POINTS } from "../scenario/coverage-points.ts";
import { closest } from "../scenario/problem.ts";
import { publishedSchema, type SchemaNode, statedExample } from "../scenario/schema/schema.ts";
import { modesOf, STRATEGIES, STRATEGY_NAMES, type StrategyName } from "../simulator/byzantine/registry.ts";
import type { Paint } from "./paint.ts";

/** One explanation. */
export interface Explanation {
  readonly kind: ExplainedKind;
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
  key: () => language("key", 5, schemaOf()),
  verb: () => language("verb", 6, alternativesOf(stepOf())),
  trigger: () => language("trigger", 7, memberOf(stepOf(), "after")),
  operation: () => language("operation", 8, alternativesOf(memberOf(stepOf(), "submit"))),
  strategy: strategies,
  message: () => words("message", 11, memberOf(memberOf(stepOf(), "drop"), "kinds").items ?? {}),
  expectation: () => language("expectation", 12, alternativesOf(expectationOf())),
  misbehaviour: () => words("misbehaviour", 13, valuesOf(memberOf(expectationOf(), "reported"))),
} as const;

/** Kind of a name. */
export type ExplainedKind = keyof typeof KINDS;

/** The kinds of names, in display order. */
export const EXPLAINED_KINDS = Object.keys(KINDS) as readonly ExplainedKind[];

/** Returns the explanation of every name of a kind. */
export function explanationsOf(kind: ExplainedKind): readonly Explanation[] {
  return KINDS[kind]();
}

/** Returns the explanations of a name, one for each kind that has it; for an unknown name the closest known one. */
export function explain(name: string): readonly Explanation[] | { readonly closest: string | undefined } {
  const all = EXPLAINED_KINDS.flatMap(explanationsOf);
  const found = all.filter((one) => one.name === name);
  if (found.length > 0) return found;
  return {
    closest: closest(
      name,
      all.map((one) => one.name),
    ),
  };
}

function refusals(): readonly Explanation[] {
  return REFUSAL_CODES.map((name) => {
    const { rule, status, section, givenBy } = REFUSALS[name];
    const giver =
      givenBy === "ledger" ? "the ledger rules" : "a validator, from its pending operations and the signatures";
    const more = [
      ["HTTP status", String(status)],
      ["given by", giver],
    ] as const;
    return { kind: "refusal", name, sentence: `Refused unless ${rule}.`, section, more };
  });
}

function invariants(): readonly Explanation[] {
  return CATALOGUE.map(({ name, sentence, section, bugs, needsBound }) => {
    const excuse = needsBound
      ? "more than f Byzantine validators can violate it: then it is reported as beyond_f"
      : "holds however many validators are Byzantine";
    const more = [
      ["bugs", bugs.join(", ")],
      ["beyond f", excuse],
    ] as const;
    return { kind: "invariant", name, sentence, section: `protocol ${section}`, more };
  });
}

function coveragePoints(): readonly Explanation[] {
  return COVERAGE_POINT_NAMES.map((name) => ({
    kind: "coverage",
    name,
    sentence: asSentence(ALL_COVERAGE_POINTS[name]),
    // Faults of the simulated world, or the protocol of the validators.
    section: Object.hasOwn(WORLD_COVERAGE_POINTS, name) ? "protocol 1.2" : "protocol 3 to 12",
    more: [],
  }));
}

function variants(): readonly Explanation[] {
  return BUGS.map(({ name, mistake, source, caughtBy }) => ({
    kind: "variant",
    name,
    sentence: asSentence(mistake),
    section: source,
    more: [
      ["caught by", caughtBy.join(", ")],
      ["example", `quorumlab fuzz --bug ${name} --stop-after 1`],
    ],
  }));
}

function strategies(): readonly Explanation[] {
  const meanings = new Map(meaningsOf(memberOf(memberOf(stepOf(), "byzantine"), "strategy")));
  const modes = (name: StrategyName): readonly (readonly [string, string])[] =>
    modesOf(name).length === 0 ? [] : [["modes", modesOf(name).join(", ")]];
  return STRATEGY_NAMES.map((name) => ({
    kind: "strategy",
    name,
    sentence: asSentence(meanings.get(name) ?? ""),
    section: "scenarios 10",
    more: [...modes(name), ["example", strategyExample(name)]],
  }));
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

/** The members of a part of the scenario language, each with its example. */
function language(kind: ExplainedKind, chapter: number, { properties = {} }: SchemaNode): readonly Explanation[] {
  return Object.entries(properties).map(([name, node]) => {
    const example = statedExample(node.description);
    return {
      kind,
      name,
      sentence: asSentence((node.description ?? "").split(/\.? ?Example: /)[0] ?? ""),
      section: `scenarios ${chapter}`,
      more: example === undefined ? [] : [["example", example.trim()]],
    };
  });
}

/** The words of a choice. */
function words(kind: ExplainedKind, chapter: number, node: SchemaNode): readonly Explanation[] {
  return meaningsOf(node).map(([name, meaning]) => ({
    kind,
    name,
    sentence: asSentence(meaning),
    section: `scenarios ${chapter}`,
    more: [],
  }));
}

function meaningsOf(node: SchemaNode): readonly (readonly [string, string])[] {
  const meanings = (node["enumDescriptions"] ?? []) as readonly string[];
  return ((node["enum"] ?? []) as readonly string[]).map((word, index) => [word, meanings[index] ?? ""]);
}

const schemaOf = (): SchemaNode => publishedSchema() as SchemaNode;
const stepOf = (): SchemaNode => memberOf(schemaOf(), "steps").items ?? {};
const expectationOf = (): SchemaNode => memberOf(schemaOf(), "expect").items ?? {};

function memberOf(node: SchemaNode, key: string): SchemaNode {
  return node.properties?.[key] ?? {};
}

function valuesOf({ additionalProperties }: SchemaNode): SchemaNode {
  return typeof additionalProperties === "object" ? additionalProperties : {};
}

/** The members of which exactly one stands. */
function alternativesOf(node: SchemaNode): SchemaNode {
  const keys = ((node["oneOf"] ?? []) as readonly { required: readonly string[] }[]).flatMap(
    ({ required }) => required,
  );
  return { properties: Object.fromEntries(keys.map((key) => [key, memberOf(node, key)])) };
}

function asSentence(text: string): string {
  const trimmed = text.trim();
  const whole = trimmed.endsWith(".") ? trimmed : `${trimmed}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

/** Name, sentence, section, and what else there is. */
export function explanationText({ kind, name, sentence, section, more }: Explanation, paint: Paint): string {
  const rows: readonly (readonly [string, string])[] = [["section", section], ...more];
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, text]) => `  ${paint("dim", label.padEnd(width))}  ${text}`);
  return `${paint("strong", name)} ${paint("dim", `(${kind})`)}\n  ${sentence}\n${lines.join("\n")}\n`;
}
