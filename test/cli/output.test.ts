/** Reports for CI: a JUnit file, and annotations on GitHub's runner. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { convert } from "xmlbuilder2";
import { INVARIANTS } from "../../src/invariants/catalogue.ts";
import { casesOfCampaign } from "../../src/report/junit.ts";
import { stepSummary } from "../../src/report/run-report.ts";
import { BAD, folder, GOOD, runCommand } from "./support.ts";

const UNMET = 'name: a < b & "c", 100%\nexpect:\n  - { nothing_final: true }\n  - { epoch: 3 }\n';
const home = folder({ "good.yaml": GOOD, "bad.yaml": BAD, "unmet.yaml": UNMET });

interface Case {
  readonly "@name": string;
  readonly "@classname": string;
  readonly "@file"?: string;
  readonly "@time"?: string;
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

type Suite = { readonly testcase: readonly Case[] } & Record<string, string>;

function suiteIn(file: string): Suite {
  const read = convert(readFileSync(file, "utf8"), { format: "object" });
  return (read as unknown as { readonly testsuites: { readonly testsuite: Suite } }).testsuites.testsuite;
}

describe("--junit", () => {
  it("writes one case for each run and each file that is no scenario, and counts them", async () => {
    const file = join(home, "below", "junit.xml");
    await runCommand(["run", home, "--junit", file]);
    const { testcase: cases, ...counts } = suiteIn(file);
    expect(counts).toMatchObject({ "@name": "quorumlab run", "@tests": "3", "@failures": "1", "@errors": "1" });
    expect(cases.map(({ error, failure }) => (error ?? failure)?.["@type"])).toEqual([undefined, "unmet", "refused"]);
    const folders = home.split("/").filter((part) => part !== "");
    expect(new Set(cases.map((one) => one["@classname"]))).toEqual(new Set([folders.join(".")]));
    expect(counts["@timestamp"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  });

  it("has a case for each check of fuzz, or for each seed that failed it, whose names say nothing of seeds", async () => {
    const file = join(home, "fuzz.xml");
    const out = folder({});
    let now = 0;
    const fuzz = async (...argv: readonly string[]): Promise<readonly Case[]> => {
      const common = ["--profile", "quick", "--workers", "1", "--quiet", "--out", out, "--junit", file];
      await runCommand(["fuzz", ...common, ...argv], { now: () => (now += 7) });
      return suiteIn(file).testcase;
    };
    const clean = await fuzz("--seeds", "2");
    expect(clean.map((one) => one["@name"])).toEqual([...INVARIANTS, "campaign"]);
    expect(clean.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect(Number(clean.at(-1)?.["@time"])).toBeGreaterThan(0);
    const failing = await fuzz("--seeds", "6", "--bug", "quorum-off-by-one", "--stop-after", "3");
    const failed = failing.filter(({ failure }) => failure !== undefined);
    expect(failed).toHaveLength(3);
    for (const one of failed) {
      expect(one["@name"]).toMatch(/^[a-z]+( [23])?$/);
      expect(readFileSync(one["@file"] as string, "utf8")).toContain("quorum-off-by-one");
      expect(Number(one["@time"])).toBeGreaterThan(0);
    }
    expect(new Set(failing.map((one) => one["@name"])).size).toBe(failing.length);
  });

  it("has a failing case where a campaign shows little", () => {
    const checks = { names: ["fees"], shortcomings: ["no run had crash"] };
    const [held, whole] = casesOfCampaign("quorumlab fuzz", checks, [], 1);
    expect([held?.outcome, whole?.outcome?.message]).toEqual([undefined, "no run had crash"]);
  });

  it("has a skipped case for what an interrupt prevented", async () => {
    const file = join(home, "interrupted.xml");
    await runCommand(["run", home, "--junit", file], { interrupted: async () => true });
    expect(readFileSync(file, "utf8")).toMatch(/name="interrupted: 3 not run"[^>]*>\s*<skipped/);
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

describe("the summary of a job on GitHub", () => {
  it("is appended for run and fuzz, with the line that reproduces each failure", async () => {
    const page = join(home, "summary.md");
    const env = { GITHUB_STEP_SUMMARY: page };
    const { out } = await runCommand(["run", home], { env });
    await runCommand(["fuzz", "--seeds", "2", "--profile", "quick", "--workers", "1"], { env });
    const text = readFileSync(page, "utf8");
    expect(text).toMatch(/^\*\*quorumlab run\*\*: 3 scenarios, 1 passed, 2 failed in 0\.0 s\n/);
    const [, line = ""] = / reproduce: (quorumlab run \S+unmet.yaml --seed 1 \(version [^)]+\))/.exec(out) ?? [];
    expect(line).not.toBe("");
    expect(text).toContain("| `unmet` | `unmet` | ");
    expect(text).toContain("| `refused` | `bad` | ");
    expect(text).toContain(line);
    expect(text.trim().split("\n").at(-1)).toBe("**quorumlab fuzz**: 2 runs, 0 failed");
  });

  it("keeps its table whatever a reason holds, and its length", () => {
    const failure = ["unmet", "a|b`c", `x|\n${"y".repeat(1_000)}`, "c"] as const;
    const text = stepSummary("s", "r", Array(50).fill(failure));
    const rows = text.split("\n").filter((line) => line.startsWith("| `unmet"));
    expect(rows).toHaveLength(20);
    for (const row of rows) expect(row.replaceAll("\\|", "").split("|")).toHaveLength(6);
    expect(text).toContain("and 30 more");
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
