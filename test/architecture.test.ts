/** The laws of ARCHITECTURE.md that a program can check, and each check seen to fail on a planted example. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import * as ts from "typescript";
import { describe, expect, it } from "vitest";
import { faultyOf, quorumOf } from "../src/core/consensus/committee.ts";
import { rules } from "../src/core/validator/rules.ts";
import { bounds } from "../src/invariants/history/quorum.ts";

const BASE = "core/base";
const LAYOUTS = "layouts";
const CRYPTO = "core/crypto";
const LEDGER = "core/ledger";
const CONSENSUS = "core/consensus";
const VALIDATOR = "core/validator";
const CORE = [BASE, CRYPTO, LEDGER, CONSENSUS, VALIDATOR];

interface Layer {
  /** Folders that it may import, besides itself. */
  readonly folders: readonly string[];
  /** Packages that it may import, Node's own included. */
  readonly packages: readonly string[];
}

/** Law 1: imports point one way only. The longest folder that holds a file is its layer. */
const LAYERS: Readonly<Record<string, Layer>> = {
  [BASE]: { folders: [], packages: ["@noble/hashes"] },
  [LAYOUTS]: { folders: [BASE], packages: [] },
  [CRYPTO]: { folders: [BASE], packages: ["@noble/curves", "@noble/hashes"] },
  [LEDGER]: { folders: [BASE, LAYOUTS, CRYPTO], packages: ["@noble/hashes"] },
  [CONSENSUS]: { folders: [BASE, CRYPTO], packages: [] },
  [VALIDATOR]: { folders: [BASE, CRYPTO, LEDGER, CONSENSUS], packages: [] },
  backends: { folders: [BASE, CRYPTO], packages: ["hash-wasm", "node:module"] },
  schema: { folders: [], packages: ["ajv", "fastest-levenshtein", "typebox"] },
  simulator: { folders: CORE, packages: ["pure-rand"] },
  invariants: { folders: [BASE, CRYPTO, "invariants/reference"], packages: [] },
  "invariants/reference": { folders: [BASE, CRYPTO], packages: [] },
  bugs: { folders: [...CORE, "simulator", "invariants"], packages: [] },
  scenario: {
    folders: [...CORE, LAYOUTS, "schema", "simulator", "invariants", "bugs"],
    packages: ["ajv", "tinyglobby", "typebox", "yaml", "node:fs", "node:path"],
  },
  external: {
    folders: [...CORE, "schema", "simulator", "scenario"],
    packages: [
      ..."@noble/hashes ajv typebox".split(" "),
      ..."node:child_process node:fs node:module node:os node:path node:worker_threads".split(" "),
    ],
  },
  run: { folders: [...CORE, "simulator", "invariants", "bugs", "scenario"], packages: ["yaml", "node:fs"] },
  proofs: { folders: [...CORE, "schema", "scenario", "run"], packages: ["ajv", "typebox"] },
  explore: { folders: [...CORE, "simulator", "invariants", "bugs", "scenario", "run"], packages: [] },
  search: {
    folders: [...CORE, "simulator", "invariants", "bugs", "scenario", "external", "run"],
    packages: ["yaml", "node:util"],
  },
  campaign: {
    folders: [BASE, "external", "scenario", "run", "search"],
    packages: [
      ...["bullmq", "ioredis"],
      ..."node:crypto node:fs node:path node:string_decoder node:timers node:util".split(" "),
    ],
  },
  live: { folders: [...CORE, "simulator", "invariants", "bugs", "scenario", "external", "run"], packages: [] },
  report: {
    folders: [...CORE, "schema", "simulator", "invariants", "bugs", "scenario", "run", "live"],
    packages: ["node:crypto", "node:fs", "node:util", "node:zlib", "xmlbuilder2", "yaml"],
  },
  /** Runs in a browser. */
  page: { folders: ["simulator", "run", "report"], packages: "preact d3-scale d3-selection d3-zoom uplot".split(" ") },
  server: {
    folders: [...CORE, LAYOUTS, "backends", "schema", "simulator", "scenario", "run", "proofs", "live", "report"],
    packages: [
      ..."@fastify/rate-limit @fastify/swagger @fastify/swagger-ui fastify prom-client ws".split(" "),
      ..."@scure/bip39 ajv lossless-json pino typebox".split(" "),
      ..."node:crypto node:fs node:http node:net node:path node:stream node:timers node:zlib".split(" "),
    ],
  },
  library: {
    folders: [
      ...CORE,
      "backends",
      "schema",
      "simulator",
      "invariants",
      "bugs",
      "scenario",
      "external",
      "run",
      "proofs",
      "explore",
      "search",
    ],
    packages: ["fast-check"],
  },
  cli: {
    folders: [
      ...[...CORE, "backends", "schema", "invariants", "bugs", "scenario", "external", "run", "proofs"],
      ...["explore", "search", "campaign", "live", "report", "server"],
    ],
    packages: [
      "pino",
      "yargs",
      ..."node:child_process node:fs node:http node:https node:module node:os node:path node:stream node:timers node:url node:v8 node:worker_threads node:zlib".split(
        " ",
      ),
    ],
  },
  /** The two files on top. */
  "": { folders: [VALIDATOR, "bugs", "scenario", "run", "explore", "search", "library"], packages: [] },
};

