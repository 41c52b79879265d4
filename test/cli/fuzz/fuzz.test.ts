/** Goal: output, files and exit codes of `fuzz` and `shrink`. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type OperationCounts, type SubmissionKind, totalOf } from "../../../src/run/run-record.ts";
import { COVERAGE_POINT_NAMES } from "../../../src/scenario/coverage-points.ts";
import { BAD, type CommandOutput, folder, GOOD, refusalOf, runCommand } from "../support.ts";

const BUG = ["--bug", "hasty-refusal", "--profile", "quick"];

async function fuzz(
  ...argv: readonly string[]
): Promise<CommandOutput & { readonly out: string; readonly folder: string }> {
  const path = join(folder({}), "found");
  const result = await runCommand(["fuzz", "--workers", "1", "--out", path, ...argv]);
  return { ...result, folder: path };
}

describe("quorumlab fuzz", () => {
  it("prints course, coverage points and a summary if all runs pass, and writes nothing", async () => {
    const { code, lines, folder: path } = await fuzz("--seeds", "4", "--profile", "quick", "--json");
    expect([code, existsSync(path)]).toEqual([0, false]);
    expect(lines.at(-1)).toMatchObject({ type: "summary", runs: 4, passed: 4, failed: 0, distinct: 0 });
    const course = lines.filter(({ type }) => type === "progress");
    expect(course.map(({ runs }) => runs)).toEqual([1, 2, 3, 4]);
    expect(course.at(-1)?.["points"]).toBe(
      lines.filter(({ type, hits }) => type === "coverage" && Number(hits) > 0).length,
    );
    expect(lines.filter(({ type }) => type === "slow")).toHaveLength(4);
    const marks = lines.slice(0, -1).filter(({ type }) => type !== "progress" && type !== "slow");
    const printed = marks.map(({ type, name }) => `${type} ${name}`);
    expect(printed).toEqual([...COVERAGE_POINT_NAMES.map((name) => `coverage ${name}`)]);
  });

  it("saves the first run of each failure signature: a file that fails on its own, and the observed facts", async () => {
    const { code, lines, folder: path } = await fuzz("--seeds", "6", ...BUG, "--json");
    expect(code).toBe(1);
    const runs = lines.filter(({ type }) => type === "run");
    const classes = new Set(runs.map(({ failure_signature }) => failure_signature));
    expect(lines.at(-1)).toMatchObject({ failed: runs.length, distinct: classes.size });
    expect(readdirSync(path).filter((name) => name.endsWith(".yaml"))).toHaveLength(classes.size);
    for (const [index, run] of runs.entries()) {
      const isFirst =
        runs.findIndex(({ failure_signature }) => failure_signature === run["failure_signature"]) === index;
      expect(run["same_as"] === run["seed"]).toBe(isFirst);
      expect(run["replay"]).toMatch(
        isFirst ? /^quorumlab run / : /^quorumlab fuzz --seed \d+ --seeds 1 --profile quick --bug/,
      );
      if (!isFirst) continue;
      const again = await runCommand([...String(run["replay"]).split(" ").slice(1), "--json"]);
      expect([again.code, again.lines[0]?.["hash"], again.lines[0]?.["verdict"]]).toEqual([
        1,
        run["hash"],
        "violation",
      ]);
      const beside = JSON.parse(readFileSync(String(run["file"]).replace(/yaml$/, "json"), "utf8")) as object;
      expect(beside).toMatchObject({ seed: run["seed"], bug: "hasty-refusal", hash: run["hash"] });
    }
  });

  it("stops after the requested number of failures, and prints the next commands", async () => {
    const { code, out } = await fuzz("--seeds", "6", ...BUG, "--stop-after", "1");
    expect(code).toBe(1);
    expect(out).toMatch(/reproduce: quorumlab run .*\.yaml --seed \d+/);
    expect(out).toMatch(/minimize: quorumlab shrink .*\.yaml --seed \d+/);
    expect(out).toMatch(/runs?, 1 failed \(1 distinct failure\)/);
  });

  it("ends with 130 on an interruption, with the results so far", async () => {
    let asked = 0;
    const interrupted = async (): Promise<boolean> => ++asked > 12;
    const argv = ["fuzz", "--workers", "1", "--seeds", "50", "--profile", "quick", "--json"];
    const { code, lines } = await runCommand(argv, { interrupted });
    expect(code).toBe(130);
    expect(lines.at(-1)?.["runs"]).toBeLessThan(50);
  });

  it("ends at the time limit, also inside a run, which is no failure", async () => {
    const argv = ["fuzz", "--workers", "1", "--time", "1", "--profile", "deep", "--seed", "4"];
    /** Clock that advances by 100 ms at each reading. */
    const clock = (): (() => number) => {
      let now = 0;
      return () => (now += 100);
    };
    const { code, lines } = await runCommand([...argv, "--json"], { now: clock() });
    expect(code).toBe(0);
    expect(lines.at(-1)).toMatchObject({ runs: 0, passed: 0, failed: 0, unfinished_seeds: ["4"], events: 0 });
    const { out } = await runCommand(argv, { now: clock() });
    expect(out).toContain("1 run unfinished: stopped before the end, neither passed nor failed (seed 4)\n");
  });

  it("prints operations, CPU time, and the version of the program", async () => {
    let cpu = 500;
    const argv = ["fuzz", "--workers", "1", "--seeds", "2", "--profile", "quick"];
    const { lines } = await runCommand([...argv, "--json"], { cpu: () => (cpu += 1_250) });
    expect(lines.at(-1)).toMatchObject({ cpu_ms: 1_250, unfinished_seeds: [], quorumlab: "0.1.0" });
    const last = lines.at(-1) as Record<"operations" | "final" | "steps" | "idle_steps", number> & {
      readonly operations_by_kind: Readonly<Record<string, OperationCounts>>;
    };
    const { operations, final, steps, idle_steps } = last;
    const counts = totalOf(new Map(Object.entries(last.operations_by_kind) as [SubmissionKind, OperationCounts][]));
    expect(counts).toMatchObject({ submitted: operations, final });
    expect(operations).toBeGreaterThanOrEqual(final);
    expect(final).toBeGreaterThan(0);
    expect(steps).toBeGreaterThan(idle_steps);
    const { out } = await runCommand(argv, { cpu: () => (cpu += 1_250) });
    const share = (count: number): string => `${Math.round((100 * count) / operations)} %`;
    const { admitted, contended, disturbed } = counts;
    expect(out).toContain(
      `${operations} operations: ${share(admitted)} admitted, ${share(final)} final, ${share(contended)} with a rival, ${share(disturbed)} met a fault on their way; ${idle_steps} of ${steps} drawn steps without an effect; 1.3 s of CPU time; version 0.1.0`,
    );
  });

  it("fails below a threshold, and names it", async () => {
    const argv = ["fuzz", "--workers", "1", "--seeds", "2", "--profile", "quick"];
    expect((await runCommand([...argv, "--threshold", "final>=1", "--threshold", "empty<=50"])).code).toBe(0);
    const missed = await runCommand([...argv, "--threshold", "final > 99.5"]);
    expect(missed.code).toBe(1);
    expect(missed.out).toMatch(/the runs show little: final>99\.5 is missed, at \d+\.\d %/);
  });

  it("finds the same in one thread and in three", () => {
    const run = (workers: string): readonly object[] => {
      const out = join(folder({}), "found");
      const argv = ["dist/cli/main.js", "fuzz", "--seeds", "8", ...BUG, "--stop-after", "5", "--json"];
      try {
        execFileSync(process.execPath, [...argv, "--workers", workers, "--out", out], { encoding: "utf8" });
      } catch (error) {
        const { stdout, status } = error as { readonly stdout: string; readonly status: number };
        expect(status).toBe(1);
        const lines = stdout.replaceAll(out, "OUT").trim().split("\n");
        const read = lines.map((line) => ({ ...(JSON.parse(line) as { type: string }), wall_ms: 0, cpu_ms: 0 }));
        // Which runs are slow is a matter of the clock.
        return read.filter(({ type }) => type !== "slow");
      }
      throw new Error("expected a campaign that fails");
    };
    expect(run("3")).toEqual(run("1"));
  });
});

