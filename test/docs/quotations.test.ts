/** Code that the guides quote from the sources is there, word for word, and the library says what its guide shows. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { scenario } from "../../src/library/scenario.ts";
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

test("the library's guide shows the message of a scenario with a misspelt key", () => {
  const payment = { from: "alice", to: "bob", token: "USD", vaule: "1" };
  const steps = [{ at: 0, submit: { id: "x", payment, nonce: 0 } }];
  const tokens = { USD: { decimals: 2, master: "issuer" } };
  let message = "";
  try {
    scenario({ name: "misspelt", genesis: { tokens }, steps });
  } catch (error) {
    message = (error as Error).message;
  }
  expect(readFileSync("docs/guides/library-and-fast-check.md", "utf8")).toContain(`\`\`\`\n${message}\n\`\`\``);
  expect(message).toContain("vaule");
});
