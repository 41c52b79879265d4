/** One scenario and one seed give one result under the oldest and the newest Node; `npm run nodes` installs both. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { AWAY, CASES, hashesIn, nodeOf, resultsHere, VERSIONS } from "./elsewhere.ts";

describe.each(["oldest", "newest"] as const)("under the %s Node", (age) => {
  const node = nodeOf(age);

  test.skipIf(node === undefined)("one scenario and one seed give the result of this Node", () => {
    const hashes = hashesIn({ node: node as string, env: AWAY }, CASES);
    expect(hashes.node).toBe(VERSIONS[age]);
    expect(hashes.results).toEqual(resultsHere(CASES));
  });
});

test("the oldest Node is the one that package.json promises, and both are those that are installed", () => {
  const read = (path: string): Record<string, Record<string, string>> =>
    JSON.parse(readFileSync(path, "utf8")) as Record<string, Record<string, string>>;
  expect(read("package.json")["engines"]?.["node"]).toBe(`>=${VERSIONS.oldest.replace(/\.0$/, "")}`);
  const installed = Object.entries(read("test/determinism/nodes/package.json")["optionalDependencies"] ?? {});
  expect(installed.length).toBeGreaterThan(0);
  for (const [name, wanted] of installed)
    expect(wanted.split("@").at(-1)).toBe(VERSIONS[name.split("-")[0] as keyof typeof VERSIONS]);
});