describe("quorumlab shrink", () => {
  it("minimizes a saved failure under its seed, as a file and a test", async () => {
    const { lines } = await fuzz("--seed", "2", "--seeds", "6", ...BUG, "--stop-after", "1", "--json");
    const file = String(lines[0]?.["file"]);
    const { code, lines: shrunk } = await runCommand(["shrink", file, "--json"]);
    expect(code).toBe(0);
    const [one] = shrunk;
    expect(one).toMatchObject({ type: "shrunk", from: file, minimal: true, verdict: "violation" });
    expect(one?.["steps"]).toBeLessThanOrEqual(2);
    const again = await runCommand([...String(one?.["replay"]).split(" ").slice(1), "--json"]);
    expect([again.code, again.lines[0]?.["verdict"]]).toEqual([1, "violation"]);
    const text = readFileSync(String(one?.["file"]), "utf8");
    expect(text).toMatch(
      /^# irreversibility: .*\n# no single change of \d+ makes it pass\n# reproduce: quorumlab run .*\n# made by: quorumlab shrink .* --seed \d+\n/,
    );
    expect(readFileSync(String(one?.["file"]).replace(/yaml$/, "test.ts"), "utf8")).toContain("keeps irreversibility");
  });

  it("minimizes a scenario that expects a violation", async () => {
    const out = join(folder({}), "small.yaml");
    const { code, lines } = await runCommand(["shrink", "scenarios/bugs/hasty-refusal.yaml", "--out", out, "--json"]);
    expect([code, lines[0]?.["steps"]]).toEqual([0, 1]);
    expect((await runCommand(["run", out])).code).toBe(1);
  });

  it("ends with 130 on an interruption, and says that a smaller scenario may exist", async () => {
    const out = join(folder({}), "small.yaml");
    const interrupted = async (): Promise<boolean> => true;
    const { code, out: text } = await runCommand(["shrink", "scenarios/bugs/hasty-refusal.yaml", "--out", out], {
      interrupted,
    });
    expect([code, text]).toEqual([130, expect.stringContaining("; interrupted, so a smaller scenario may exist\n")]);
    expect(text).not.toContain("no single change");
  });

  it("writes the nearest passing scenario with the decisive difference", async () => {
    const out = join(folder({}), "small.yaml");
    const { lines } = await runCommand(["shrink", "scenarios/bugs/hidden-locks.yaml", "--out", out, "--json"]);
    const [one = {}] = lines;
    const { file, when } = one["passing"] as { readonly file: string; readonly when: string };
    expect((await runCommand(["run", file])).code).toBe(0);
    for (const name of [out, file]) expect(readFileSync(name, "utf8")).toContain(`# passes if ${when}\n`);
  });

  it("rejects a scenario that passes", async () => {
    const path = folder({ "good.yaml": GOOD });
    const { code, err } = await runCommand(["shrink", join(path, "good.yaml")]);
    expect([code, err]).toEqual([1, expect.stringContaining("it does not fail under seed 1")]);
    expect(readdirSync(path)).toEqual(["good.yaml"]);
  });

  it("rejects invalid scenarios", async () => {
    const path = folder({ "bad.yaml": BAD });
    expect(await runCommand(["shrink", join(path, "bad.yaml")])).toEqual(refusalOf('unknown key "stpes"'));
  });
});