/**
 * Rooms of a validator, lowest first: files of a room import those of their own and of lower rooms only, and each room
 * writes the sub-state of its name.
 */
const ROOMS = ["mempool", "sync", "slots", "checkpoints", "epochs", "transfer"];
/** Folders of other layers, lowest first: files of a folder import those of its own and of lower folders only. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  simulator: ["network", "byzantine", "nodes", "clients", "schedule"],
  invariants: ["reference", "history", "evidence", "oracles"],
  explore: ["model", "liveness", "search"],
};
/** Files beside the rooms that drive them: no room knows them. */
const DRIVERS = /^core\/validator\/(step|receive|timers|submit|propose|restart)\.ts$/;
/** The only files that pass on what others export. */
const RE_EXPORTERS = ["index.ts", "fast-check.ts"];
/** Where nothing may depend on time, chance, locale or anything else outside (law 3). */
const PURE = /^(core|layouts|simulator|invariants)\//;
/** Where quorums may be counted (law 4), and what has to leave that to those files. */
const QUORUM_FILES = ["core/consensus/committee.ts", "invariants/history/quorum.ts"];
const QUORUM_FREE = /^(core|simulator|invariants|server)\//;
const LINES_MAX = 400;
const README_LINES_MAX = 25;

const BANNED_GLOBALS = new Set([
  ..."Date performance process Promise Intl crypto console globalThis queueMicrotask".split(" "),
  ..."setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate".split(" "),
]);
const BANNED_METHODS = new Set(["localeCompare", "toLocaleString", "toLocaleLowerCase", "toLocaleUpperCase"]);
/** Of `Math` only what is exact on every machine. */
const EXACT_MATH = new Set(["abs", "ceil", "clz32", "floor", "imul", "max", "min", "sign", "trunc"]);
/** In pieces, since this file is text of the project as well. */
const UNFINISHED = new RegExp([`${"issue"} #`, `TO${"DO"}`, `FIX${"ME"}`].join("|"));

