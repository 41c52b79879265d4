/** Private words do not come back: docs/glossary.md has the field's terms. Comments begin with their subject. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { textsBelow } from "./texts.ts";

/** Each with the term to use. Kept short: a word stands here only if it once named something in this repository. */
const BANNED: readonly (readonly [word: RegExp, term: string])[] = [
  [/\bliars?\b/i, "Byzantine validator"],
  [/\bto blame\b/i, "faulty"],
  [/\bmend(s|ed|ing)?\b/i, "fixed"],
  [/\bwhoever\b/i, "a named subject"],
  [/\bgrave(r|st)\b/i, "higher severity"],
  [/\bdearer\b/i, "more expensive"],
  [/\bhow manieth\b/i, "occurrence number"],
  [/\b(begins|begin|began) to lie\b/i, "becomes Byzantine"],
  [/\bin words:/i, "explain:"],
  [/\btaken up again\b/i, "resubmitted"],
  [/\bunshown\b/i, "undisclosed"],
  [/\bhanded in\b/i, "submitted"],
  [/\b(lose|loses|losing) (its|their) patience\b/i, "client timeout"],
  [/\b(\d\d|\w+teen|ten|eleven|twelve|twenty) (oracles|invariants)\b/i, "the oracles: their number changes"],
];

/** Words that no identifier contains. */
const BANNED_NAMES = /\b(heeds?|scenes?|arenas?|liars?|story|vows?|befalls?|accomplices?|hand(ed|s)? in|told by)\b/i;

/** The swarm and the arbitraries draw by these keys. */
const DRAWN_KEYS = /^src\/(search\/fuzz\/(swarm|roles)|library\/arbitraries\/scenarios)\.ts$/;

const OPENING = /^\s*(?:\/\*\*|\/\/)\s*(What|Who|Whom|Whose|Whether|How|Whatever|Whenever)\b/;

/** A type is a noun, a function a verb phrase or a noun: no participle, adverb, preposition or pronoun is a name by itself. */
const LONE =
  /(ed|ing|ly)$|^(above|around|beside|behind|till|own|others?|another|more|one|what|which|that|rather|else|elsewhere|nowhere|since|until|before|after|within|without|begun|told|given|found|kept|left|held|shown|made|met|said|seen|sent|spent|done|gone|drawn|known|lost|paid|sold)$/i;

/** Nouns and verbs that end like a participle or an adverb. */
const NOUNS = /^(apply|assembly|finding|keyring|numbering|reading|recording|reply|sibling|tally)$/i;

const DECLARATION =
  /^\s*(?:export )?(?:default )?(?:abstract )?(?:async )?(?:function\*?|interface|type|class) ([A-Za-z][a-z]*)(?=[ <({])/;

/** The name that a line of code declares, if it is a lone participle, adverb, preposition or pronoun. */
function loneNames(line: string): readonly string[] {
  const name = DECLARATION.exec(line)?.[1];
  return name !== undefined && LONE.test(name) && !NOUNS.test(name) ? [name] : [];
}

function banned(line: string): readonly string[] {
  return BANNED.flatMap(([word, term]) => (word.test(line) ? [`${word.source} -> ${term}`] : []));
}

/** The banned words in the identifiers of a line of code, which are split at capitals; strings do not count. */
function bannedNames(line: string): readonly string[] {
  const words = line
    .replace(/"[^"]*"/g, '""')
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ");
  return BANNED_NAMES.exec(words)?.slice(0, 1) ?? [];
}

const texts = [
  ...textsBelow(["src", "test", "bench", "tools"], /\.ts$/),
  ...textsBelow(["docs", "scenarios", "src", "tools"], /\.md$/),
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map((path) => ({ path, text: readFileSync(path, "utf8") })),
  ...textsBelow(["scenarios"], /\.yaml$/),
].filter(({ path }) => path !== "test/docs/vocabulary.test.ts");

/** The comment or the title of a test, or of its row, that a line holds, else nothing; of other files the whole line. */
function prose(path: string, line: string): string {
  if (!path.endsWith(".ts")) return line;
  const title = /^\s*(?:(?:test|it|describe)\(|\[|\]\)\()"([^"]* [^"]*)"/.exec(line);
  if (title !== null) return title[1] ?? "";
  return /(?:^\s*\*|\/\*\*|(?:^|\s)\/\/ ).*/.exec(line)?.[0] ?? "";
}

function found(judge: (line: string) => readonly string[]): readonly string[] {
  return texts.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, at) => judge(prose(path, line)).map((finding) => `${path}:${at + 1}: ${finding}`)),
  );
}

describe("the vocabulary", () => {
  test("has no banned word", () => expect(found(banned)).toEqual([]));
  test("has no banned word in an identifier", () => {
    const code = texts.filter(({ path }) => path.endsWith(".ts") && !DRAWN_KEYS.test(path));
    const names = code.flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, at) => bannedNames(line).map((word) => `${path}:${at + 1}: ${word}`)),
    );
    expect(names).toEqual([]);
  });
  test("lets no comment begin with a question word", () =>
    expect(found((line) => (OPENING.test(line) ? [line.trim()] : []))).toEqual([]));
  test("names no function or type with a participle, an adverb, a preposition or a pronoun alone", () => {
    const names = textsBelow(["src"], /\.tsx?$/).flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, at) => loneNames(line).map((name) => `${path}:${at + 1}: ${name}`)),
    );
    expect(names).toEqual([]);
  });

  test("is seen to be broken", () => {
    expect(loneNames("async function begun(): void {")).toEqual(["begun"]);
    expect(loneNames("export interface Above {")).toEqual(["Above"]);
    expect(loneNames("function* tried<T>(")).toEqual(["tried"]);
    expect(loneNames("export class Tally {")).toEqual([]);
    expect(loneNames("  type Signed,")).toEqual([]);
    expect(loneNames("function lookedUp(")).toEqual([]);
    expect(banned("a liar, to blame, and sixteen oracles")).toHaveLength(3);
    expect(prose("a.ts", "const liar = 1; // a liar")).toBe(" // a liar");
    expect(prose("a.ts", '  test("whoever pays", () => {')).toBe("whoever pays");
    expect(prose("a.ts", '  ["whoever pays", 1],')).toBe("whoever pays");
    expect(bannedNames("const HEEDS_ALL = sceneOf(history);")).toEqual(["HEEDS"]);
    expect(bannedNames('this.#handedIn("story");')).toEqual(["handed In"]);
    expect(bannedNames('rng("liars").history()')).toEqual([]);
    expect(OPENING.test("  /** Whether it is. */")).toBe(true);
  });
});
