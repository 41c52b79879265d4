/** YAML to plain data with source positions. Rejects ambiguous constructs. */
import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Tags,
  visit,
} from "yaml";
import { type Path, type Problem, positionIn, type ScenarioIssue } from "../schema/problem.ts";
import { SCENARIO_BYTES, YAML_ALIASES, YAML_DEPTH } from "./limits.ts";

export interface YamlDocument {
  readonly data: unknown;
  /** Adds the position in the text to an issue. */
  readonly place: (issue: ScenarioIssue) => Problem;
}

/** The data of a text, or the problems of the text. */
export function readYaml(
  text: string,
): { readonly document: YamlDocument } | { readonly problems: readonly Problem[] } {
  if (text.length > SCENARIO_BYTES)
    return { problems: [problemAt(text, 0, `expected at most ${SCENARIO_BYTES} characters, got ${text.length}`)] };
  const deep = depthFaultOffset(text);
  if (deep !== undefined)
    return { problems: [problemAt(text, deep, `expected at most ${YAML_DEPTH} nested brackets`)] };
  const document = parseDocument(text, {
    lineCounter: new LineCounter(),
    prettyErrors: false,
    intAsBigInt: true,
    merge: false,
    customTags: withDecimalIntegers,
    logLevel: "error",
  });
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0)
    return { problems: faults.map((fault) => problemAt(text, fault.pos[0], yamlMessage(fault.code, fault.message))) };
  const nested = nestingFaultOffset(document.contents, 0);
  if (nested !== undefined) return { problems: [problemAt(text, nested, `expected at most ${YAML_DEPTH} levels`)] };
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    return { problems: [problemAt(text, 0, "the file is empty: expected a scenario, a map that has at least a name")] };
  }
  const cycle = recursiveAlias(document);
  if (cycle !== undefined)
    return { problems: [problemAt(text, startOf(cycle) ?? 0, `*${cycle.source} stands inside of what it names`)] };
  try {
    const data = toPlainData(document.toJS({ maxAliasCount: YAML_ALIASES }));
    return { document: { data, place: (issue) => problemAt(text, offsetOf(document, issue), issue.message) } };
  } catch (error) {
    return { problems: [problemAt(text, 0, `the file's aliases expand to too much: ${(error as Error).message}`)] };
  }
}

/** `0x…`, `0o…` and `012` stay text: YAML would read an address as a number and round it. */
function withDecimalIntegers(tags: Tags): Tags {
  return tags.flatMap((tag) => {
    if (typeof tag === "string" || !("tag" in tag) || tag.tag !== "tag:yaml.org,2002:int") return [tag];
    if ("format" in tag && (tag.format === "HEX" || tag.format === "OCT")) return [];
    return [{ ...tag, test: /^-?(?:0|[1-9][0-9]*)$/ } as typeof tag];
  });
}

function yamlMessage(code: string, message: string): string {
  if (code === "MULTIPLE_DOCS") return "expected one document, got a second one after ---";
  if (code === "DUPLICATE_KEY") return "duplicate key in this map";
  return message.split("\n")[0] ?? message;
}

/** Converts integers to `number` if that is exact; others stay `bigint`, which no schema accepts. */
function toPlainData(value: unknown): unknown {
  if (typeof value === "bigint") {
    const exact = value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);
    return exact ? Number(value) : value;
  }
  if (Array.isArray(value)) return value.map(toPlainData);
  if (typeof value !== "object" || value === null) return value;
  // Without a prototype, so that a key such as __proto__ is a key like any other.
  const map: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(value)) map[key] = toPlainData((value as Record<string, unknown>)[key]);
  return map;
}

function problemAt(text: string, offset: number, message: string): Problem {
  return { ...positionIn(text, Math.min(offset, text.length)), message };
}

/** The offset of the first bracket beyond the depth limit, which protects the recursive parser. */
function depthFaultOffset(text: string): number | undefined {
  let depth = 0;
  for (let offset = 0; offset < text.length; offset++) {
    const letter = text[offset];
    if (letter === "[" || letter === "{") depth++;
    else if (letter === "]" || letter === "}") depth--;
    if (depth > YAML_DEPTH * 4) return offset;
  }
  return undefined;
}

function nestingFaultOffset(node: unknown, depth: number): number | undefined {
  if (!isCollection(node)) return undefined;
  if (depth > YAML_DEPTH) return node.range?.[0] ?? 0;
  for (const item of node.items) {
    const parts = isPairOf(item) ? [item.key, item.value] : [item];
    for (const part of parts) {
      const found = nestingFaultOffset(part, depth + 1);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Returns the first alias inside of the node that it names: such data has no end. */
function recursiveAlias(document: Document): Alias | undefined {
  let found: Alias | undefined;
  visit(document, {
    Alias(_key, alias, path) {
      const named = alias.resolve(document);
      if (named === undefined || !path.includes(named)) return undefined;
      found = alias;
      return visit.BREAK;
    },
  });
  return found;
}

function isPairOf(item: unknown): item is Pair {
  return typeof item === "object" && item !== null && "key" in item;
}

/** The offset of the longest prefix of the path that the document contains. */
function offsetOf(document: Document, { path, atKey }: ScenarioIssue): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [index, key] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    const found = childOf(node, key);
    if (found === undefined) return offset;
    const isLast = index === path.length - 1;
    offset = (isLast && atKey === true ? found.keyOffset : startOf(found.value)) ?? found.keyOffset ?? offset;
    node = found.value;
  }
  return offset;
}

function childOf(
  node: unknown,
  key: Path[number],
): { readonly keyOffset: number | undefined; readonly value: unknown } | undefined {
  if (isMap(node)) {
    const pair = node.items.find((item) => String(isScalar(item.key) ? item.key.value : item.key) === String(key));
    return pair === undefined ? undefined : { keyOffset: startOf(pair.key), value: pair.value };
  }
  if (!isCollection(node)) return undefined;
  const item: unknown = node.items[Number(key)];
  return item === undefined ? undefined : { keyOffset: startOf(item), value: item };
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