interface Source {
  /** From src, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

type Check = (source: Source) => readonly string[];

const parsed = new WeakMap<Source, ts.SourceFile>();

/** Parses a file once: every law reads the same tree. */
function parse(source: Source): ts.SourceFile {
  const known = parsed.get(source);
  if (known !== undefined) return known;
  const tree = ts.createSourceFile(source.path, source.text, ts.ScriptTarget.Latest, true);
  parsed.set(source, tree);
  return tree;
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  node.forEachChild((child) => visit(child, see));
}

/** Everything that a file names after `from`, in `import()` and in import types. */
function importsOf(source: Source): readonly string[] {
  const found: string[] = [];
  visit(parse(source), (node) => {
    const named =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
          ? node.argument.literal
          : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
            ? node.arguments[0]
            : undefined;
    if (named === undefined) return;
    // A computed name escapes every check, so it counts as one that no layer allows.
    found.push(ts.isStringLiteralLike(named) ? named.text : "(computed)");
  });
  return found;
}

function resolve(path: string, name: string): string {
  return normalize(join(dirname(path), name)).replaceAll("\\", "/");
}

function layerOf(path: string): string | undefined {
  const folders = Object.keys(LAYERS).filter((folder) =>
    folder === "" ? !path.includes("/") : path.startsWith(`${folder}/`),
  );
  return folders.sort((a, b) => b.length - a.length)[0];
}

function packageOf(name: string): string {
  return name.split("/", name.startsWith("@") ? 2 : 1).join("/");
}

const checkLayers: Check = (source) => {
  const own = layerOf(source.path);
  const layer = own === undefined ? undefined : LAYERS[own];
  if (layer === undefined) return [`${source.path} is in no layer of the table`];
  return importsOf(source).flatMap((name) => {
    if (!name.startsWith(".")) {
      return layer.packages.includes(packageOf(name)) ? [] : [`${source.path} may not import the package ${name}`];
    }
    if (!name.endsWith(".ts")) return [`${source.path} imports ${name} without .ts`];
    const target = layerOf(resolve(source.path, name));
    const allowed = target !== undefined && (target === own || layer.folders.includes(target));
    return allowed ? [] : [`${source.path} may not import ${name}`];
  });
};

function roomOf(path: string): string | undefined {
  return ROOMS.find((room) => path.startsWith(`${VALIDATOR}/${room}/`));
}

const checkRooms: Check = (source) => {
  const own = roomOf(source.path);
  if (own === undefined) return [];
  return importsOf(source)
    .filter((name) => name.startsWith("."))
    .filter((name) => {
      const target = resolve(source.path, name);
      const room = roomOf(target);
      return DRIVERS.test(target) || (room !== undefined && ROOMS.indexOf(room) > ROOMS.indexOf(own));
    })
    .map((name) => `${source.path} may not import ${name} of a higher room`);
};

const checkFolders: Check = (source) => {
  const [layer = "", folder = ""] = source.path.split("/");
  const order = FOLDERS[layer] ?? [];
  if (!order.includes(folder)) return [];
  return importsOf(source)
    .filter((name) => name.startsWith("."))
    .filter((name) => {
      const [targetLayer, target = ""] = resolve(source.path, name).split("/");
      return targetLayer === layer && order.indexOf(target) > order.indexOf(folder);
    })
    .map((name) => `${source.path} may not import ${name} of a higher folder`);
};

/** Returns the name of the oracle whose file or folder has this file; `undefined` for other files. */
function oracleOf(path: string): string | undefined {
  return /^invariants\/oracles\/([\w-]+)/.exec(path)?.[1];
}

const checkOracles: Check = (source) => {
  const own = oracleOf(source.path);
  if (own === undefined) return [];
  return importsOf(source)
    .map((name) => oracleOf(resolve(source.path, name)))
    .filter((target) => target !== undefined && target !== own)
    .map((target) => `${source.path} may not import from the oracle ${target}`);
};

function assigned(node: ts.Node): ts.Expression | undefined {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
    return isAssignment ? node.left : undefined;
  }
  if (ts.isPostfixUnaryExpression(node) || ts.isDeleteExpression(node)) {
    return ts.isDeleteExpression(node) ? node.expression : node.operand;
  }
  if (!ts.isPrefixUnaryExpression(node)) return undefined;
  const { operator, operand } = node;
  return operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken ? operand : undefined;
}

/** The room whose sub-state an assignment changes: `state.<room> = `, `<room>.<field> = ` or `state.<room>.<field> = `. */
function roomWritten(target: ts.Expression): string | undefined {
  if (!ts.isPropertyAccessExpression(target)) return undefined;
  const { expression, name } = target;
  const owner = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  return ROOMS.find((room) => owner.getText() === room || name.text === room);
}

const checkWriters: Check = (source) => {
  if (!source.path.startsWith(`${VALIDATOR}/`)) return [];
  const found: string[] = [];
  visit(parse(source), (node) => {
    const target = assigned(node);
    const room = target && roomWritten(target);
    if (target !== undefined && room !== undefined && room !== roomOf(source.path))
      found.push(`${source.path} writes ${target.getText()} of the room ${room}`);
  });
  return found;
};

