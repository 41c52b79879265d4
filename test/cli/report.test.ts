/** `quorumlab report`, and the option of other commands, in the built program: the page comes from the build. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Millis } from "../../src/core/base/ids.ts";
import type { RunData } from "../../src/report/run-data.ts";
import type { CampaignData, HuntData } from "../../src/report/search-data.ts";
import { modelOf } from "../../src/report/timeline/model.ts";
import { payment, recorded, submit, textOf } from "../live/support.ts";
import { GENESIS, PAYMENT } from "../run/support.ts";

const SCENARIO = `name: one payment\n${GENESIS}${PAYMENT}expect:\n  - { final: x }\n`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "quorumlab-"));
  writeFileSync(join(folder, "good.yaml"), SCENARIO);
  writeFileSync(join(folder, "bad.yaml"), SCENARIO.replace("final: x", "refused: { x: business_nonce_gap }"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function quorumlab(...words: readonly string[]) {
  const program = join(process.cwd(), "dist/cli/main.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** Data that a report holds. */
function dataIn(name: string): RunData {
  const packed = /id="data">([^<]*)</.exec(readFileSync(join(folder, name), "utf8"))?.[1] ?? "";
  return JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString()) as RunData;
}

it("writes a page with the data that --json prints", () => {
  const { status, stdout } = quorumlab("report", "good.yaml", "--seed", "7");
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/^pass {2}one payment, \d+ events\nopen: file:.*report\.html\n$/),
  ]);
  const printed: unknown = JSON.parse(quorumlab("report", "good.yaml", "--seed", "7", "--json").stdout);
  expect(dataIn("report.html")).toEqual(printed);
  expect(printed).toMatchObject({ type: "quorumlab run", format: 1, seed: "7", scenario: SCENARIO, isCut: false });
});

it("shows the causes that why has found", () => {
  const file = join(process.cwd(), "scenarios/bugs/vote-before-persist.yaml");
  const { status, stdout, stderr } = quorumlab("why", file, "--report", "why.html", "--time", "600", "--json");
  expect([status, stderr]).toEqual([0, expect.stringMatching(/^report: file:.*why\.html\n$/)]);
  const { why, essential = [], events, violations } = dataIn("why.html");
  const text = expect.any(String) as string;
  expect(JSON.parse(stdout)).toEqual({ type: text, file: text, seed: text, ...why });
  expect(why?.step).toBe(violations[0]?.step);
  expect(essential).toEqual(why?.essential.map(({ event }) => event.step));
  for (const { event } of why?.essential ?? []) expect(events).toContainEqual(event);
});

it("shows the passing file that lies beside a failing one", () => {
  writeFileSync(join(folder, "bad.passing.yaml"), SCENARIO);
  expect(quorumlab("report", "bad.yaml", "--out", "both.html").status).toBe(0);
  const { sibling } = dataIn("both.html");
  expect(sibling).toMatchObject({ file: "bad.passing.yaml", verdict: "pass" });
  // The two files differ in what they expect only.
  expect(sibling).not.toHaveProperty("event");
  rmSync(join(folder, "bad.passing.yaml"));
  expect(JSON.parse(quorumlab("report", "bad.yaml", "--json").stdout)).not.toHaveProperty("sibling");
});

it("shows a recording of a served network as its replay runs it", () => {
  const { entries, network } = recorded();
  submit(network, "v1", payment("alice", 0));
  network.runTo(2_000 as Millis, 100_000);
  network.step({ crash: { node: "v3" } });
  submit(network, "v2", payment("bob", 0));
  network.runTo(4_000 as Millis, 100_000);
  network.writeVerificationPoint();
  writeFileSync(join(folder, "served.ndjson"), textOf(entries));
  const { status, stdout } = quorumlab("report", "served.ndjson", "--out", "served.html");
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^pass {2}live, \d+ events\nopen: .*served\.html\n$/)]);
  const data = dataIn("served.html");
  expect(data).toMatchObject({ end: { verdict: "pass", finals: 2, hash: network.hash }, isCut: false, violations: [] });
  expect(data.validators).toEqual(["v1", "v2", "v3", "v4", "v5"]);
  expect(data.events.some((event) => event.kind === "crashed" && event.party === "v3")).toBe(true);
  expect(data.lines.map(({ text }) => text).join("\n")).toMatch(/v3 crashes/);
  expect(data.balances.filter(({ account, party }) => account === "alice" && party === "v1")).not.toEqual([]);
});

