/**
 * Goal: the guide knows the columns of results, and findings are kept, closed and opened again. Method: the table of the
 * guide against rows of all types; rows of jobs that are made by hand.
 */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findingsOf, keepFindings, replaysOf } from "../../src/campaign/findings.ts";
import { jobOf } from "../../src/campaign/job.ts";
import { linesOf, wholeLines } from "../../src/campaign/read.ts";
import type { JobResult } from "../../src/campaign/rows.ts";
import type { Why } from "../../src/run/events/causes.ts";
import type { FailureSignature } from "../../src/search/fuzz/failure-signature.ts";
import { doAtOnce, FAILING, planWith } from "./support.ts";

/** Type and name of each column in the table of the guide. */
function columnsOfGuide(): readonly string[] {
  const [, table = ""] = readFileSync("docs/guides/campaigns.md", "utf8").split("| type | column | meaning |");
  return [...table.matchAll(/^\| `(\w+)` \| `(\w+)` \| [^|]+ \|$/gm)].map(([, type, name]) => `${type} ${name}`);
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), "quorumlab-results-"));

describe("a finding", () => {
  const signature: FailureSignature = { invariant: "fees", slot: "none", shape: "TOKEN: N" };
  const shrink = jobOf({ ...FAILING, kind: "shrink", seed: "7", signature, runs: 1 });
  const sums = { worlds: 0, failed: 0, events: 0, operations: 0, final: 0 };
  const ended = { ...sums, ms: 0, ended: 0, worker: "test", error: null };
  const fuzz: JobResult = [{ type: "job", job: "fuzz-7-1", kind: "fuzz", ...ended, follow: [shrink] }];
  const key = "fees / none / TOKEN: N";
  const small = { signature: key, seed: "7", text: "name: small\n", small_seed: "1", steps: 2, minimal: true };
  const shrunk: JobResult = [
    { type: "shrunk", job: shrink.id, ...small },
    { type: "job", job: shrink.id, kind: "shrink", ...ended, follow: [] },
  ];
  const replayed = (shows: boolean): JobResult => [
    { type: "replay", job: "replay", key, shows },
    { type: "job", job: "replay", kind: "replay", ...ended, follow: [] },
  ];
  const at = (commit: string) => planWith({ program: { quorumlab: "0.1.0", commit } });

  test("is kept once, replayed by another commit, closed by one that does not show it, and opened by a new failure", () => {
    const folder = newFolder();
    expect(keepFindings(folder, [fuzz, shrunk], at("a"))).toMatchObject({ added: [{ key, signature }], closed: [] });
    expect(keepFindings(folder, [fuzz, shrunk], at("a"))).toEqual({ added: [], explained: [], closed: [] });
    const [finding] = findingsOf(folder);
    expect(finding).toMatchObject({ state: "open", commit: "a", found_seed: "7", seed: "1", steps: 2 });
    expect(readFileSync(finding?.file ?? "", "utf8")).toBe("name: small\n");
    // The commit that showed it has nothing to repeat.
    expect(replaysOf(folder, "a")).toEqual([]);
    expect(replaysOf(folder, "b")).toEqual([{ key, text: "name: small\n", seed: "1", signature }]);
    expect(keepFindings(folder, [replayed(true)], at("b"))).toEqual({ added: [], explained: [], closed: [] });
    // A replay that came too late: a worker of this commit has shown it.
    expect(keepFindings(folder, [replayed(false)], at("a"))).toEqual({ added: [], explained: [], closed: [] });
    expect(keepFindings(folder, [replayed(false)], at("b"))).toMatchObject({ closed: [{ key, closed_by: "b" }] });
    expect(replaysOf(folder, "c")).toEqual([]);
    expect(keepFindings(folder, [fuzz, shrunk], at("c"))).toMatchObject({ added: [{ state: "open", commit: "c" }] });
  });

  test("has the causes that a job found, and keeps the first ones until it is opened again", () => {
    const folder = newFolder();
    const causes = { essential: [], sufficient: [], orders: [], untried: [], causes: 7 } as unknown as Why;
    const told = (why: Why | null): JobResult => [
      { type: "why", job: "why", key, why },
      { type: "job", job: "why", kind: "why", ...ended, follow: [] },
    ];
    expect(keepFindings(folder, [fuzz, shrunk, told(null)], at("a"))).toMatchObject({
      added: [{ key }],
      explained: [],
    });
    expect(keepFindings(folder, [told(causes)], at("a"))).toMatchObject({ added: [], explained: [{ why: causes }] });
    expect(keepFindings(folder, [told({ ...causes, causes: 8 })], at("a")).explained).toEqual([]);
    expect(findingsOf(folder)[0]?.why).toEqual(causes);
    const whole = keepFindings(newFolder(), [fuzz, shrunk, told(causes)], at("a"));
    expect(whole).toMatchObject({ added: [{ key, why: causes }], explained: [] });
  });

  test("is replayed by a job: the variant shows it, the real program does not; rows have the columns of the guide", async () => {
    const found = (await doAtOnce(
      jobOf({ ...FAILING, bug: "lost-fee", kind: "fuzz", first: "1", count: 5 }),
    )) as JobResult;
    const [follow] = found.flatMap((row) => (row.type === "job" ? row.follow : []));
    const shrunken = (await doAtOnce(follow as NonNullable<typeof follow>)) as JobResult;
    const [kept] = shrunken;
    if (kept?.type !== "shrunk" || follow?.work.kind !== "shrink") throw new Error("expected a minimized failure");
    const work = {
      kind: "replay",
      key: kept.signature,
      seed: kept.small_seed,
      signature: follow.work.signature,
    } as const;
    const [job] = shrunken.flatMap((row) => (row.type === "job" ? row.follow : []));
    expect(job?.work).toEqual({ kind: "why", key: kept.signature, text: kept.text, seed: kept.small_seed });
    const explained = (await doAtOnce(job as NonNullable<typeof job>)) as JobResult;
    const [row] = explained;
    if (row?.type !== "why") throw new Error("expected causes");
    expect(row.why).toMatchObject({ invariant: follow.work.signature.invariant, untried: [] });
    expect(row.why?.sufficient.length).toBeGreaterThan(0);
    const again = (await doAtOnce(jobOf({ ...work, text: kept.text }))) as JobResult;
    expect(again[0]).toMatchObject({ type: "replay", shows: true });
    const real = await doAtOnce(jobOf({ ...work, text: kept.text.replace(/^bug: .*\n/m, "") }));
    expect(real?.[0]).toMatchObject({ type: "replay", shows: false });
    const rows = [found, shrunken, explained, again].flatMap((result) => wholeLines(linesOf(result)));
    const columns = rows.flatMap((line) => {
      const { type, ...columns } = JSON.parse(line) as Readonly<Record<string, unknown>>;
      return Object.keys(columns).map((name) => `${type} ${name}`);
    });
    expect([...new Set(columns)].sort()).toEqual(columnsOfGuide().toSorted());
  });
});
