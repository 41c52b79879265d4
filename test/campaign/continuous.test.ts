/**
 * Goal: a continuous campaign takes the newest commit, repeats no seed, replays what it kept, and logs each slice. Method: the
 * rules by themselves; and the built command on a clone that gets a commit between two rounds, whose slices end by their seeds.
 */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { resultsFile } from "../../src/campaign/embedded.ts";
import { findingsOf } from "../../src/campaign/findings.ts";
import type { Plan } from "../../src/campaign/plan.ts";
import {
  FIRST_ROUND,
  firstSeedIn,
  nameOf,
  nextRound,
  SLICE_SEEDS,
  secondsOf,
  slicesOf,
} from "../../src/campaign/rounds.ts";
import { resultsIn, wholeLines } from "../../src/campaign/rows.ts";
import { appendRow, logRow } from "../../src/cli/campaign/log.ts";
import { ended } from "./processes.ts";

const newFolder = (): string => mkdtempSync(join(tmpdir(), "quorumlab-continuous-"));

describe("the rules of rounds", () => {
  const first = nextRound(FIRST_ROUND, "a".repeat(40));

  test("do at each commit once what would show the same again", () => {
    expect(slicesOf(first)).toEqual(["kept", "explore", "guided", "fresh"]);
    const second = nextRound({ ...first, finished: ["kept", "explore"] }, first.commit ?? "");
    expect(slicesOf(second)).toEqual(["guided", "fresh"]);
    expect(slicesOf(nextRound(second, "b".repeat(40)))).toEqual(["kept", "explore", "guided", "fresh"]);
  });

  test("give fresh seeds at least four tenths, and what the others leave", () => {
    expect((["kept", "explore", "guided"] as const).map((kind) => secondsOf(kind, 1_000, 1_000))).toEqual([
      100, 200, 300,
    ]);
    expect(secondsOf("fresh", 1_000, 400)).toBe(400);
    expect(secondsOf("fresh", 1_000, 700)).toBe(700);
    expect(secondsOf("guided", 1_000, 20)).toBe(20);
    expect(secondsOf("fresh", 1, -3)).toBe(1);
  });

  test("let no two slices share a seed, and go on with a slice that has an end", () => {
    const second = nextRound(first, first.commit ?? "");
    const blocks = [first, second].flatMap((state) =>
      (["fresh", "guided"] as const).map((kind) => Number(firstSeedIn(kind, state, 7n)) - 7),
    );
    expect(blocks).toEqual([0, 1, 2, 3].map((block) => block * SLICE_SEEDS));
    expect(nameOf("kept", first)).toBe(nameOf("kept", second));
    expect(nameOf("fresh", first)).not.toBe(nameOf("fresh", second));
  });
});

describe("the log", () => {
  const counts = { type: "summary", worlds: 3, operations: 20, final: 9, events: 700, cpu_ms: 1_600, commit: "b" };
  const of = { date: "2026-01-02", commit: "c", command: "campaign start" };

  test("has the columns of reports/campaigns.md", () => {
    const [header = ""] = /^\| date .*$/m.exec(readFileSync("reports/campaigns.md", "utf8")) ?? [];
    const row = logRow({ ...of, lines: [counts] });
    expect(row).toBe("| 2026-01-02 | c | `campaign start` | 3 | 20 | 9 | 700 | 2 | none |\n");
    expect(row.split("|")).toHaveLength(header.split("|").length);
    const file = join(newFolder(), "log.md");
    appendRow(file, row);
    expect(readFileSync(file, "utf8").split("\n")[2]).toBe(header);
  });

  test("tells findings, closings and what is not exhausted", () => {
    const lines = [
      { type: "failure", seed: "7", signature: "fees / none / a|b" },
      { type: "finding", key: "old", closed_by: "b" },
      { type: "finding", key: "older", closed_by: "a" },
      { type: "level", file: "x.yaml", rounds: 1, counterexample: null },
      counts,
    ];
    const row = logRow({ ...of, lines });
    expect(row).toContain("| seed 7: fees / none / a\\|b, open; old: closed; x.yaml, rounds 1: not exhausted |");
  });

  test("puts rows below the last one of the table, before what follows", () => {
    const file = join(newFolder(), "log.md");
    writeFileSync(file, "# Log\n\n| date | commit |\n|---|---|\n| 1 | a |\n\nThe end.\n");
    appendRow(file, "| 2 | b |\n");
    expect(readFileSync(file, "utf8")).toBe(
      "# Log\n\n| date | commit |\n|---|---|\n| 1 | a |\n| 2 | b |\n\nThe end.\n",
    );
  });
});

