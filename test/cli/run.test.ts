import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BACKENDS, realScheme } from "../../src/backends/secp256k1.ts";
import { RUN_SLICE } from "../../src/scenario/limits.ts";
import { BAD, folder, GOOD, runCommand, UNMET } from "./support.ts";

/** A folder with one good scenario, which no test changes. */
const path = folder({ "a.yaml": GOOD });

describe("quorumlab run", () => {
  it("prints a line for each scenario and a summary, and exits 0 where all came as expected", async () => {
    const { code, out, err } = await runCommand(["run", folder({ "a.yaml": GOOD, "b.yml": GOOD })]);
    expect(code).toBe(0);
    expect(out).toMatch(/^pass {6}a .*1 final/);
    expect(out).toMatch(/2 scenarios, 2 passed, 0 failed/);
    expect(err).toBe("");
  });

  it("prints the run line of the contract", async () => {
    const { lines } = await runCommand(["run", path, "--json", "--seed", "7"]);
    expect(lines[0]).toEqual({
      type: "run",
      scenario: "a",
      seed: "7",
      verdict: "pass",
      crypto: "stand-in",
      hash: expect.stringMatching(/^0x[0-9a-f]{32}$/),
      steps: expect.any(Number),
      virtual_ms: expect.any(Number),
      wall_ms: 0,
      final: 1,
      violations: [],
      file: join(path, "a.yaml"),
      replay: `quorumlab run ${join(path, "a.yaml")} --seed 7`,
      quorumlab: expect.any(String),
      format: 6,
      node: process.versions.node,
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(lines[1]).toEqual({ type: "summary", runs: 1, passed: 1, failed: 0, wall_ms: 0 });
  });

  it("runs a file under several seeds, and prints a line for each verdict and the first of the worst", async () => {
    const path = folder({ "a.yaml": GOOD, "b.yaml": UNMET });
    const { code, out } = await runCommand(["run", path, "--seeds", "3", "--seed", "5"]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^a\npass +3\nb\nunmet +3 balance: .* expected N, got N \(v1\) \(seeds 5, 6, 7\)\nunmet +b, seed 5 /,
    );
    expect(out).toMatch(/reproduce: quorumlab run \S+b\.yaml --seed 5/);
    expect(out).toMatch(/6 runs, 3 passed, 3 failed/);
    const twins = [1, 2].map(() => join(folder({ "a.yaml": GOOD }), "a.yaml"));
    expect((await runCommand(["run", ...twins, "--seeds", "3"])).out).toMatch(/^a\npass +3\na\npass +3\n/);
    const { lines } = await runCommand(["run", join(path, "a.yaml"), "--json", "--seed", "9..11"]);
    expect(lines.map((line) => (line as { seed?: string }).seed)).toEqual(["9", "10", "11", undefined]);
  });

  it("runs a file under its own seed, and under another one that is given", async () => {
    const path = folder({ "a.yaml": `${GOOD}\nseed: "17"\n` });
    for (const [args, seed] of [
      [[], "17"],
      [["--seed", "3"], "3"],
    ] as const)
      expect((await runCommand(["run", path, "--json", ...args])).lines[0]).toMatchObject({ seed });
  });

  it("names the implementation that signed in the run line", async () => {
    for (const [crypto, backend] of [
      ...BACKENDS.map((name) => [name, name] as const),
      ["real", realScheme().backend],
    ]) {
      const { lines } = await runCommand(["run", path, "--json", "--crypto", crypto]);
      expect(lines[0], crypto).toMatchObject({ type: "run", verdict: "pass", crypto: backend });
    }
  });

  it("exits 2 where no file has the tag, and 0 where a shard is empty", async () => {
    const path = folder({ "a.yaml": `${GOOD}\ntags: [slow]\n` });
    expect(await runCommand(["run", path, "--tag", "slow"])).toMatchObject({ code: 0 });
    expect(await runCommand(["run", path, "--tag", "nosuch"])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--tag: expected a tag of one of these files, got nosuch/),
    });
    expect(await runCommand(["run", path, "--shard", "2/2"])).toMatchObject({ code: 0 });
  });

  it("exits 1 where an expectation is unmet, with the reason and the command that shows it again", async () => {
    const { code, out } = await runCommand(["run", folder({ "a.yaml": UNMET })]);
    expect(code).toBe(1);
    expect(out).toMatch(/unmet[\s\S]*expected balance: balance of bob in USD: expected 11, got 10/);
    expect(out).toMatch(/reproduce: quorumlab run \S+a\.yaml --seed 1/);
  });

  it("goes on behind a bad file; the most severe exit code wins", async () => {
    const { code, out, err } = await runCommand(["run", folder({ "a.yaml": BAD, "b.yaml": UNMET, "c.yaml": GOOD })]);
    expect(code).toBe(2);
    expect(err).toMatch(/a\.yaml:2:1: unknown key "stpes" \(did you mean "steps"\?\)\n {2}stpes: \[\]\n {2}\^/);
    expect(out).toMatch(/unmet {5}b/);
    expect(out).toMatch(/pass {6}c/);
  });

  it("names files that are not there and folders that hold nothing", async () => {
    const { code, err } = await runCommand(["run", "/nowhere/x.yaml", folder({ "readme.txt": "" })]);
    expect(code).toBe(2);
    expect(err).toMatch(/x\.yaml:1:1: cannot be read: there is no such file or folder/);
    expect(err).toMatch(/the folder holds no scenario/);
  });

  it("is quiet about what passed", async () => {
    expect((await runCommand(["run", path, "--quiet"])).out).toBe("");
    expect((await runCommand(["run", folder({ "a.yaml": UNMET }), "--quiet"])).out).toMatch(/unmet/);
  });

  it("takes every option from the environment, and the command line first", async () => {
    const env = { QUORUMLAB_SEED: "9", QUORUMLAB_JSON: "1", QUORUMLAB_UNKNOWN: "x" };
    expect((await runCommand(["run", path], { env })).lines[0]).toMatchObject({ seed: "9" });
    expect((await runCommand(["run", path, "--seed", "3"], { env })).lines[0]).toMatchObject({ seed: "3" });
  });

  it("keeps a seed as the text that it is", async () => {
    const seed = "18446744073709551615";
    expect((await runCommand(["run", path, "--json", "--seed", seed])).lines[0]).toMatchObject({ seed });
    expect((await runCommand(["run", path, "--json", "--seed", "007"])).lines[0]).toMatchObject({ seed: "007" });
  });

  it("has no colours but on a terminal, and none where NO_COLOR stands", async () => {
    expect((await runCommand(["run", path])).out).not.toContain("\u001b[");
    expect((await runCommand(["run", path], { outIsTerminal: true })).out).toContain("\u001b[");
    expect((await runCommand(["run", path], { outIsTerminal: true, env: { NO_COLOR: "1" } })).out).not.toContain(
      "\u001b[",
    );
  });

  it("shows progress on stderr, on a terminal or where plain lines are asked for", async () => {
    expect((await runCommand(["run", path], { errIsTerminal: true })).err).toContain("1/1  a");
    expect((await runCommand(["run", path, "--progress", "plain"])).err).toBe("1/1 a\n");
  });

  it("stops cleanly where somebody interrupts it, with what it has, and exits 130", async () => {
    let asked = 0;
    const interrupted = async (): Promise<boolean> => ++asked > 1;
    const { code, lines } = await runCommand(["run", folder({ "a.yaml": GOOD, "b.yaml": GOOD }), "--json"], {
      interrupted,
    });
    expect(code).toBe(130);
    expect(lines).toMatchObject([
      { type: "run", scenario: "a" },
      { type: "summary", runs: 1 },
    ]);
  });

  it("stops a long run between two events, with what it has found, and writes nothing of it", async () => {
    const mix = '[{ payment: { token: USD, value: "0.001" } }]';
    const long = `${GOOD.split("steps:")[0]}steps:
  - { at: 0, workload: { accounts: [alice], recipients: [bob], count: 5000, every_ms: 50, mix: ${mix} } }
expect: [{ all_final: true }]
`;
    let asked = 0;
    const interrupted = async (): Promise<boolean> => ++asked === 5;
    const path = folder({ "a.yaml": long, "b.yaml": GOOD });
    const out = folder({});
    const { code, lines } = await runCommand(["run", path, "--json", "--update", "--out", out], { interrupted });
    expect(code).toBe(130);
    expect(lines).toMatchObject([
      {
        ...{ type: "run", scenario: "a", verdict: "unmet", reason: expect.stringMatching(/^interrupted: at /) },
        steps: 4 * RUN_SLICE,
      },
      { type: "summary", runs: 0, failed: 0, interrupted: true, not_run: 2 },
    ]);
    expect(readFileSync(join(path, "a.yaml"), "utf8")).toBe(long);
    expect(existsSync(join(out, "a"))).toBe(false);
  });

  it("writes a transcript into its file, which then holds", async () => {
    const path = folder({ "a.yaml": GOOD });
    expect((await runCommand(["run", path, "--update"])).code).toBe(0);
    expect(readFileSync(join(path, "a.yaml"), "utf8")).toMatch(/transcript:\n {2}- \{"at":0,"kind":/);
    expect((await runCommand(["run", path])).code).toBe(0);
    expect((await runCommand(["run", path, "--seed", "2"])).out).toMatch(/transcript event \d+: expected/);
  });

  it("writes certificates that verify takes, and refuses once a byte is changed", async () => {
    for (const crypto of ["stand-in", "real"]) {
      const out = folder({});
      await runCommand(["run", path, "--out", out, "--crypto", crypto]);
      const [certificate, committee] = [join(out, "a", "x.json"), join(out, "a", "committee.json")];
      expect(existsSync(certificate)).toBe(true);
      expect(await runCommand(["verify", certificate, "--committee", committee])).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^valid\n/),
      });
    }
  });

  it("writes the committee of each epoch, and says in the line how many closed", async () => {
    const steps = `steps:
  - { at: 0, govern: { validators: [v1, v2/2, v3] } }
  - { after: { closed: 0, by: v1 }, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 } }
expect:
`;
    const out = folder({});
    const text = `${GOOD.split("steps:")[0]}${steps}${GOOD.split("expect:\n")[1]}`;
    const { code, lines } = await runCommand(["run", folder({ "a.yaml": text }), "--out", out, "--json"]);
    expect([code, lines[0]?.["epochs_closed"]]).toEqual([0, 1]);
    const file = (name: string): string => join(out, "a", name);
    const verified = async (committee: string) =>
      await runCommand(["verify", file("x.json"), "--committee", file(committee)]);
    expect(await verified("committee-1.json")).toMatchObject({ code: 0, out: expect.stringMatching(/^valid\n/) });
    expect((await verified("committee.json")).out).toMatch(/wrong epoch: the certificate is of 1, the committee of 0/);
    const told0 = await runCommand(["run", path, "--json"]);
    expect(told0.lines[0]).not.toHaveProperty("epochs_closed");
  });
});

