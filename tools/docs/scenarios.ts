/** docs/scenarios.md: the scenario language from its schema. */
import { asSentence, strategyExample } from "../../src/report/explain.ts";
import { TIME_MAX } from "../../src/scenario/limits.ts";
import { ACCOUNT, CHANCE, DECIMAL, DECIMAL_RANGE, KEY, NAME, RANGE } from "../../src/scenario/schema/scalars.ts";
import { publishedSchema } from "../../src/scenario/schema/schema.ts";
import {
  alternativesOf,
  meaningsOf,
  memberOf,
  plainDescription,
  type SchemaNode,
  statedExample,
  valuesOf,
  wordsOf,
} from "../../src/schema/nodes.ts";
import { STRATEGIES, STRATEGY_NAMES } from "../../src/simulator/byzantine/registry.ts";
import { code, codes, page, preface, table, wrapText, yamlBlock } from "./markdown.ts";

/** One step for each Byzantine strategy. */
export function strategyExamples(): ReadonlyMap<string, string> {
  return new Map(STRATEGY_NAMES.map((name) => [name, strategyExample(name)]));
}

export function scenariosDocument(root: string): string {
  const schema = publishedSchema() as SchemaNode;
  const step = memberOf(schema, "steps").items ?? {};
  const submit = memberOf(step, "submit");
  const workload = memberOf(step, "workload");
  const expected = memberOf(schema, "expect").items ?? {};
  return page([
    preface(root, "scenarios"),
    "## 5 Top-level keys",
    memberTable(schema),
    "Examples of the keys that no section below describes:",
    yamlBlock(
      ["name", "shows", "tags", "bug", "events", "invariants_off"]
        .map((key) => exampleOf(memberOf(schema, key), key))
        .join("\n"),
    ),
    ...sections(5, keysOf(schema, "network schedule genesis clients healing"), ["genesis.fees."]),
    "## 6 Steps",
    wrapText("A step holds exactly one verb, `at` or `after`, and with `submit` perhaps `only`."),
    memberTable(step, ["at", "after", "only"]),
    ...sections(6, keysOf(step, alternativesOf(step).join(" ")), ["govern."], { submit: 8, workload: 9 }),
    wrapText("`fees`, `checkpoints` and `epochs` of `govern` have the members of section 5."),
    "## 7 Triggers",
    wrapText("`after` names exactly one event. `by`, `times` and `plus_ms` narrow it."),
    triggerTable(memberOf(step, "after")),
    memberTable(memberOf(step, "after"), ["by", "times", "plus_ms"]),
    "## 8 Operations",
    wrapText("`submit` holds exactly one kind of operation, and any of these members:"),
    memberTable(submit, otherMembers(submit)),
    ...sections(8, keysOf(submit, alternativesOf(submit).join(" "))),
    "## 9 Orders of a workload",
    wrapText(
      "Each entry of `mix` in a `workload` holds one kind of order and perhaps a `weight`. A range or a list leaves a choice " +
        "open, and each order draws from it.",
    ),
    memberTable(workload),
    ...sections(9, keysOf(mixOf(workload), alternativesOf(mixOf(workload)).join(" "))),
    "## 10 Byzantine strategies",
    strategyTable(memberOf(memberOf(step, "byzantine"), "strategy")),
    "### 10.1 Modes",
    wrapText("`mode` says what is false. The first mode of each strategy is its default."),
    modeTable(),
    "## 11 Kinds of messages",
    wrapText("`drop` and `hold` select messages by `kinds`."),
    meaningTable("kind", memberOf(memberOf(step, "drop"), "kinds").items ?? {}),
    "## 12 Expectations",
    wrapText(
      "An expectation holds exactly one kind. The run checks it at the end, or at the time `at`. `violation`, `stalled`, " +
        "`nothing_final` and `all_final` are checked at the end only.",
    ),
    memberTable(expected, ["at", "within_ms", "faulty"]),
    ...sections(12, keysOf(expected, alternativesOf(expected).join(" "))),
    "## 13 Misbehaviour",
    wrapText("`reported` names the misbehaviour that an honest validator reported of a peer."),
    meaningTable("misbehaviour", valuesOf(memberOf(expected, "reported"))),
  ]);
}

function mixOf(workload: SchemaNode): SchemaNode {
  return memberOf(workload, "mix").items ?? {};
}

function keysOf(node: SchemaNode, keys: string): readonly (readonly [string, SchemaNode])[] {
  return keys.split(" ").map((key) => [key, memberOf(node, key)] as const);
}

/** The members beside those. */
function otherMembers(node: SchemaNode): readonly string[] {
  const kinds = alternativesOf(node);
  return Object.keys(node.properties ?? {}).filter((key) => !kinds.includes(key));
}

/**
 * A numbered section for each key: sentence, example, members; then one for each map inside it. `skipped` are starts of
 * paths, `linked` the chapters that list the members of a key.
 */
