/** YAML to plain data with source positions. Rejects ambiguous constructs. */
import {
  type Alias,
  Composer,
  CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  Parser,
  type Tags,
  visit,
} from "yaml";
import { ISSUES_PLACED, type Path, type Problem, positionIn, type ScenarioIssue } from "../schema/problem.ts";
import { PROBLEMS_SHOWN, SCENARIO_BYTES, YAML_ALIASES, YAML_DEPTH, YAML_TOKENS } from "./limits.ts";

export interface YamlDocument {
  readonly data: unknown;
  /** Adds positions in the text; returns the first issues in the order of the text. */
  readonly place: (issues: readonly ScenarioIssue[]) => readonly Problem[];
}

/** The data of a text, or the problems of the text. */
export function readYaml(
  text: string,
): { readonly document: YamlDocument } | { readonly problems: readonly Problem[] } {
  if (text.length > SCENARIO_BYTES)
    return { problems: [problemAt(text, 0, `expected at most ${SCENARIO_BYTES} characters, got ${text.length}`)] };
  const read = tokensOf(text);
  if ("fault" in read) return { problems: [problemAt(text, read.offset, read.fault)] };
  const [document, second] = documentsOf(read.tokens, text.length);
  if (document === undefined) return { problems: [problemAt(text, 0, EMPTY)] };
  if (second !== undefined)
    return { problems: [problemAt(text, second.range[0], "expected one document, got a second one after ---")] };
  const faults = [...document.errors, ...document.warnings].slice(0, PROBLEMS_SHOWN);
  if (faults.length > 0)
    return { problems: faults.map((fault) => problemAt(text, fault.pos[0], fault.message.split("\n")[0] ?? "")) };
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    return { problems: [problemAt(text, 0, EMPTY)] };
  }
  const { named, fault: aliasFault } = readAliases(document);
  const fault = aliasFault ?? keyFault(document.contents, named) ?? sizeFault(document.contents, named);
  if (fault !== undefined) return { problems: [problemAt(text, startOf(fault.node) ?? 0, fault.message)] };
  // The library's own bound counts aliases, not what they name.
  const data = toPlainData(document.toJS({ maxAliasCount: -1 }));
  const place: YamlDocument["place"] = (issues) =>
    issues
      .slice(0, ISSUES_PLACED)
      .map((issue) => ({ issue, offset: offsetOf(document, named, issue) }))
      .sort((a, b) => a.offset - b.offset)
      .slice(0, PROBLEMS_SHOWN)
      .map(({ issue, offset }) => problemAt(text, offset, issue.message));
  return { document: { data, place } };
}

const EMPTY = "the file is empty: expected a scenario, a map that has at least a name";

const OPTIONS = {
  prettyErrors: false,
  intAsBigInt: true,
  // A plain `<<`; a quoted one, which JSON has, is a key like any other.
  merge: true,
  customTags: withDecimalIntegers,
  logLevel: "error",
  // The library compares each key with all before it.
  uniqueKeys: false,
} as const;

/** Tokens of a text, each read once. */
type TokenResult = { readonly tokens: readonly CST.Token[] } | { readonly fault: string; readonly offset: number };

/**
 * Reads the tokens of a text, or finds the first one past a bound: the library composes nested collections recursively, and
 * resolves each alias by a walk over the whole document. Cost: O(characters).
 */
function tokensOf(text: string): TokenResult {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let aliases = 0;
  let [count, errors] = [0, 0];
  for (const lexeme of new Lexer().lex(text)) {
    const { offset } = parser;
    if (CST.tokenType(lexeme) === "alias" && ++aliases > YAML_ALIASES)
      return { offset, fault: `expected at most ${YAML_ALIASES} aliases` };
    for (const token of parser.next(lexeme)) {
      if (token.type === "directive" && /^%YAML/.test(token.source) && !/^%YAML[ \t]+1\.2\s*$/.test(token.source))
        return { offset: token.offset, fault: "expected YAML 1.2: other versions read numbers differently" };
      tokens.push(token);
      // The library makes an error of each, and only the first ones are shown.
      if (token.type === "error" && ++errors >= PROBLEMS_SHOWN) return { tokens };
    }
    if (++count > YAML_TOKENS) return { offset, fault: `expected at most ${YAML_TOKENS} YAML tokens` };
    // Each open collection has a place in the stack.
    if (parser.stack.length > YAML_DEPTH && collectionsIn(parser.stack) > YAML_DEPTH)
      return { offset, fault: `expected at most ${YAML_DEPTH} levels` };
  }
  tokens.push(...parser.end());
  return { tokens };
}

function collectionsIn(stack: readonly CST.Token[]): number {
  return stack.filter(({ type }) => COLLECTIONS.has(type)).length;
}

const COLLECTIONS: ReadonlySet<string> = new Set(["block-map", "block-seq", "flow-collection"]);

/**
 * The first two documents. The library makes an error for each fault: without its stack, which costs fifty times as much.
 */
