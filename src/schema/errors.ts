/** Messages of schema violations: expected value, actual value, suggestion. */
import type { ErrorObject } from "ajv/dist/2020.js";
import { alternativesOf, type SchemaNode } from "./nodes.ts";
import {
  closestWord,
  ISSUES_PLACED,
  lazyIssue,
  listFirst,
  type Path,
  type ScenarioIssue,
  suggestion,
} from "./problem.ts";

/** One issue for each of the first faults of which a place is looked for; what only follows from another is left out. */
export function issuesOf(errors: readonly ErrorObject[]): readonly ScenarioIssue[] {
  const [choices, misspelt] = [new Set<string>(), new Set<string>()];
  for (const { keyword, schemaPath, instancePath } of errors) {
    if (keyword === "oneOf" || keyword === "anyOf") choices.add(`${schemaPath}/`);
    if (keyword === "additionalProperties") misspelt.add(instancePath);
  }
  const issues = new Map<string, ScenarioIssue>();
  for (const error of errors) {
    if ([...choices].some((choice) => error.schemaPath.startsWith(choice))) continue;
    const issue = issueOf(error, misspelt);
    if (issue === undefined) continue;
    const key = JSON.stringify(issue.path);
    if (!issues.has(key)) issues.set(key, issue);
    if (issues.size === ISSUES_PLACED) break;
  }
  return [...issues.values()];
}

/** `misspelt`: places of maps with unknown keys. */
function issueOf(error: ErrorObject, misspelt: ReadonlySet<string>): ScenarioIssue | undefined {
  // Of a key: said by `propertyNames`.
  if (error.schemaPath.includes("/propertyNames/")) return undefined;
  const path = pathOf(error.instancePath);
  const params = error.params as Record<string, unknown>;
  const words = wordsOfChoice(error);
  // A misspelt verb shows twice: as an unknown key and as a missing verb. The first says more.
  if (words.length > 0) return misspelt.has(error.instancePath) ? undefined : choiceIssue(error, path, words);
  switch (error.keyword) {
    case "additionalProperties":
      return lazyIssue([...path, String(params["additionalProperty"])], () => unknownKeyMessage(error), true);
    case "propertyNames":
      return {
        path: [...path, String(params["propertyName"])],
        atKey: true,
        message: `${describeData(params["propertyName"])} is no name: expected at most 64 letters, digits, "_", "-" and ".", with a letter or "_" first`,
      };
    case "required":
      return { path, message: missingText(error, String(params["missingProperty"])) };
    case "enum":
      return lazyIssue(path, () => enumMessage(error));
    default:
      return { path, message: expectedText(error) };
  }
}

function unknownKeyMessage(error: ErrorObject): string {
  const key = String((error.params as Record<string, unknown>)["additionalProperty"]);
  const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
  const hint = closestWord(key, known) === undefined ? `: expected ${listFirst(known, 24)}` : suggestion(key, known);
  return `unknown key ${describeData(key)}${hint}`;
}

/** Words of which exactly one is a key; none for another fault. The validator may read a choice within two negations. */
function wordsOfChoice({ keyword, schema, parentSchema }: ErrorObject): readonly string[] {
  const choice = keyword === "not" ? (schema as SchemaNode)["not"] : keyword === "oneOf" ? parentSchema : {};
  return alternativesOf((choice ?? {}) as SchemaNode);
}

function choiceIssue(error: ErrorObject, path: Path, words: readonly string[]): ScenarioIssue {
  const present =
    typeof error.data === "object" && error.data !== null ? words.filter((key) => key in (error.data as object)) : [];
  const got = present.length === 0 ? "none" : `${present.join(" and ")} together`;
  return { path, message: `expected exactly one of ${listFirst(words, 24)}; got ${got}` };
}

function enumMessage(error: ErrorObject): string {
  const words = (error.schema as readonly unknown[]).map(String);
  const hint = typeof error.data === "string" ? suggestion(error.data, words) : "";
  if (hint !== "") return `unknown word ${describeData(error.data)}${hint}`;
  return `expected one of ${listFirst(words, 24)}, got ${describeData(error.data)}`;
}

function expectedText(error: ErrorObject): string {
  const isList = error.keyword === "type" && (error.params as { readonly type?: unknown }).type === "array";
  const { phrase, sentence } = wordsOf(
    error.parentSchema as SchemaKeywords | undefined,
    error.message ?? "something else",
    isList,
  );
  const hint = error.keyword === "pattern" && phrase.includes("name") ? nameHint(error.data) : "";
  return `expected ${phrase}; got ${describeData(error.data)}${quotesHint(error.data, phrase)}${hint}${sentence}`;
}

/** Keywords of a schema that its messages tell. */
type SchemaKeywords = Readonly<{ description?: string; const?: unknown; type?: string | readonly string[] }>;

const FORMS: Readonly<Record<string, string>> = { object: "a map", array: "a list", string: "a text" };

/** A phrase for what a schema describes, with its example, and the sentences of a description that is no phrase. */
function wordsOf(schema: SchemaKeywords | undefined, otherwise: string, isList = false) {
  const { description = otherwise, type = [] } = schema ?? {};
  if (schema?.const !== undefined) return { phrase: String(schema.const), sentence: "" };
  const [meaning = "", example] = description.split(/\.? Example: /);
  const such = example === undefined ? "" : `, as in ${example}`;
  if (!/^[A-Z]/.test(meaning)) return { phrase: `${isList ? "a list: " : ""}${meaning}${such}`, sentence: "" };
  const forms = [type].flat().map((one) => FORMS[one] ?? (one === "boolean" ? "true" : "a whole number"));
  return { phrase: `${forms.join(" or ")}${such}`, sentence: `. ${meaning.replace(/\.$/, "")}` };
}

function quotesHint(data: unknown, expectation: string): string {
  const isNumber = typeof data === "number" || typeof data === "bigint";
  return isNumber && expectation.includes("in quotes") ? " without quotes, which YAML reads as a number" : "";
}

/** Returns what is wrong with a name of the right characters. */
function nameHint(data: unknown): string {
  if (typeof data !== "string" || !/^[\w.-]+$/.test(data)) return "";
  if (data.length > 64) return ", which has more than 64 characters";
  return /^[A-Za-z_]/.test(data) ? "" : ', which does not begin with a letter or "_"';
}

function missingText({ parentSchema }: ErrorObject, key: string): string {
  const { properties } = (parentSchema ?? {}) as { readonly properties?: Readonly<Record<string, SchemaKeywords>> };
  const { phrase, sentence } = wordsOf(properties?.[key], "it is needed");
  return `the key "${key}" is missing: ${phrase}${sentence}`;
}

/** Returns a phrase for plain data of any size: a short text or number itself, else what kind it is. */
export function describeData(data: unknown): string {
  if (typeof data === "bigint") return `${String(data).slice(0, 40)}, which is too large`;
  if (Array.isArray(data)) return data.length === 0 ? "an empty list" : "a list";
  if (data === null) return "nothing";
  if (typeof data === "object") return Object.keys(data).length === 0 ? "an empty map" : "a map";
  const words = typeof data === "string" ? data : String(data);
  const cut = words.length > 60 ? `${words.slice(0, 60)}…` : words;
  return typeof data === "string" ? (JSON.stringify(cut).slice(1, -1) === cut ? `"${cut}"` : JSON.stringify(cut)) : cut;
}

function pathOf(pointer: string): Path {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
