/** Reports for CI: a JUnit file, and annotations on GitHub's runner. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { convert } from "xmlbuilder2";
import { BAD, folder, GOOD, runCommand } from "./support.ts";

const UNMET = 'name: a < b & "c", 100%\nexpect:\n  - { nothing_final: true }\n  - { epoch: 3 }\n';
const home = folder({ "good.yaml": GOOD, "bad.yaml": BAD, "unmet.yaml": UNMET });

interface Case {
  readonly "@name": string;
  readonly failure?: { readonly "@type": string };
  readonly error?: { readonly "@type": string; readonly "@message": string };
}

describe("--junit", () => {
  it("writes one case for each run and each file that is no scenario, and counts them", async () => {
    const file = join(home, "below", "junit.xml");
    await runCommand(["run", home, "--junit", file]);
    const { testsuites } = convert(readFileSync(file, "utf8"), { format: "object" }) as unknown as {
      readonly testsuites: { readonly testsuite: { readonly testcase: readonly Case[] } & Record<string, string> };
    };
    const { testcase: cases, ...counts } = testsuites.testsuite;
    expect(counts).toMatchObject({ "@name": "quorumlab run", "@tests": "3", "@failures": "1", "@errors": "1" });
    expect(cases.map(({ error, failure }) => (error ?? failure)?.["@type"])).toEqual([undefined, "unmet", "refused"]);
  });

  it("is written by fuzz for what failed", async () => {
    const file = join(home, "fuzz.xml");
    const out = join(home, "found");
    const bad = ["--bug", "quorum-off-by-one", "--profile", "quick", "--stop-after", "1", "--workers", "1"];
    expect((await runCommand(["fuzz", ...bad, "--out", out, "--junit", file])).code).toBe(1);
    expect(readFileSync(file, "utf8")).toMatch(/<testsuite name="quorumlab fuzz" tests="1" failures="1" errors="0"/);
  });
});

describe("on GitHub's runner", () => {
  const env = { GITHUB_ACTIONS: "true" };

  it("each failure is an annotation at its file, and each problem at its line", async () => {
    const { out } = await runCommand(["run", home], { env });
    const lines = out.split("\n").filter((line) => line.startsWith("::"));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/^::error file=[^,:]+,line=\d+,title=[^,:]+::.+$/);
  });

  it("lines for programs stay as they are", async () => {
    const { out } = await runCommand(["run", home, "--json"], { env });
    for (const line of out.trim().split("\n")) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });
});