function documentsOf(tokens: readonly CST.Token[], end: number): readonly (Document.Parsed | undefined)[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const [document, second] = new Composer(OPTIONS).compose(tokens, true, end);
    return [document, second] as readonly (Document.Parsed | undefined)[];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

type NodeFault = Readonly<{ node: unknown; message: string }>;

/** The first key that repeats one of its map, is no text or number, or merges what is no map. Nesting is bounded by now. */
function keyFault(node: unknown, named: Aliases["named"]): NodeFault | undefined {
  if (!isCollection(node)) return undefined;
  const keys = new Set<string>();
  for (const item of node.items) {
    const { key, value } = isPairOf(item) ? item : { key: undefined, value: item };
    const name = isScalar(key) ? String(key.value) : undefined;
    if (name !== undefined && keys.has(name)) return { node: key, message: "duplicate key in this map" };
    if (isCollection(key)) return { node: key, message: "expected a text as the key, got a list or a map" };
    if (name !== undefined) keys.add(name);
    if (isMergeKey(key) && !mergedMaps(value, named).every(isMap))
      return { node: value ?? key, message: "expected a map or a list of maps to merge, such as <<: *payment" };
    const found = keyFault(value, named);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The contents if they have more than `YAML_TOKENS` nodes, each alias with all that it names. O(nodes). */
function sizeFault(contents: Node, named: Aliases["named"]): NodeFault | undefined {
  const sizes = new Map<unknown, number>();
  const sizeOf = (node: unknown): number => {
    if (isAlias(node)) return sizes.get(named.get(node)) ?? 1;
    if (!isCollection(node)) return 1;
    let size = 1;
    for (const item of node.items) size += isPairOf(item) ? sizeOf(item.key) + sizeOf(item.value) : sizeOf(item);
    if (node.anchor !== undefined) sizes.set(node, size);
    return size;
  };
  if (sizeOf(contents) <= YAML_TOKENS) return undefined;
  return { node: contents, message: `the file's aliases expand to too much: expected at most ${YAML_TOKENS} nodes` };
}

/** True for a plain `<<`, which the library reads as a symbol. */
function isMergeKey(key: unknown): boolean {
  return isScalar(key) && typeof key.value === "symbol";
}

/** The nodes that a merge key names: the first one with a key wins. */
function mergedMaps(value: unknown, named: Aliases["named"]): readonly unknown[] {
  const resolved = (node: unknown): unknown => (isAlias(node) ? named.get(node) : node);
  const merged = resolved(value);
  return isSeq(merged) ? merged.items.map(resolved) : [merged];
}

/** `0x…`, `0o…` and `012` stay text: YAML would read an address as a number and round it. */
function withDecimalIntegers(tags: Tags): Tags {
  return tags.flatMap((tag) => {
    if (typeof tag === "string" || !("tag" in tag) || tag.tag !== "tag:yaml.org,2002:int") return [tag];
    if ("format" in tag && (tag.format === "HEX" || tag.format === "OCT")) return [];
    return [{ ...tag, test: /^-?(?:0|[1-9][0-9]*)$/ } as typeof tag];
  });
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

/** Aliases of a document with the nodes that they name, up to the first one that names none, or one that it is inside of. */
type Aliases = { readonly named: ReadonlyMap<Alias, Node>; readonly fault: NodeFault | undefined };

/** O(nodes): the library looks through the whole document for each alias. */
function readAliases(document: Document): Aliases {
  const named = new Map<Alias, Node>();
  const anchored = new Map<string, Node>();
  let fault: NodeFault | undefined;
  visit(document, {
    Node(_key, node, path) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchored.set(node.anchor, node);
        return undefined;
      }
      const target = anchored.get(node.source);
      if (target !== undefined) named.set(node, target);
      if (target !== undefined && !path.includes(target)) return undefined;
      const message =
        target === undefined ? `names nothing: expected &${node.source} before it` : "stands inside of what it names";
      fault = { node, message: `*${node.source} ${message}` };
      return visit.BREAK;
    },
  });
  return { named, fault };
}

function isPairOf(item: unknown): item is Pair {
  return typeof item === "object" && item !== null && "key" in item;
}

/** The offset of the longest prefix of the path that the document contains. */
function offsetOf(document: Document, named: Aliases["named"], { path, atKey }: ScenarioIssue): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [index, key] of path.entries()) {
    if (isAlias(node)) node = named.get(node);
    const found = childOf(node, key, named);
    if (found === undefined) return offset;
    const isLast = index === path.length - 1;
    offset = (isLast && atKey === true ? found.keyOffset : startOf(found.value)) ?? found.keyOffset ?? offset;
    node = found.value;
  }
  return offset;
}

interface ChildNode {
  readonly keyOffset: number | undefined;
  readonly value: unknown;
}

function childOf(node: unknown, key: Path[number], named: Aliases["named"]): ChildNode | undefined {
  if (isMap(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
    if (pair !== undefined) return { keyOffset: startOf(pair.key), value: pair.value };
    const merge = node.items.find((item) => isMergeKey(item.key));
    for (const merged of merge === undefined ? [] : mergedMaps(merge.value, named)) {
      const found = childOf(merged, key, named);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isCollection(node)) return undefined;
  const item: unknown = node.items[Number(key)];
  return item === undefined ? undefined : { keyOffset: startOf(item), value: item };
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