function sections(
  chapter: number,
  keys: readonly (readonly [string, SchemaNode])[],
  skipped: readonly string[] = [],
  linked: Readonly<Record<string, number>> = {},
): readonly string[] {
  const all = keys.flatMap(([key, node]) => [
    [key, node] as const,
    ...(key in linked
      ? []
      : nestedMaps(key, node).filter(([path]) => !skipped.some((start) => path.startsWith(start)))),
  ]);
  return all.flatMap(([path, node], index) => {
    const key = path.split(".").at(-1) ?? path;
    const body = bodyOf(node);
    const example = exampleOf(node, key) ?? exampleOf(body, "name");
    const members = path in linked ? "" : memberTable(body);
    const type = body.properties === undefined ? ` Type: ${typeOf(node)}.` : "";
    const link = path in linked ? ` Section ${linked[path]} lists the members.` : "";
    return [
      `### ${chapter}.${index + 1} ${path}`,
      wrapText(`${asSentence(meaningOf(node))}${type}${link}`),
      example === undefined ? "" : yamlBlock(example),
      members,
    ];
  });
}

/** The map that a node is, or that its values or entries are. */
function bodyOf(node: SchemaNode): SchemaNode {
  if (node.properties !== undefined) return node;
  const inner = node.items ?? valuesOf(node);
  return inner.properties === undefined ? {} : inner;
}

/** Maps below a node, however deep, with their paths. A map with one member that its own row explains is left out. */
function nestedMaps(path: string, node: SchemaNode): readonly (readonly [string, SchemaNode])[] {
  const body = bodyOf(node);
  return Object.entries(body.properties ?? {}).flatMap(([key, inner]) => {
    const below = `${path}.${key}`;
    const isMap = bodyOf(inner).properties !== undefined && !typeOf(inner).startsWith("map from word");
    return isMap ? [[below, inner] as const, ...nestedMaps(below, inner)] : [];
  });
}

function memberTable(node: SchemaNode, only?: readonly string[]): string {
  const required = (node["required"] ?? []) as readonly string[];
  const keys = only ?? Object.keys(node.properties ?? {});
  if (keys.length === 0) return "";
  return table(
    ["key", "type", "default", "meaning"],
    keys.map((key) => {
      const inner = memberOf(node, key);
      return [
        code(key),
        typeOf(inner),
        defaultOf(inner, required.includes(key)),
        asSentence(meaningOf(inner)) + wordsInCell(inner),
      ];
    }),
  );
}

function triggerTable(after: SchemaNode): string {
  return table(
    ["event", "type", "meaning", "example"],
    alternativesOf(after).map((key) => {
      const node = memberOf(after, key);
      return [code(key), typeOf(node), asSentence(meaningOf(node)), code(`after: { ${exampleOf(node, key)} }`)];
    }),
  );
}

function strategyTable(strategy: SchemaNode): string {
  const examples = strategyExamples();
  return table(
    ["strategy", "behaviour", "example"],
    meaningsOf(strategy).map(([name, meaning]) => [code(name), meaning, code(examples.get(name) ?? "")]),
  );
}

/** A row for each strategy and each of its modes. */
function modeTable(): string {
  const rows = STRATEGY_NAMES.flatMap((strategy) =>
    Object.entries(STRATEGIES[strategy].modes ?? {}).map(([mode, meaning]) => [
      code(strategy),
      code(mode),
      asSentence(meaning),
    ]),
  );
  return table(["strategy", "mode", "meaning"], rows);
}

function meaningTable(head: string, node: SchemaNode): string {
  return table(
    [head, "meaning"],
    meaningsOf(node).map(([word, meaning]) => [code(word), meaning]),
  );
}

/** Words of a choice that a cell holds; more have a table of their own. */
const WORDS_MAX = 6;

const BY_PATTERN: Readonly<Record<string, string>> = {
  [NAME]: "name",
  [ACCOUNT]: "name or address",
  [KEY]: "validator",
  [DECIMAL]: "amount",
  [DECIMAL_RANGE]: "amount or range of amounts",
  [CHANCE]: "chance",
  [RANGE]: "time or range of times",
  "^none$": "`none`",
};

/** Text at the end of a description that repeats the type of a value. */
const FORMS = [
  /: a name of letters, digits, "_", "-" and "\."$/,
  /: an account's name(, or 0x and 40 hex digits in quotes)?$/,
  /: a list of (names|accounts|validators, of which v1\/2 is the second key of v1)\.?$/,
  /: a name or a list of names\.?$/,
  /: decimal text in .*$/,
  /: virtual milliseconds, such as .*$/,
  /: whole virtual milliseconds from .*$/,
  /: a chance such as 1\/10$/,
];
const BOUNDS = /: -?\d[\d^ -]* to \d[\d^ -]*$/;
const DEFAULT = /; default:? (.*)$/;

