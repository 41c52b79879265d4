/** Pages of campaigns and hunts in a headless browser: empty, of usual size, and huge. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { pageAssets, pageHtml } from "../../src/report/page-file.ts";
import { closed, contentWidth, describePages, type Opened, opened, seriousFindings } from "./opened.ts";
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

  const open = (name: string, width?: number): Promise<Opened> =>
    opened(headless, `${name}.html`, { until: "h1", ...(width === undefined ? {} : { width }) });

  it("draws coverage for the kind of fault that is chosen, with the numbers in a table", async () => {
    const { page, faults } = await open("campaign");
    expect(await page.textContent(".badge")).toBe("10 failed");
    await page.waitForSelector(".thirds canvas");
    const last = page.locator("[aria-label='Over time'] tbody tr").last();
    expect((await last.locator("td").allTextContents()).slice(1, 4)).toEqual(["39", "19", "9"]);
    await page.getByLabel("Coverage in runs with").selectOption("crash");
    await expect.poll(() => last.locator("td").nth(2).textContent()).toBe("9");
    expect(await page.locator("[aria-label='Coverage'] tbody tr.missing").count()).toBe(1);
    await closed({ page, faults });
  });

  it("lists variants, those that are not found first", async () => {
    const { page, faults } = await open("hunt");
    expect(await page.textContent(".badge")).toBe("32 of 40 variants found");
    const names = await page.locator("tbody th").allTextContents();
    expect(names.slice(7, 10)).toEqual(["variant-35", "variant-39", "variant-38"]);
    expect(await page.locator("tr.missing").count()).toBe(8);
    await closed({ page, faults });
  });

  it.each(["campaign", "hunt"])("shows a %s that is empty or huge on a small screen", async (name) => {
    for (const size of ["empty", "huge"]) {
      const { page, faults } = await open(`${size} ${name}`, 390);
      expect([size, await contentWidth(page), faults]).toEqual([size, 390, []]);
      await page.close();
    }
  });

  it.each(["campaign", "hunt"])("has nothing serious against a %s for axe, light and dark", async (name) => {
    const { page } = await open(name);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousFindings(page)).toEqual([]);
    }
    await page.close();
  });
});