it("shows what fuzz, a campaign and a hunt have written", () => {
  const fuzz = quorumlab("fuzz", "--seeds", "8", "--profile", "quick", "--bug", "hasty-refusal", "--json");
  writeFileSync(join(folder, "fuzz.ndjson"), fuzz.stdout);
  expect(quorumlab("report", "fuzz.ndjson", "--out", "campaign.html").stdout).toMatch(
    /^fuzz\.ndjson: 8 runs, \d failed\nopen: file:.*campaign\.html\n$/,
  );
  const campaign = JSON.parse(quorumlab("report", "fuzz.ndjson", "--json").stdout) as CampaignData;
  expect(campaign.progress.at(-1)).toMatchObject({ runs: campaign.runs, failed: campaign.failed });
  expect(campaign.progress.at(-1)?.points).toBe(campaign.coverage.filter(({ runs }) => runs > 0).length);
  expect(campaign.failures[0]?.replay).toMatch(/^quorumlab (run|fuzz) /);
  const asked = { Profile: "quick", "First seed": "1" };
  expect(campaign.request).toMatchObject({ ...asked, Variant: "hasty-refusal", "Seeds asked for": "8" });

  expect(quorumlab("campaign", "start", "--seeds", "6", "--profile", "quick", "--quiet").status).toBe(0);
  const printed = quorumlab("campaign", "results", "--json").stdout;
  writeFileSync(join(folder, "campaign.ndjson"), printed);
  const results = JSON.parse(quorumlab("report", "campaign.ndjson", "--json").stdout) as CampaignData;
  expect(results).toMatchObject({ title: "campaign", runs: 6, isWhole: true });
  expect(results.request).toMatchObject({ ...asked, "Seeds asked for": "6" });
  const kept = quorumlab("report", "reports/campaign/campaign/results.ndjson", "--json");
  expect(JSON.parse(kept.stdout)).toEqual({ ...results, title: "results.ndjson", request: {} });

  quorumlab("hunt", "late-commit", "--seeds", "4", "--repeats", "1", "--shrink-runs", "0", "--quiet");
  const hunt = JSON.parse(quorumlab("report", "reports/hunt.json", "--json").stdout) as HuntData;
  expect(hunt).toMatchObject({ type: "quorumlab hunt", budget: 4, bugs: [{ bug: "late-commit", ranges: 1 }] });
  expect(hunt.request).toMatchObject({ Profile: "default", "First seed": "1" });
  expect(quorumlab("report", "reports/hunt.json", "--format", "mermaid")).toMatchObject({
    ...{ status: 2, stderr: expect.stringMatching(/only a run is printed/) as string },
  });
});

it("shows the path to a violation that explore has found", () => {
  const conflict = SCENARIO.replace(
    "expect:",
    "  - { at: 0, submit: { id: c, cancellation: { from: alice }, nonce: 0 } }\nexpect:",
  );
  writeFileSync(join(folder, "conflict.yaml"), conflict.replace("final: x", "nothing_final: true"));
  const found = quorumlab("explore", "conflict.yaml", "--bug", "late-commit", "--report", "path.html");
  expect([found.status, found.stderr]).toEqual([1, expect.stringMatching(/report: file:.*path\.html\n$/)]);
  const data = dataIn("path.html");
  expect(data).toMatchObject({ type: "quorumlab run", end: { verdict: "violation" }, byzantine: ["v4"] });
  expect(data.violations[0]).toMatchObject({ invariant: "amnesia" });
  const steps = Number(/ (\d+)\. v\d [^\n]+\n {4}the same path/.exec(found.stdout)?.[1]);
  expect(data.violations.every(({ step }) => step <= steps)).toBe(true);
  const { messages } = modelOf(data);
  expect(messages.map(({ message }) => message.type)).toEqual(["submit", "submit", "submit", "lock"]);
  expect(messages.filter(({ fate }) => fate !== "delivered")).toEqual([]);
  expect(data.lines.map(({ text }) => text).join("\n")).toMatch(/v1 votes for x/);
  const [, saved = ""] = /reproduce: quorumlab explore (\S+)/.exec(found.stdout) ?? [];
  expect(JSON.parse(quorumlab("report", saved, "--json").stdout)).toEqual(data);
});

it("says what is wrong with its arguments", () => {
  expect(quorumlab("report", "run.ndjson")).toMatchObject({ status: 2, stderr: expect.stringMatching(/run\.ndjson/) });
  writeFileSync(join(folder, "torn.ndjson"), "{}\n");
  expect(quorumlab("report", "torn.ndjson")).toMatchObject({ status: 2, stderr: expect.stringMatching(/line 1/) });
  expect(quorumlab("report", "torn.ndjson", "--seed", "3")).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/a recording has its own/),
  });
  expect(quorumlab("report", "none.yaml")).toMatchObject({ status: 2, stderr: expect.stringMatching(/none\.yaml/) });
  expect(quorumlab("report", "good.yaml", "--events", "0")).toMatchObject({ status: 2 });
});

it("run reports the first failure, and without one the last run", () => {
  const failed = quorumlab("run", "bad.yaml", "good.yaml", "--report", "failed.html");
  expect([failed.status, failed.stderr]).toEqual([1, expect.stringMatching(/report: file:.*failed\.html\n/)]);
  expect(dataIn("failed.html").end.verdict).toBe("unmet");
  expect(quorumlab("run", "good.yaml", "--report", "pass.html").status).toBe(0);
  expect(dataIn("pass.html").end.verdict).toBe("pass");
});

it("run reports a scenario in a file with any ending", () => {
  writeFileSync(join(folder, "good.json"), readFileSync(join(folder, "good.yaml")));
  expect(quorumlab("run", "good.json", "--report", "json.html").status).toBe(0);
  expect(dataIn("json.html").end.verdict).toBe("pass");
});

it("fuzz and shrink report a failure, and fuzz nothing where there is none", () => {
  const words = "fuzz --bug late-commit --seeds 40 --stop-after 1 --workers 1 --report fuzz.html";
  const fuzz = quorumlab(...words.split(" "));
  expect(fuzz.status).toBe(1);
  expect(dataIn("fuzz.html").violations.length).toBeGreaterThan(0);
  const saved = /(reports\/fuzz\/\S+\.yaml)/.exec(fuzz.stdout)?.[1] ?? "";
  const shrink = quorumlab("shrink", saved, "--runs", "30", "--out", "small.yaml", "--report", "small.html");
  expect([shrink.status, dataIn("small.html").violations.length > 0]).toEqual([0, true]);
  expect(quorumlab("fuzz", "--seeds", "1", "--report", "none.html").status).toBe(0);
  expect(existsSync(join(folder, "none.html"))).toBe(false);
});
