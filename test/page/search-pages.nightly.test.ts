/** Pages of campaigns and hunts in a headless browser: empty, of usual size, and huge. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { pageAssets, pageHtml } from "../../src/report/page-file.ts";
import { contentWidth, describePages, itIsAccessible, opened } from "./opened.ts";
import { campaignText, dataOfText, huntText, linesOf } from "./searches.ts";

describePages("the pages of searches", (headless) => {
  beforeAll(() => {
    const assets = pageAssets("report");
    const write = (name: string, text: string): void =>
      writeFileSync(join(headless.folder, `${name}.html`), pageHtml(name, dataOfText(text), assets));
    write("campaign", campaignText(40));
    write("huge campaign", campaignText(2_000));
    write("empty campaign", linesOf({ type: "failure" }).replace("failure", "progress"));
    write("hunt", huntText(40));
    write("huge hunt", huntText(1_000));
    write("empty hunt", JSON.stringify({ bugs: [] }));
  });

  const open = (name: string, width?: number): Promise<Page> =>
    opened(headless, `${name}.html`, { until: "h1", ...(width === undefined ? {} : { width }) });

  it("draws coverage for the kind of fault that is chosen, with the numbers in a table", async () => {
    const page = await open("campaign");
    expect(await page.textContent(".badge")).toBe("10 failed");
    await page.waitForSelector(".charts canvas");
    const last = page.locator("[aria-label='Over time'] tbody tr").last();
    expect((await last.locator("td").allTextContents()).slice(1, 4)).toEqual(["39", "19", "9"]);
    await page.getByLabel("Coverage in runs with").selectOption("crash");
    await expect.poll(() => last.locator("td").nth(2).textContent()).toBe("9");
    expect(await page.locator("[aria-label='Coverage'] tbody tr.missing").count()).toBe(1);
  });

  it("lists variants, those that are not found first", async () => {
    const page = await open("hunt");
    expect(await page.textContent(".badge")).toBe("32 of 40 variants found");
    const names = await page.locator("tbody th").allTextContents();
    expect(names.slice(7, 10)).toEqual(["variant-35", "variant-39", "variant-38"]);
    expect(await page.locator("tr.missing").count()).toBe(8);
  });

  it.each(["campaign", "hunt"])("shows a %s that is empty or huge on a small screen", async (name) => {
    for (const size of ["empty", "huge"]) {
      const page = await open(`${size} ${name}`, 390);
      expect([size, await contentWidth(page)]).toEqual([size, 390]);
    }
  });

  for (const name of ["campaign", "hunt"]) itIsAccessible(`a ${name}`, () => open(name));
});
