/** Code that the guides quote from the sources is there, word for word. */
import { expect, test } from "vitest";
import { textsBelow } from "./texts.ts";

/** Returns the quoted declarations of a text: code blocks that begin with an export. */
function quotationsIn(text: string): readonly string[] {
  return [...text.matchAll(/```ts\n(export const .*?)```/gs)].map(([, code = ""]) => code);
}

test("each exported declaration that a document quotes stands in a source file", () => {
  const sources = textsBelow(["src"], /\.ts$/);
  const quoted = textsBelow(["docs"], /\.md$/).flatMap(({ text }) => quotationsIn(text));
  expect(quoted.length).toBeGreaterThan(0);
  expect(quoted.filter((code) => !sources.some(({ text }) => text.includes(code)))).toEqual([]);
});
