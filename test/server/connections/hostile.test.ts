/**
 * The three servers under drawn hostile sessions: none ends, answers with an internal error, or grows without a bound.
 * `npm run soak` sends a million requests, and writes reports/hostile.md.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commitOfProgram } from "../../../src/cli/reproduce.ts";
import { depth, runsFor } from "../../depth.ts";
import { attack, type Tally } from "./hostile-client.ts";

const MAIN = resolve("dist-src/cli/main.js");
/** Requests to each server. A soak has a seed that no call used before. */
const REQUESTS = runsFor({ test: 400, nightly: 20_000, soak: 334_000 });
const SEED = process.env["QUORUMLAB_HOSTILE_SEED"] ?? (depth === "soak" ? String(Date.now()) : "1");
const MEGABYTES = 400;
/** File for the figures. */
const REPORT = depth === "soak" ? "reports/hostile.md" : undefined;

const HASH = `0x${"1".repeat(64)}`;
const ADDRESS = `0x${"1".repeat(40)}`;
const PATHS = {
  network: [
    ...[
      "/",
      "/api/health",
      "/api/status",
      "/openapi.json",
      "/docs",
      "/docs/",
      "/metrics",
      "/ws",
      "/faucet",
      "/v1/nothing",
    ],
    ...["/page/state.json", "/page/events.json", "/page/live.js", "/v1/chains/chain_id", "/v1/checkpoints/number"],
    ...[`/v1/accounts/nonce?address=${ADDRESS}`, `/v1/accounts/nonce?address=${ADDRESS}&min_receipt=${HASH}`],
    ...[`/v1/transactions/by_hash?hash=${HASH}`, `/v1/transactions/receipt/by_hash?hash=${HASH}`],
    ...["/v1/transactions/payment", "/v2/transactions/payment", "/v1/checkpoints/by_number?number=0&full=true"],
  ],
  admin: [
    ...["/", "/admin/status", "/admin/recording", "/admin/step", "/admin/snapshot", "/admin/revert", "/admin/reset"],
    ...["/admin/advance", "/admin/rate", "/admin/balance", "/admin/payment", "/admin/role", "/admin/nothing"],
  ],
  dashboard: ["/", "/page/state.json", "/page/campaign.js", "/page/campaign.css", "/findings/a", "/nothing"],
} as const;

function reportOf(tallies: ReadonlyMap<string, Tally>): string {
  const rows = [...tallies].map(([name, { requests, statuses, memory }]) => {
    const answers = [...statuses].sort(([a], [b]) => (a < b ? -1 : 1)).map(([status, count]) => `${status}: ${count}`);
    return `| ${name} | ${requests} | ${memory} | ${answers.join(", ")} |\n`;
  });
  return `# Hostile requests

Sessions drawn from seed ${SEED} against each server: pipelines, upgrades, halves, bytes out of order, malformed and large headers, early
ends. No server may end, answer by 5xx (503 says that it is full, and is allowed), leave another client without an answer, or have
${MEGABYTES} MB of resident memory. \`npm run soak\` makes this file again if all of that holds
(\`test/server/connections/hostile.test.ts\`). Commit ${commitOfProgram()}, Node ${process.versions.node}.

| server | requests | resident memory at most, MB | answers that were read |
|---|--:|--:|---|
${rows.join("")}`;
}

describe("under hostile sessions", () => {
  const cwd = mkdtempSync(join(tmpdir(), "quorumlab-hostile-"));
  const children: ChildProcess[] = [];
  const tallies = new Map<string, Tally>();
  const urls: Record<string, { readonly url: string; readonly child: ChildProcess }> = {};

  async function readyLine(child: ChildProcess): Promise<Readonly<Record<string, string>>> {
    children.push(child);
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) return JSON.parse(line);
    throw new Error(`ended before it was ready: ${child.exitCode}`);
  }
  const run = (...args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [MAIN, ...args, "--json"], { cwd, stdio: ["ignore", "pipe", "inherit"] });

  beforeAll(async () => {
    const [serve, dashboard] = [
      run("serve", "--port", "0", "--admin-port", "0"),
      run("campaign", "dashboard", "--port", "0"),
    ];
    const [network, page] = await Promise.all([readyLine(serve), readyLine(dashboard)]);
    urls["network"] = { url: network["url"] ?? "", child: serve };
    urls["admin"] = { url: network["admin_url"] ?? "", child: serve };
    urls["dashboard"] = { url: page["url"] ?? "", child: dashboard };
  });

  afterAll(async () => {
    for (const child of children) {
      // False for one that has ended.
      if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) await once(child, "exit");
    }
    rmSync(cwd, { recursive: true });
  });

  test.each(Object.entries(PATHS))("the %s goes on, without an answer of 5xx", async (name, paths) => {
    const { url, child } = urls[name] as (typeof urls)[string];
    const tally = await attack({ url, pid: child.pid ?? 0, paths }, `${SEED} ${name}`, REQUESTS);
    const answers = JSON.stringify(Object.fromEntries(tally.statuses));
    if (depth !== "test")
      process.stdout.write(
        `${name}, seed ${SEED}: ${tally.requests} requests, ${tally.memory} MB, answers ${answers}\n`,
      );
    expect(child.exitCode).toBe(null);
    expect((await fetch(url)).status).toBe(200);
    // The fuzzer reaches the handlers, not only the parser, and reads what they answer.
    expect(tally.statuses.get("200")).toBeGreaterThan(0);
    expect([...tally.statuses.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(REQUESTS / 10);
    expect(tally.memory).toBeLessThan(MEGABYTES);
    tallies.set(name, tally);
    if (REPORT !== undefined && tallies.size === Object.keys(PATHS).length) writeFileSync(REPORT, reportOf(tallies));
  });
});