test("a continuous campaign takes a new commit between two rounds, and replays what the first one showed", async () => {
  const folder = newFolder();
  const checkout = join(folder, "checkout");
  for (const path of ["scenarios/regressions", "scenarios/explore"])
    mkdirSync(join(checkout, path), { recursive: true });
  for (const path of ["scenarios/explore/conflict-and-cancellation.yaml", "package.json"])
    cpSync(path, join(checkout, path));
  cpSync("scenarios/explore/pause-and-payment.yaml", join(checkout, "scenarios/regressions/pause.yaml"));
  const git = (...argv: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@localhost", ...argv], {
      cwd: checkout,
      encoding: "utf8",
    });
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "one");
  const before = git("rev-parse", "HEAD").trim();

  const build = `cp -r '${resolve("dist")}' . && ln -sfn '${resolve("node_modules")}' node_modules`;
  const argv = [
    "--checkout",
    checkout,
    "--build",
    build,
    "--rounds",
    "2",
    "--slice-seeds",
    "12",
    "--workers",
    "1",
    "--json",
  ];
  // A known-bad variant runs in the worlds; options come from the environment.
  const env = {
    ...process.env,
    QUORUMLAB_BUG: "rounded-up-fees",
    QUORUMLAB_PROFILE: "quick",
    QUORUMLAB_SHRINK_RUNS: "10",
  };
  const child = spawn(process.execPath, [resolve("dist/cli/main.js"), "campaign", "continuous", ...argv], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (bytes) => {
    if (said === "") git("commit", "--quiet", "--allow-empty", "--message", "two");
    said += String(bytes);
  });
  expect(await ended(child)).toBe(1);
  const after = git("rev-parse", "HEAD").trim();
  const slices = said
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { round: number; kind: string; commit: string; worlds: number; name: string });
  expect(slices.map(({ round, commit }) => [round, commit])).toEqual([
    ...Array.from({ length: 4 }, () => [1, before]),
    ...Array.from({ length: 4 }, () => [2, after]),
  ]);
  expect(slices.map(({ kind }) => kind)).toEqual([
    "kept",
    "explore",
    "guided",
    "fresh",
    "kept",
    "explore",
    "guided",
    "fresh",
  ]);
  for (const { kind, worlds } of slices)
    expect([kind, worlds]).toEqual([kind, ["guided", "fresh"].includes(kind) ? 12 : 0]);

  const out = join(folder, "reports/campaign");
  const planOf = (name: string): Plan => JSON.parse(readFileSync(join(out, name, "plan.json"), "utf8")) as Plan;
  const drawn = slices.filter(({ worlds }) => worlds > 0).map(({ name }) => planOf(name));
  expect(new Set(drawn.map(({ first }) => first)).size).toBe(4);
  for (const [at, { program }] of drawn.entries()) expect(program.commit).toBe(at < 2 ? before : after);

  const [finding] = findingsOf(join(out, "findings"));
  expect(finding).toMatchObject({ state: "open", commit: before });
  const replays = resultsIn(wholeLines(readFileSync(resultsFile(join(out, slices[4]?.name ?? "")), "utf8")))
    .flatMap((rows) => [...rows])
    .filter(({ type }) => type === "replay");
  expect(replays).toMatchObject([{ key: finding?.key, shows: true }]);

  const rows = readFileSync(join(folder, "reports/campaigns.md"), "utf8").trimEnd().split("\n").slice(4);
  expect(rows.map((row) => row.split(" | ")[1])).toEqual(slices.map(({ commit }) => commit));
  expect(rows.some((row) => row.includes(`: ${finding?.key}, open`))).toBe(true);
}, 600_000);