describe("certificates and proofs of a run", () => {
  it("are the same files from one thread and from two", () => {
    const filesOf = (workers: string): readonly (readonly [string, string])[] => {
      const out = folder({});
      const files = ["checkpoint-lists-a-recovery", "checkpoints-of-3"];
      const paths = files.map((name) => `scenarios/rules/checkpoints/${name}.yaml`);
      execFileSync(process.execPath, ["dist/cli/main.js", "run", ...paths, "--workers", workers, "--out", out]);
      const names = readdirSync(out, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
      return names.sort().map((name) => [name, readFileSync(join(out, name), "utf8")]);
    };
    const [one, two] = [filesOf("1"), filesOf("2")];
    expect(one.filter(([name]) => name.endsWith(".receipt.json")).length).toBeGreaterThan(0);
    expect(two).toEqual(one);
  });
});

describe("the choice of files", () => {
  const TAGGED = GOOD.replace("name: good", "name: Good and slow\ntags: [slow, nightly]");
  const home = folder({ "a.yaml": GOOD, "b.yaml": TAGGED, "c.yaml": UNMET, "d.yaml": GOOD });
  const verdicts = async (...argv: string[]): Promise<readonly unknown[]> => {
    const { lines } = await runCommand(["run", ...argv, "--json"]);
    return lines.map(({ type, scenario, verdict, ...rest }) => (type === "run" ? [scenario, verdict] : rest));
  };
  const counts = (runs: number, passed: number, more: object = {}): object => ({
    ...{ runs, passed, failed: runs - passed, wall_ms: 0 },
    ...more,
  });

  it("by tags of which one is enough", async () => {
    expect(await verdicts(home, "--tag", "weekly", "--tag", "slow")).toEqual([
      ["b", "pass"],
      counts(1, 1, { left_out: 3 }),
    ]);
  });

  it("by shards that have each file once", async () => {
    const shards = await Promise.all(["1/3", "2/3", "3/3"].map((shard) => verdicts(home, "--shard", shard)));
    expect(shards.map((shard) => shard.length - 1)).toEqual([2, 1, 1]);
    expect(shards.flatMap((shard) => shard.slice(0, -1).map((one) => (one as string[])[0])).sort()).toEqual([
      ..."abcd",
    ]);
  });

  it("by patterns; one without a match is refused", async () => {
    expect((await verdicts(join(home, "[ab].yaml"))).at(-1)).toEqual(counts(2, 2));
    expect(await runCommand(["run", join(home, "*.yml")])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/the pattern matches no scenario file/),
    });
  });

  it("ends with the last failure that --bail allows, and says how many did not run", async () => {
    expect((await verdicts(home, "--bail")).at(-1)).toEqual(counts(3, 2, { not_run: 1 }));
    expect((await verdicts(home, "--bail", "2")).at(-1)).toEqual(counts(4, 3));
  });

  it("ends with an interrupt, and says how many did not run", async () => {
    let asked = 0;
    const { code, out } = await runCommand(["run", home], { interrupted: async () => asked++ > 1 });
    expect(code).toBe(130);
    expect(out).toMatch(/interrupted, \d not run/);
  });
});