/** A type with its bounds: `integer 1 to 128`, `list of names`. */
export function typeOf(node: SchemaNode): string {
  const types = [node["type"]].flat().filter((type) => typeof type === "string");
  if (node["const"] !== undefined) return code(JSON.stringify(node["const"]));
  if (Array.isArray(node["anyOf"])) return (node["anyOf"] as SchemaNode[]).map(typeOf).join(" or ");
  if (types.length === 0 && typeof node["pattern"] === "string") return "name";
  const names = types.map((type) => (type === "boolean" && node["not"] !== undefined ? "`true`" : oneType(type, node)));
  return node["pattern"] === RANGE ? (BY_PATTERN[RANGE] as string) : [...new Set(names)].join(" or ");
}

function oneType(type: string, node: SchemaNode): string {
  switch (type) {
    case "boolean":
      return "true or false";
    case "integer":
      if (node["minimum"] === 0 && node["maximum"] === TIME_MAX) return "time";
      return `integer ${boundText(node["minimum"])} to ${boundText(node["maximum"])}`;
    case "string":
      return textType(node);
    case "array":
      return listType(node);
    case "object":
      return mapType(node);
    default:
      throw new Error(`the schema has a type without words: ${type}`);
  }
}

function boundText(value: unknown): string {
  return value === Number.MAX_SAFE_INTEGER ? "2^53 − 1" : groupDigits(String(value));
}

/** Whole numbers of five digits and more with commas. */
function groupDigits(text: string): string {
  return text.replace(/\d{5,}/g, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ","));
}

function textType(node: SchemaNode): string {
  const words = wordsOf(node);
  if (words.length > WORDS_MAX) return "word";
  if (words.length > 0) return words.map(code).join(" or ");
  return BY_PATTERN[String(node["pattern"])] ?? "text";
}

function listType(node: SchemaNode): string {
  const { items = {}, minItems, maxItems } = node as SchemaNode & { minItems?: number; maxItems?: number };
  const size = minItems !== undefined && minItems === maxItems ? `${maxItems} ` : "";
  const most = maxItems !== undefined && minItems !== maxItems ? `, at most ${groupDigits(String(maxItems))}` : "";
  return `list of ${size}${pluralOf(typeOf(items))}${most}`;
}

function mapType({ properties, additionalProperties, ...node }: SchemaNode): string {
  if (typeof additionalProperties === "object") {
    const keys = (node["propertyNames"] as { pattern: string } | undefined)?.pattern ?? "";
    return `map from ${BY_PATTERN[keys] ?? "text"} to ${typeOf(additionalProperties)}`;
  }
  const values = new Set(Object.values(properties ?? {}).map(typeOf));
  // A closed set of words as keys has one type of values.
  return node["required"] === undefined && values.size === 1 && Object.keys(properties ?? {}).length > 4
    ? `map from word to ${[...values][0]}`
    : "map";
}

function pluralOf(words: string): string {
  const [first = "", ...rest] = words.split(" ");
  if (first === "list") return ["lists", ...rest].join(" ");
  if (words === "name or address") return "names or addresses";
  return /^[a-z]+$/.test(words) ? `${words}s` : words;
}

/** A description without its example, its form, its bounds and its default. */
export function meaningOf({ description = "" }: SchemaNode): string {
  const plain = withoutForm(description);
  return plain
    .replace(BOUNDS, "")
    .replace(DEFAULT, "")
    .replace(BOUNDS, "")
    .replace(/^true: /, "`true`: ");
}

/** The default of a member; required members have none. */
export function defaultOf(node: SchemaNode, isRequired: boolean): string {
  if (isRequired) return "required";
  if (node["default"] !== undefined) return code(flowYaml(node["default"]));
  const stated = DEFAULT.exec(withoutForm(node.description ?? ""))?.[1];
  return stated === undefined ? "–" : groupDigits(stated);
}

function withoutForm(description: string): string {
  let plain = plainDescription(description);
  for (const form of FORMS) plain = plain.replace(form, "");
  return plain;
}

/** The example of a node as YAML below its key; `undefined` where there is none. */
export function exampleOf(node: SchemaNode, key: string): string | undefined {
  const stated = statedExample(node.description);
  if (stated !== undefined) return stated;
  const [value] = node.examples ?? [];
  return value === undefined ? undefined : `${key}: ${flowYaml(value)}`;
}

/** A value as YAML in one line. */
function flowYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowYaml).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, member]) => `${key}: ${flowYaml(member)}`)
      .join(", ")} }`;
  return typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? `"${value}"` : String(value);
}

/** Words with their meanings, for the cell of a table. */
export function wordsInCell(node: SchemaNode): string {
  const pairs = meaningsOf(node.items ?? node).filter(([, meaning]) => meaning !== "");
  if (pairs.length === 0 || pairs.length > WORDS_MAX) return "";
  return ` ${pairs.map(([word, meaning]) => `${codes([word])}: ${meaning}`).join(" ")}`;
}
