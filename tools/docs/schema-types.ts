/** Types, defaults and meanings of a schema's members in short words. */
import { TIME_MAX } from "../../src/scenario/limits.ts";
import { ACCOUNT, CHANCE, DECIMAL, DECIMAL_RANGE, KEY, NAME, RANGE } from "../../src/scenario/schema/scalars.ts";
import { meaningsOf, plainDescription, type SchemaNode, statedExample, wordsOf } from "../../src/schema/nodes.ts";
import { code, codes } from "./markdown.ts";

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