/** The files of one cycle, none where there is none. Type-only imports count. */
function cycleIn(sources: readonly Source[]): readonly string[] {
  const graph = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source)
        .filter((name) => name.startsWith("."))
        .map((name) => resolve(source.path, name)),
    ]),
  );
  const done = new Set<string>();
  const follow = (path: string, way: readonly string[]): readonly string[] => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return [];
    for (const target of graph.get(path) ?? []) {
      const cycle = follow(target, [...way, path]);
      if (cycle.length > 0) return cycle;
    }
    done.add(path);
    return [];
  };
  for (const path of graph.keys()) {
    const cycle = follow(path, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

function isName(node: ts.Identifier): boolean {
  const { parent } = node;
  const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
  return isMember || ((ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node);
}

/** Functions that may write JSON: a quotation, and the one text of it that clients sign (wire 3.8, 4). */
const JSON_WRITERS = ["quote", "jsonMetadata"];

/** JSON in the words of an error or of a quotation is for people; anywhere else it would be a canonical form. */
function isForPeople(node: ts.Node): boolean {
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isThrowStatement(at)) return true;
    if (ts.isFunctionDeclaration(at)) return JSON_WRITERS.includes(at.name?.text ?? "");
    if (ts.isNewExpression(at) && at.expression.getText().endsWith("Error")) return true;
  }
  return false;
}

function impurity(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node) && BANNED_GLOBALS.has(node.text) && !isName(node)) return node.text;
  if (node.kind === ts.SyntaxKind.AsyncKeyword || ts.isAwaitExpression(node)) return "async";
  if (ts.isForOfStatement(node) && node.awaitModifier !== undefined) return "async";
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  const member = node.name.text;
  if (BANNED_METHODS.has(member)) return member;
  const owner = node.expression.getText();
  if (owner === "Math" && !EXACT_MATH.has(member)) return `Math.${member}`;
  return owner === "JSON" && member === "stringify" && !isForPeople(node) ? "JSON.stringify" : undefined;
}

const checkPurity: Check = (source) => {
  const found: string[] = [];
  visit(parse(source), (node) => {
    const word = impurity(node);
    if (word !== undefined) found.push(`${source.path} uses ${word}`);
  });
  return PURE.test(source.path) ? found : [];
};

function isNumber(node: ts.Expression, value: string): boolean {
  return (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) && node.text.replace("n", "") === value;
}

/** A product or quotient with 3, or twice the faults. */
function isQuorumArithmetic(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node)) return false;
  const { left, right, operatorToken } = node;
  const isProduct = operatorToken.kind === ts.SyntaxKind.AsteriskToken;
  if (!isProduct && operatorToken.kind !== ts.SyntaxKind.SlashToken) return false;
  const sides = [left, right];
  if (sides.some((side) => isNumber(side, "3"))) return true;
  const isFaults = sides.some((side) => /(^|\W)f$|fault/i.test(side.getText()));
  return isProduct && isFaults && sides.some((side) => isNumber(side, "2"));
}

const checkQuorums: Check = (source) => {
  const found: string[] = [];
  visit(parse(source), (node) => {
    if (isQuorumArithmetic(node)) found.push(`${source.path} counts a quorum: ${node.getText()}`);
  });
  return QUORUM_FREE.test(source.path) && !QUORUM_FILES.includes(source.path) ? found : [];
};

/** Names of the decision functions, as their files have them. */
const DECISIONS = new Set(Object.values(rules).flatMap((part) => Object.values(part).map(({ name }) => name)));
/** The files that make the record of them, and those that give operations their ids where no validator decides. */
const RECORDS = [
  ...[CONSENSUS, LEDGER, VALIDATOR].map((folder) => `${folder}/rules.ts`),
  `${LEDGER}/identity.ts`,
  `${VALIDATOR}/hash-cache.ts`,
];

/** Law 6: a decision function that another one calls by its name cannot be replaced there. */
const checkDecisions: Check = (source) => {
  if (!CORE.some((folder) => source.path.startsWith(`${folder}/`)) || RECORDS.includes(source.path)) return [];
  const own = new Set<string>();
  const found: string[] = [];
  visit(parse(source), (node) => {
    if (ts.isFunctionDeclaration(node) && node.name !== undefined && DECISIONS.has(node.name.text))
      own.add(node.name.text);
    const isImported = ts.isImportSpecifier(node) && !node.isTypeOnly && node.parent.parent.phaseModifier === undefined;
    if (isImported && DECISIONS.has((node.propertyName ?? node.name).text)) found.push(`imports ${node.name.text}`);
  });
  visit(parse(source), (node) => {
    const isValue = ts.isCallExpression(node) || ts.isParameter(node) || ts.isPropertyAssignment(node);
    const value = !isValue ? undefined : ts.isCallExpression(node) ? node.expression : node.initializer;
    if (value !== undefined && ts.isIdentifier(value) && own.has(value.text)) found.push(`uses ${value.text}`);
  });
  return found.map((text) => `${source.path} ${text}`);
};

