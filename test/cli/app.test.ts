import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { explanations } from "../../src/report/explain.ts";
import { BAD, folder, GOOD, runCommand } from "./support.ts";

const ALL = [
  ...["run", "fuzz", "campaign", "hunt", "explore", "twins", "shrink"],
  ...["serve", "send", "admin", "bench", "replay", "check", "schema", "verify", "explain", "report"],
];

describe("the command line", () => {
  it("prints help for itself and for each command, with an example", async () => {
    for (const command of [[], ...ALL.map((name) => [name])]) {
      const { code, out } = await runCommand([...command, "--help"]);
      expect(code).toBe(0);
      expect(out).toMatch(/Examples:\s+quorumlab /);
    }
  });

  it("prints its version", async () => {
    expect((await runCommand(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("prints a script for shell completion", async () => {
    expect((await runCommand(["completion"])).out).toMatch(/quorumlab completion/);
  });
});

describe("quorumlab check", () => {
  it("takes good files and exits 0", async () => {
    expect(await runCommand(["check", folder({ "a.yaml": GOOD })])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ok {2}.*a\.yaml\n$/),
    });
  });

  it("warns of an account that pays and holds nothing, and of no other", async () => {
    const typo = GOOD.replace("from: alice", "from: alcie");
    expect(typo).not.toBe(GOOD);
    const { code, err } = await runCommand(["check", folder({ "a.yaml": typo })]);
    expect(code).toBe(0);
    expect(err).toMatch(/a\.yaml: warning: alcie pays and never receives anything: is it another name\?\n$/);
    expect((await runCommand(["check", folder({ "a.yaml": GOOD })])).err).toBe("");
  });

  it("warns of a file without expectations", async () => {
    const { code, err } = await runCommand(["check", folder({ "a.yaml": GOOD.slice(0, GOOD.indexOf("expect:")) })]);
    expect([code, err]).toEqual([0, expect.stringMatching(/a\.yaml: warning: no expectations/)]);
  });

  it("refuses bad ones with exit 2, and goes on", async () => {
    const { code, out, err } = await runCommand(["check", folder({ "a.yaml": BAD, "b.yaml": GOOD })]);
    expect(code).toBe(2);
    expect(err).toMatch(/a\.yaml:2:1: unknown key "stpes"/);
    expect(out).toMatch(/b\.yaml/);
  });

  it("prints JSON lines", async () => {
    const { lines } = await runCommand(["check", folder({ "a.yaml": BAD, "b.yaml": GOOD }), "--json"]);
    expect(lines).toMatchObject([
      { type: "check", valid: false, problems: [{ line: 2, column: 1 }] },
      { type: "check", valid: true, problems: [] },
      { type: "summary", files: 2, valid: 1, invalid: 1 },
    ]);
  });
});

describe("quorumlab schema", () => {
  it("prints JSON Schema", async () => {
    const { code, out } = await runCommand(["schema"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      required: ["name"],
    });
  });
});

describe("quorumlab explain", () => {
  it("explains a refusal code with its status and section", async () => {
    expect(await runCommand(["explain", "business_nonce_gap"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/exactly the next one[\s\S]*422/),
    });
  });

  it("explains an invariant and a coverage point", async () => {
    expect((await runCommand(["explain", "agreement"])).out).toMatch(/7\.1/);
    expect((await runCommand(["explain", "lock carried", "--json"])).lines[0]).toMatchObject({
      type: "explain",
      kind: "coverage",
    });
  });

  it("explains every word of the scenario language and every variant, with a section, and examples that can be copied", async () => {
    const { lines: kinds } = await runCommand(["explain", "--json"]);
    expect(kinds.map(({ kind }) => kind)).toEqual([...explanations().keys()]);
    for (const { kind, names } of kinds as unknown as { kind: string; names: string[] }[]) {
      expect(names.length).toBeGreaterThan(0);
      const { lines } = await runCommand(["explain", kind, "--json"]);
      expect(lines.map(({ name }) => name)).toEqual(names);
      for (const { sentence, section } of lines) {
        expect(sentence).toMatch(/^\S.*\.$/s);
        expect(section).toMatch(/\S/);
      }
    }
    expect((await runCommand(["explain", "silence"])).out).toMatch(/\(strategy\)[\s\S]*strategy: silence/);
    expect((await runCommand(["explain", "hidden-locks"])).out).toMatch(/--bug hidden-locks/);
  });

  it("explains each meaning of a name that has several", async () => {
    const { lines } = await runCommand(["explain", "checkpointed", "--json"]);
    expect(lines.map(({ kind }) => kind)).toEqual(["trigger", "expectation"]);
  });

  it("tells the run of a scenario file in sentences, its last lines or all of them", async () => {
    const file = join(folder({ "a.yaml": GOOD }), "a.yaml");
    const { code, out } = await runCommand(["explain", file]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^good\n4 validators, a quorum is 3, tolerates f = 1 Byzantine; seed 1\n {4}0 ms {2}alice submits \w+ to v1\n/,
    );
    expect(out).toMatch(/\npass {2}1 final after \d+ ms\n$/);
    const short = await runCommand(["explain", file, "--lines", "2"]);
    expect(short.out).toMatch(/\n\d+ earlier lines: quorumlab explain \S+a\.yaml --lines \d+\n/);
    expect(short.out.split("\n").filter((line) => / ms {2}\S|^ {10}/.test(line))).toHaveLength(2);
    const { lines } = await runCommand(["explain", file, "--seed", "7", "--json"]);
    expect(lines[0]).toEqual({ type: "story", at: 0, text: expect.stringMatching(/^alice submits /), breach: false });
    const events = lines.filter(({ type }) => type === "event").map(({ event }) => event);
    expect(events[0]).toMatchObject({ step: 1, at: 0, kind: "action" });
    expect(events).toContainEqual(expect.objectContaining({ kind: "decided", party: "v1" }));
    expect(lines.at(-1)).toMatchObject({ type: "end", run: file, verdict: "pass", after: 0 });
  });
});
