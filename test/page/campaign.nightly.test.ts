/** The page of a campaign in a headless browser, while workers of the built program work on it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CampaignState } from "../../src/report/search-data.ts";
import { describePages, itIsAccessible, visited } from "./opened.ts";

const MAIN = resolve("dist/cli/main.js");

describePages("the page of a campaign", (headless) => {
  const children: ChildProcess[] = [];
  const cwd = mkdtempSync(join(tmpdir(), "quorumlab-dashboard-"));
  let url: string;

  function started(...argv: readonly string[]): ChildProcess {
    const child = spawn(process.execPath, [MAIN, "campaign", ...argv], { cwd, stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    return child;
  }

  const campaign = (...more: readonly string[]): ChildProcess =>
    started(
      ...["start", "--seeds", "12", "--range", "2", "--profile", "quick", "--bug", "rounded-up-fees", "--workers", "1"],
      ...["--shrink-runs", "10", ...more],
    );

  const state = async (): Promise<CampaignState> => (await fetch(`${url}/page/state.json`)).json();

  beforeAll(async () => {
    const dashboard = started("dashboard", "--port", "0", "--json");
    const [line] = await once(dashboard.stdout as Readable, "data");
    url = (JSON.parse(String(line)) as { readonly url: string }).url;
  });

  afterAll(() => {
    for (const child of children) child.kill("SIGKILL");
  });

  // The browser logs that there is no campaign yet, and that a scenario has no icon.
  const open = (width = 1280): Promise<Page> => visited(headless, url, [url], { width, tolerated: /status of 404/ });

  it("says that there is no campaign, then shows one that runs, its worker, its findings and its end", async () => {
    const early = await open();
    await expect.poll(() => early.textContent("main")).toMatch(/there is no campaign campaign/);
    await early.close();

    const exit = once(campaign(), "exit");
    await expect.poll(async () => (await state()).workers).toEqual([expect.stringMatching(/:1$/)]);
    const page = await open();
    await expect.poll(() => page.textContent(".badge")).toMatch(/running|finished/);
    expect(await exit).toEqual([1, null]);
    await expect.poll(() => page.textContent(".badge")).toBe("finished");
    await expect.poll(() => page.textContent(".verdict")).toMatch(/[1-9]\d* worlds failed, [1-9]\d* findings are open/);
    expect(await page.getAttribute(".badge", "class")).toBe("badge violation");

    const facts = (await page.textContent(".facts")) ?? "";
    // A state is kept for a moment: the first one after the end may be of before it.
    await expect.poll(async () => (await state()).workers).toEqual([]);
    const { sums, progress, findings, kinds } = await state();
    expect(sums.worlds).toBe(12);
    expect(facts).toContain("Worlds12 of 12");
    expect(facts).toContain(`Operations simulated${sums.operations.toLocaleString("en-GB")}, `);
    expect(facts).toMatch(/Coverage points\d+ of \d+/);
    expect([progress.at(-1)?.runs, progress.at(-1)?.points]).toEqual([12, (await state()).reached]);
    expect(kinds.map(({ kind }) => kind)).toEqual(["fuzz", "shrink", "why"]);
    expect(await page.locator(".plots .uplot canvas").count()).toBe(3);

    expect(findings.length).toBeGreaterThan(0);
    const row = page.locator("section[aria-label=Findings] tbody tr").first();
    expect(await row.textContent()).toMatch(/^new/);
    await row.getByText("report").click();
    await page.waitForSelector(".narrative");
    expect(await page.textContent(".badge")).toBe("violation");
    await page.goBack();
    await page.locator("section[aria-label=Findings]").getByText("scenario").first().click();
    await expect.poll(() => page.textContent("body")).toMatch(/bug: rounded-up-fees/);
  });

  it("answers nothing but its own files and those of findings", async () => {
    const { headers } = await fetch(url);
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'; script-src 'self'; style-src 'self'/);
    for (const other of [
      "/findings/../plan.json",
      "/findings/%2e%2e/campaign/plan.json",
      "/plan.json",
      "/page/live.js",
    ])
      expect([other, (await fetch(url + other)).status]).toEqual([other, 404]);
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
  });

  itIsAccessible("it", async () => {
    const page = await open(390);
    await page.waitForSelector(".uplot");
    return page;
  });
});
