/** Goal: what others wrote into a campaign's folder or queue is refused with its place, and names no path. */
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EmbeddedQueue, resultsFile } from "../../src/campaign/embedded.ts";
import { findingsOf } from "../../src/campaign/findings.ts";
import { jobOf } from "../../src/campaign/job.ts";
import { checkResult, linesOf, readPlan, resultsIn, wholeLines } from "../../src/campaign/read.ts";
import type { JobResult } from "../../src/campaign/rows.ts";
import { folder, listening, refusalOf, runCommand } from "../cli/support.ts";
import { doAtOnce, FAILING, planWith } from "./support.ts";

const newFolder = (): string => mkdtempSync(join(tmpdir(), "quorumlab-malformed-"));
const fuzz = jobOf({ ...planWith({}).generator, kind: "fuzz", first: "1", count: 2 });
const result = (await doAtOnce(fuzz)) as JobResult;
const text = linesOf(result);

describe("a row of results", () => {
  test.each<readonly [string, (text: string) => string]>([
    ["another number of events", (lines) => lines.replace(/"events":(\d+)/, '"events":1$1')],
    ["another verdict", (lines) => lines.replace('"verdict":"pass"', '"verdict":"fail"')],
    ["a row fewer", (lines) => lines.slice(lines.indexOf("\n") + 1)],
    ["a row twice", (lines) => lines.slice(0, lines.indexOf("\n") + 1) + lines],
    ["another checksum", (lines) => lines.replace(/"sum":"./, '"sum":"x')],
  ])("is refused by the checksum of its job: %s", (_, change) => {
    expect(change(text)).not.toBe(text);
    expect(() => resultsIn(wholeLines(change(text)), "r")).toThrow(/^r:\d+: the rows of job fuzz-1-2 were changed/);
  });

  test.each([
    ["null", /^r:1: expected a JSON object/],
    ["[]", /^r:1: expected a JSON object/],
    ["{", /^r:1: malformed JSON/],
    ['{"type":"toString","job":"a"}', /^r:1: type: expected one of/],
    ['{"type":"world","job":7}', /^r:1: job: expected a text/],
    ['{"type":"world","job":"a","seed":"../a"}', /^r:1: seed: expected a seed/],
    ['{"type":"job","job":"a"}', /^r:1: kind: expected a text/],
  ])("is refused with its place: %s", (line, fault) => {
    expect(() => resultsIn([line], "r")).toThrow(fault);
  });

  test.each([
    { id: "shrink-1", work: { kind: "shrink" } },
    { ...fuzz, id: "fuzz-1-3" },
    jobOf({ ...FAILING, kind: "fuzz", first: "1", count: 1e18 }),
    jobOf({
      ...{ ...FAILING, kind: "shrink", seed: "7", runs: 1 },
      signature: { invariant: "../../../etc/x", slot: "none", shape: "" },
    }),
  ])("asks for no job of another id, of endless work, or of a signature that is a path: %j", (job) => {
    const asking = result.map((row) => (row.type === "job" ? { ...row, follow: [job] } : row));
    expect(() => checkResult(asking, "r")).toThrow(/^r: follow: expected jobs/);
  });
});

describe("a plan", () => {
  const plan = planWith({});

  test("is read as it was written", () => expect(readPlan(JSON.stringify(plan), "p")).toEqual(plan));

  test.each<readonly [object, RegExp]>([
    [{ seeds: 1e18 }, /^p: seeds: expected a whole number from 0 to 999999999, got 1000000000000000000/],
    [{ range: 0 }, /^p: range: expected/],
    [{ first: "1e9" }, /^p: first: expected a seed/],
    [{ replay: {} }, /^p: replay: expected a list/],
    [{ generator: null }, /^p: generator: expected an object/],
    [{ program: {} }, /^p: quorumlab: expected a text/],
    [{ nodes: { v1: 1 } }, /^p: nodes: expected commands by the names of validators, got {"v1":1}/],
  ])("is refused with %j", (change, fault) => {
    expect(() => readPlan(JSON.stringify({ ...plan, ...change }), "p")).toThrow(fault);
  });
});

test("a finding has the files beside it, whatever paths it names", () => {
  const path = newFolder();
  const finding = { key: "k", seed: "1", found_seed: "1", state: "open", steps: 1 };
  const signature = { invariant: "fees", slot: "none", shape: "" };
  writeFileSync(
    join(path, "fees-none-1.json"),
    JSON.stringify({ ...finding, signature, file: "/etc/passwd", report: "/etc/hosts" }),
  );
  expect(findingsOf(path)).toMatchObject([
    { file: join(path, "fees-none-1.yaml"), report: join(path, "fees-none-1.html") },
  ]);
  writeFileSync(
    join(path, "other.json"),
    JSON.stringify({ ...finding, signature: { ...signature, invariant: "../x" } }),
  );
  expect(() => findingsOf(path)).toThrow(/other\.json: invariant: expected a name/);
  expect(readdirSync(path)).toHaveLength(2);
});

test("a command says what is malformed, and ends with 2", async () => {
  const out = newFolder();
  mkdirSync(join(out, "campaign"));
  const queue = new EmbeddedQueue(join(out, "campaign"));
  await queue.begin(planWith({}));
  writeFileSync(resultsFile(join(out, "campaign")), '{"type":"world"}\n');
  const status = () => runCommand(["campaign", "status", "--out", out]);
  expect(await status()).toEqual(refusalOf("results.ndjson:1: job: expected a text"));
  writeFileSync(join(out, "campaign", "plan.json"), '{"seeds": 1e18}');
  expect(await status()).toEqual(refusalOf("plan.json: seeds: expected a whole number"));
  const results = join(folder({ "results.ndjson": '{"type":"world","job":"a"}\n' }), "results.ndjson");
  expect(await runCommand(["report", results])).toEqual(refusalOf("results.ndjson:1: seed: expected a seed"));
});

test.each(["away", "silent"])(
  "a server that is %s ends every command with 2, after the seconds that it may be",
  async (how) => {
    const silent = createServer();
    const port = how === "silent" ? new URL(await listening(silent)).port : 1;
    for (const action of [["status"], ["work"], ["watch"], ["results"], ["stop"], ["start", "--seeds", "1"]]) {
      const url = `redis://127.0.0.1:${port}`;
      const found = await runCommand(["campaign", ...action, "--redis", url, "--redis-seconds", "1"]);
      expect(found).toEqual(refusalOf("does not answer"));
    }
    silent.close();
  },
);
