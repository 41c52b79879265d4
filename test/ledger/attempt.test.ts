/** Reproduction of a bug with an earlier build of fewer features, simulated by a short program. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { attempt, toFormat1 } from "../../tools/ledger/attempt.ts";

const folder = mkdtempSync(join(tmpdir(), "quorumlab-attempt-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Refuses the first line with one of these words, and otherwise tells `run`. */
function buildWithout(words: readonly string[], run: object): string {
  const main = join(folder, "main.mjs");
  const line = JSON.stringify({ type: "run", violations: [], ...run });
  writeFileSync(
    main,
    `import { readFileSync } from "node:fs";
const lines = readFileSync(process.argv[3], "utf8").split("\\n");
const line = 1 + lines.findIndex((text) => ${JSON.stringify(words)}.some((word) => text.includes(word)));
const refused = JSON.stringify({ type: "refused", problems: [{ line, column: 1, message: "unknown word" }] });
console.log(line > 0 ? refused : ${JSON.stringify(line)});
console.log('{"type":"summary"}');
`,
  );
  return main;
}

function fileOf(...expectations: readonly string[]): string {
  const path = join(folder, "regression.yaml");
  const steps = "steps:\n  - { at: 0, heal: true }";
  writeFileSync(
    path,
    ["name: x", steps, "expect:", ...expectations.map((expectation) => `  - ${expectation}`), ""].join("\n"),
  );
  return path;
}

function tried(main: string, file: string): ReturnType<typeof attempt> {
  return attempt(main, file, mkdtempSync(join(folder, "copies-")));
}

it("tells the first violation of a run that fails", () => {
  const violations = [{ invariant: "agreement", detail: "two values" }];
  const main = buildWithout([], { verdict: "violation", violations });
  const as = { verdict: "violation", invariant: "agreement", detail: "two values" };
  expect(tried(main, fileOf("{ final: x }"))).toEqual({ type: "shown", as });
});

it("leaves out the expectations that a build has no word for, no others, and says which", () => {
  const main = buildWithout(["new point", "newer"], { verdict: "unmet", unmet: ["final: x is pending"] });
  const file = fileOf("{ coverage: [new point] }", "{ final: x }", "{ coverage: newer }");
  const without = ["{ coverage: [new point] }", "{ coverage: newer }"];
  const as = { verdict: "unmet", invariant: null, detail: "final: x is pending", without };
  expect(tried(main, file)).toEqual({ type: "shown", as });
});

it("writes the file in the words of format 1 for a build that knows no others", () => {
  const main = buildWithout(["coverage:", "repeat:"], { verdict: "pass" });
  const file = fileOf("{ coverage: restarted }");
  expect(tried(main, file)).toEqual({ type: "passed", without: [] });
  const text = "submit: { repeat: x }, after: { coverage: 'state installed' }, drop: { kinds: [vote, recovery] }";
  expect(toFormat1(text)).toBe(
    "submit: { again: x }, after: { mark: 'state taken over' }, drop: { kinds: [vote, shown] }",
  );
});

it("leaves out nothing else: a build that has no word for a step refuses the file", () => {
  const main = buildWithout(["heal"], { verdict: "pass" });
  expect(tried(main, fileOf("{ final: x }"))).toEqual({ type: "refused", why: "unknown word" });
});

it("says what was left out of a run that passes, since that might have shown the bug", () => {
  const main = buildWithout(["newer"], { verdict: "pass" });
  expect(tried(main, fileOf("{ final: x }", "{ coverage: newer }"))).toEqual({
    type: "passed",
    without: ["{ coverage: newer }"],
  });
  expect(tried(main, fileOf("{ final: x }"))).toEqual({ type: "passed", without: [] });
});
