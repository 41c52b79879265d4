/** Private words do not come back: docs/glossary.md has the field's terms. Comments begin with their subject. */
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
];

const OPENING = /^\s*(?:\/\*\*|\/\/)\s*(What|Who|Whom|Whose|Whether|How|Whatever|Whenever)\b/;

function banned(line: string): readonly string[] {
  return BANNED.flatMap(([word, term]) => (word.test(line) ? [`${word.source} -> ${term}`] : []));
}

const texts = [
  ...textsBelow(["src", "test", "bench", "tools"], /\.ts$/),
  ...textsBelow(["docs", "scenarios"], /\.md$/),
  ...textsBelow(["scenarios"], /\.yaml$/),
].filter(({ path }) => path !== "test/docs/vocabulary.test.ts");

/** The comment that a line of code holds, else nothing; of Markdown and scenarios the whole line. */
function prose(path: string, line: string): string {
  if (!path.endsWith(".ts")) return line;
  return /(?:^\s*\*|\/\*\*|(?:^|\s)\/\/ ).*/.exec(line)?.[0] ?? "";
}

function found(judge: (line: string) => readonly string[]): readonly string[] {
  return texts.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, at) => judge(prose(path, line)).map((finding) => `${path}:${at + 1}: ${finding}`)),
  );
}

describe("the vocabulary", () => {
  test("has no banned word", () => expect(found(banned)).toEqual([]));
  test("lets no comment begin with a question word", () =>
    expect(found((line) => (OPENING.test(line) ? [line.trim()] : []))).toEqual([]));
  test("is seen to be broken", () => {
    expect(banned("a liar, to blame")).toHaveLength(2);
    expect(prose("a.ts", "const liar = 1; // a liar")).toBe(" // a liar");
    expect(OPENING.test("  /** Whether it is. */")).toBe(true);
  });
});