const checkReExports: Check = (source) => {
  if (RE_EXPORTERS.includes(source.path)) return [];
  const imported = new Set<string>();
  const found: string[] = [];
  visit(parse(source), (node) => {
    if (ts.isImportSpecifier(node) || ts.isImportClause(node) || ts.isNamespaceImport(node)) {
      if (node.name !== undefined) imported.add(node.name.text);
    }
    if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) found.push(node.getText());
    if (ts.isExportSpecifier(node) && imported.has((node.propertyName ?? node.name).text)) found.push(node.getText());
  });
  return found.map((text) => `${source.path} passes on ${text}`);
};

const checkLength: Check = ({ path, text }) => {
  const lines = text.trimEnd().split("\n").length;
  return lines > LINES_MAX ? [`${path} has ${lines} lines of at most ${LINES_MAX}`] : [];
};

const checkFinished: Check = ({ path, text }) =>
  text.split("\n").flatMap((line, at) => (UNFINISHED.test(line) ? [`${path}:${at + 1} is unfinished`] : []));

const ROOT = join(import.meta.dirname, "..");

/** Reads the files below a folder that are ours: installed packages are left out. */
function filesIn(folder: string, accepts: (name: string) => boolean): readonly Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && accepts(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.slice(ROOT.length).includes("node_modules"))
    .sort()
    .map((path) => ({
      path: path.slice(join(ROOT, folder).length + 1).replaceAll("\\", "/"),
      text: readFileSync(path, "utf8"),
    }));
}

const sources = filesIn("src", (name) => name.endsWith(".ts"));
const isText = (name: string): boolean => /\.(ts|js|mjs|json|md|ya?ml)$/.test(name) && name !== "package-lock.json";
const texts = [
  ...["src", "test", "bench", "scenarios"].flatMap((folder) => filesIn(folder, isText)),
  ...readdirSync(ROOT)
    .filter(isText)
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") })),
];

function complaints(check: Check, all: readonly Source[]): readonly string[] {
  return all.flatMap((source) => check(source));
}

/** A line as if it stood in this file. */
function planted(path: string, text: string): Source {
  return { path, text };
}

describe("the source", () => {
  it("imports only what its layer may import, with .ts", () => expect(complaints(checkLayers, sources)).toEqual([]));
  it("has no import cycle, types included", () => expect(cycleIn(sources)).toEqual([]));
  it("keeps a validator's rooms in their order", () => expect(complaints(checkRooms, sources)).toEqual([]));
  it("keeps the folders of a layer in their order", () => expect(complaints(checkFolders, sources)).toEqual([]));
  it("has no oracle that knows another one", () => expect(complaints(checkOracles, sources)).toEqual([]));
  it("writes each sub-state of a validator in its own room", () =>
    expect(complaints(checkWriters, sources)).toEqual([]));
  it("depends on nothing outside where it must be pure", () => expect(complaints(checkPurity, sources)).toEqual([]));
  it("counts quorums in one file of the core and one of the oracles", () =>
    expect(complaints(checkQuorums, sources)).toEqual([]));
  it("calls decision functions through their record", () => expect(complaints(checkDecisions, sources)).toEqual([]));
  it("passes exports on in the two top files only", () => expect(complaints(checkReExports, sources)).toEqual([]));
  it(`has no file of more than ${LINES_MAX} lines`, () => expect(complaints(checkLength, sources)).toEqual([]));
  it("has a README for each room, which says what it may import and names files that are there", () =>
    expect(readmes.flatMap(({ room, text }) => readmeFaults(room, text))).toEqual([]));
  it("is finished, like all text of the project", () => expect(complaints(checkFinished, texts)).toEqual([]));
});

