/** Reports for CI: a JUnit file, and annotations on GitHub's runner. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { convert } from "xmlbuilder2";
import { INVARIANTS } from "../../src/invariants/catalogue.ts";
import { BAD, folder, GOOD, runCommand } from "./support.ts";

const UNMET = 'name: a < b & "c", 100%\nexpect:\n  - { nothing_final: true }\n  - { epoch: 3 }\n';
const home = folder({ "good.yaml": GOOD, "bad.yaml": BAD, "unmet.yaml": UNMET });

interface Case {
  readonly "@name": string;
  readonly "@classname": string;
  readonly failure?: { readonly "@type": string };
  readonly error?: { readonly "@type": string; readonly "@message": string };
}

/** Its second step, on line 6, holds nothing. */
const IDLE = `name: idle
genesis: { tokens: { USD: { decimals: 0, master: issuer } }, checkpoints: none }
expect: [{ nothing_final: true }]
steps:
  - { at: 0, clock: { node: v1, ahead_ms: 1 } }
  - { at: 0, hold: { rule: late, kinds: [vote] } }
`;

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
    const folders = home.split("/").filter((part) => part !== "");
    expect(new Set(cases.map((one) => one["@classname"]))).toEqual(new Set([folders.join(".")]));
    expect(counts["@timestamp"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  });

  it("has a case for each invariant that no run of fuzz broke: a clean campaign is no empty suite", async () => {
    const file = join(home, "clean.xml");
    await runCommand(["fuzz", "--seeds", "2", "--profile", "quick", "--workers", "1", "--junit", file, "--quiet"]);
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(new RegExp(`<testsuites name="quorumlab fuzz" tests="${INVARIANTS.length}" failures="0"`));
    for (const name of INVARIANTS) expect(text).toContain(`name="2 of the seeds 1 to 2: ${name}"`);
  });

  it("has a skipped case for what an interrupt prevented", async () => {
    const file = join(home, "interrupted.xml");
    await runCommand(["run", home, "--junit", file], { interrupted: async () => true });
    expect(readFileSync(file, "utf8")).toMatch(/name="interrupted: 3 not run"[^>]*>\s*<skipped/);
  });

  it("is written by fuzz for what failed", async () => {
    const file = join(home, "fuzz.xml");
    const out = join(home, "found");
    const bad = ["--bug", "quorum-off-by-one", "--profile", "quick", "--stop-after", "1", "--workers", "1"];
    expect((await runCommand(["fuzz", ...bad, "--out", out, "--junit", file])).code).toBe(1);
    expect(readFileSync(file, "utf8")).toMatch(/<testsuite name="quorumlab fuzz" tests="\d+" failures="1" errors="0"/);
  });
});

describe("on GitHub's runner", () => {
  const env = { GITHUB_ACTIONS: "true" };

  it("each failure is an annotation at its file, and each problem at its line", async () => {
    const { out } = await runCommand(["run", home], { env });
    const lines = out.split("\n").filter((line) => line.startsWith("::"));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/^::error file=[^,:]+,line=\d+,title=[^,:]+::.+$/);
    // The second expectation is the one that is not met.
    expect(lines.find((line) => line.includes("title=unmet"))).toMatch(/,line=4,/);
  });

  it("lines for programs stay as they are", async () => {
    const { out } = await runCommand(["run", home, "--json"], { env });
    for (const line of out.trim().split("\n")) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });
});

describe("a step without an effect", () => {
  const idle = folder({ "idle.yaml": IDLE });

  it("is named in the JUnit file, and annotated at its line", async () => {
    const file = join(idle, "junit.xml");
    const { code, out } = await runCommand(["run", idle, "--junit", file], { env: { GITHUB_ACTIONS: "true" } });
    expect(code).toBe(1);
    const reason = "step 2 has no effect: rule late held no message";
    expect(readFileSync(file, "utf8")).toContain(`<failure type="unmet" message="${reason}">`);
    expect(out).toMatch(new RegExp(`::error file=[^,]+idle.yaml,line=6,title=unmet[^:]*::${reason}`));
  });
});

describe("a terminal without control sequences", () => {
  it("gets none", async () => {
    const terminal = { outIsTerminal: true, errIsTerminal: true, env: { TERM: "dumb" } };
    const { out, err } = await runCommand(["run", home], terminal);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be absent
    expect(out + err).not.toMatch(/[\u001b\r]/);
  });
});