/** Rooms of src, each with a README. */
const readmes = readdirSync(join(ROOT, "src"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({ room: name, text: readFileSync(join(ROOT, "src", name, "README.md"), "utf8") }));

/** Complaints about the README of a room: its length, the rooms that it says may be imported, files that are not there. */
function readmeFaults(room: string, text: string): readonly string[] {
  const faults = text.trimEnd().split("\n").length > README_LINES_MAX ? [`src/${room}/README.md is too long`] : [];
  const said = /^\| imports \| (.*) \|$/m.exec(text)?.[1] ?? "";
  const folders = (LAYERS[room]?.folders ?? []).filter((folder) => !folder.startsWith(`${room}/`));
  const allowed = CORE.every((layer) => folders.includes(layer))
    ? ["core", ...folders.filter((folder) => !CORE.includes(folder))]
    : folders;
  const wanted = allowed.map((folder) => `\`${folder}\``).join(", ");
  if (room !== "core" && said !== wanted) faults.push(`src/${room}/README.md says that it imports ${said}`);
  const files = [...text.matchAll(/`([a-z][\w/-]*\.tsx?)`/g)].map(([, file = ""]) => file);
  const missing = files.filter((file) => !existsSync(join(ROOT, "src", room, file)) && !existsSync(join(ROOT, file)));
  return [...faults, ...missing.map((file) => `src/${room}/README.md names ${file}, which is not there`)];
}

describe("the checks themselves", () => {
  it("see imports against the arrows, of strange packages, without .ts, computed and from nowhere", () => {
    const lines: readonly (readonly [path: string, line: string])[] = [
      [`${BASE}/a.ts`, 'import { b } from "../crypto/b.ts";'],
      [`${LEDGER}/a.ts`, 'import type { B } from "../consensus/b.ts";'],
      [`${CONSENSUS}/a.ts`, 'export type A = import("../ledger/b.ts").B;'],
      ["simulator/deep/a.ts", 'import { b } from "../../invariants/b.ts";'],
      ["invariants/a.ts", 'import { b } from "../core/ledger/b.ts";'],
      ["invariants/reference/a.ts", 'import { b } from "../../core/ledger/b.ts";'],
      ["run/a.ts", 'import { b } from "../search/b.ts";'],
      ["search/a.ts", 'import { b } from "../index.ts";'],
      [`${VALIDATOR}/a.ts`, 'import fs from "node:fs";'],
      [`${BASE}/a.ts`, 'import { b } from "@noble/curves/b.js";'],
      [`${BASE}/a.ts`, 'import { b } from "./b";'],
      ["cli/a.ts", 'const b = await import("yargs" + c);'],
      ["elsewhere/a.ts", ""],
      ["core/a.ts", ""],
    ];
    for (const [path, line] of lines)
      expect([line, checkLayers(planted(path, line))]).toEqual([line, [expect.anything()]]);
    expect(checkLayers(planted("simulator/deep/a.ts", 'import { b } from "../b.ts"; import "pure-rand/x";'))).toEqual(
      [],
    );
  });

  it("see a cycle of types", () => {
    const a = planted(`${BASE}/a.ts`, 'import type { B } from "./deep/b.ts";');
    const b = planted(`${BASE}/deep/b.ts`, 'import type { C } from "../c.ts";');
    const c = planted(`${BASE}/c.ts`, 'export const c: import("./a.ts").A = 1;');
    expect(cycleIn([a, b, c])).toEqual([a.path, b.path, c.path, a.path]);
    expect(cycleIn([a, b, planted(c.path, "")])).toEqual([]);
  });

  it("see a room that knows a higher one or a driver, and one that writes another's sub-state", () => {
    const rooms = [
      [`${VALIDATOR}/mempool/a.ts`, 'import { b } from "../slots/b.ts";'],
      [`${VALIDATOR}/slots/a.ts`, 'import type { B } from "../epochs/deep/b.ts";'],
      [`${VALIDATOR}/epochs/a.ts`, 'import { submit } from "../submit.ts";'],
    ] as const;
    for (const [path, line] of rooms)
      expect([line, checkRooms(planted(path, line))]).toEqual([line, [expect.anything()]]);
    expect(checkRooms(planted(`${VALIDATOR}/slots/a.ts`, 'import { b } from "../mempool/b.ts";'))).toEqual([]);
    const higher = 'import { b } from "../search/b.ts";';
    expect(checkFolders(planted("explore/model/a.ts", higher))).toEqual([expect.anything()]);
    for (const path of ["explore/search/a.ts", "explore/other/a.ts", "live/model/a.ts"])
      expect([path, checkFolders(planted(path, higher))]).toEqual([path, []]);
  });

  it("see an oracle that imports from another one", () => {
    const line = 'import { b } from "../fairness/b.ts";';
    expect(checkOracles(planted("invariants/oracles/validity/a.ts", line))).toEqual([expect.anything()]);
    expect(checkOracles(planted("invariants/oracles/fairness/a.ts", line))).toEqual([]);
    const writes =
      "context.state.mempool.pending = a|mempool.queueKeys += 1|state.mempool.queueKeys++|delete mempool.pending";
    for (const line of [...writes.split("|"), "state.mempool = a"]) {
      expect([line, checkWriters(planted(`${VALIDATOR}/slots/a.ts`, line))]).toEqual([line, [expect.anything()]]);
      expect(checkWriters(planted(`${VALIDATOR}/mempool/a.ts`, line))).toEqual([]);
    }
    expect(checkWriters(planted(`${VALIDATOR}/slots/a.ts`, "state.ledger = state.mempool.pending"))).toEqual([]);
  });

  it("see what is impure", () => {
    const lines =
      "new Date()|performance.now()|Math.random()|setTimeout(f)|process.exit()|async () => 1|let a: Promise<1>|Intl.x|" +
      "a.localeCompare(b)|Math.log(2)|Math.exp(2)|Math.pow(2, 3)|const key = JSON.stringify(a)|const t = Date";
    for (const line of lines.split("|"))
      expect([line, checkPurity(planted("simulator/a.ts", line))]).toEqual([line, [expect.anything()]]);
    const innocent =
      "throw new RangeError(JSON.stringify(a)); // Date\nconst a = { process: 1 }; a.process; Math.floor(1); 'Promise';";
    expect(checkPurity(planted("simulator/a.ts", innocent))).toEqual([]);
    expect(checkPurity(planted("cli/a.ts", "new Date()"))).toEqual([]);
  });

  it("see quorum arithmetic", () => {
    for (const line of ["(2 * n) / 3", "votes * 3 >= 2 * n", "2 * committee.faulty + 1", "n / 3n"])
      expect([line, checkQuorums(planted("simulator/a.ts", line))]).toEqual([line, [expect.anything()]]);
    expect(checkQuorums(planted("simulator/a.ts", "pause * 2 + size / 30"))).toEqual([]);
  });

  it("see a decision function that is called by its name", () => {
    const path = `${LEDGER}/a.ts`;
    const fault = "function formFault() {}";
    const calls = [
      'import { formFault } from "./check.ts";',
      `${fault} formFault();`,
      `${fault} f((a = formFault) => a);`,
    ];
    for (const line of [...calls, `${fault} const rules = { wellFormed: formFault };`])
      expect([line, checkDecisions(planted(path, line))]).toEqual([line, [expect.anything()]]);
    const allowed = [
      'import type { formFault } from "./check.ts";',
      "rules.formFault();",
      `${fault} rules.wellFormed();`,
    ];
    for (const line of allowed) expect([line, checkDecisions(planted(path, line))]).toEqual([line, []]);
  });

  it("see exports that are passed on", () => {
    const path = "run/a.ts";
    expect(checkReExports(planted(path, 'export { b } from "./b.ts";'))).toHaveLength(1);
    expect(checkReExports(planted(path, 'export * from "./b.ts";'))).toHaveLength(1);
    expect(checkReExports(planted(path, 'import { b } from "./b.ts"; export { b as c };'))).toHaveLength(1);
    expect(checkReExports(planted(path, "const b = 1; export { b };"))).toEqual([]);
    expect(checkReExports(planted("index.ts", 'export * from "./b.ts";'))).toEqual([]);
  });

  it("see a README that is too long, allows another import, or names a file that is not there", () => {
    const text = readFileSync(join(ROOT, "src/run/README.md"), "utf8");
    expect(readmeFaults("run", text)).toEqual([]);
    expect(readmeFaults("run", `${text}${"\n".repeat(README_LINES_MAX)}a`)).toHaveLength(1);
    expect(readmeFaults("run", text.replace("`bugs`", "`bugs`, `server`"))).toHaveLength(1);
    expect(readmeFaults("run", text.replace("`run.ts`", "`none.ts`"))).toHaveLength(1);
  });

  it("see a file that is too long, and one that is not finished", () => {
    expect(checkLength(planted("a.ts", "a\n".repeat(LINES_MAX + 1)))).toHaveLength(1);
    expect(checkLength(planted("a.ts", "a\n".repeat(LINES_MAX)))).toEqual([]);
    for (const word of [`TO${"DO"}`, `FIX${"ME"}`, `${"issue"} #1`])
      expect(checkFinished(planted("a.md", `a\nb ${word}: c`))).toEqual(["a.md:2 is unfinished"]);
  });
});

it("the core counts quorums and faults as the oracles do, for 1 to 200 validators", () => {
  for (let n = 1; n <= 200; n++) expect([faultyOf(n), quorumOf(n)]).toEqual([bounds(n).faults, bounds(n).quorum]);
});
