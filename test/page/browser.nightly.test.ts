/** The page in a headless browser, from its file: it needs no network, and works by keyboard alone. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { pageAssets, pageHtml } from "../../src/report/page-file.ts";
import type { RunData } from "../../src/report/run-data.ts";
import { siblingOf } from "../../src/report/sibling.ts";
import { contentWidth, describePages, itIsAccessible, opened } from "./opened.ts";
import { dataOf, FAULTS, PASSING, VIOLATION } from "./runs.ts";

/** A path of two states with one beside it. */
const STATES = [
  {
    ...{ state: 0, depth: 0 },
    steps: [
      { text: "v1 receives x from its client", to: 2 },
      { text: "v2 receives x from its client", to: 1 },
    ],
  },
  { state: 2, depth: 1, steps: [{ text: "v3 receives x from its client", to: null }] },
];

describePages("the page of a report", (headless) => {
  beforeAll(() => {
    // `npm test` builds it first.
    const assets = pageAssets("report");
    const write = (data: RunData, name: string): void =>
      writeFileSync(join(headless.folder, name), pageHtml(data.title, data, assets));
    write(dataOf(VIOLATION), "violation.html");
    write(dataOf(FAULTS), "faults.html");
    const violation = dataOf(VIOLATION);
    write({ ...violation, sibling: siblingOf(violation.events, dataOf(PASSING), "passing.yaml") }, "sibling.html");
    write({ ...dataOf(VIOLATION), isTimed: false, states: STATES }, "path.html");
    const title = `${"long ".repeat(40)}<b>سلام</b>`;
    write({ ...dataOf(FAULTS), title, events: [] }, "empty.html");
  });

  const open = (name: string, hash = "", width = 1280): Promise<Page> => opened(headless, name, { hash, width });

  const sentence = (page: Page): Promise<string | null> => page.textContent(".event .sentence");

  /** Beginning and width of what is in sight, in percent of the run. */
  const inSight = (page: Page): Promise<readonly number[]> =>
    page.locator(".minimap .window").evaluate((one) => {
      const { left, width } = (one as HTMLElement).style;
      return [Number.parseFloat(left), Number.parseFloat(width)];
    });

  it("opens at the violation, and says who is faulty", async () => {
    const page = await open("violation.html");
    expect(await page.textContent("h1")).toBe("a run for the page");
    expect(await page.textContent(".violations")).toMatch(/agreement at \d+ ms, step \d+: v\d committed to operation/);
    expect(await page.textContent(".violations table")).toMatch(/certificate.*alice 0/);
    expect(await page.textContent(".narrative .current")).toMatch(/violates/);
    expect(await sentence(page)).toMatch(/^v\d commits to/);
  });

  it("has the diagram, the state and the narrative in the first window", async () => {
    const page = await open("faults.html");
    for (const part of [".frame canvas", ".state h2", ".narrative h2"]) {
      const box = await page.locator(part).boundingBox();
      expect([part, (box?.y ?? 0) + (box?.height ?? 0) <= 900]).toEqual([part, true]);
    }
  });

  it("tells the whole run, and follows the chosen event", async () => {
    const page = await open("faults.html", "#event=400");
    const sentences = page.locator(".narrative li");
    expect(await sentences.count()).toBe(dataOf(FAULTS).lines.length);
    const current = await page.textContent(".narrative .current");
    await page.keyboard.press("End");
    await expect.poll(() => page.textContent(".narrative .current")).not.toBe(current);
    expect(await sentences.last().getAttribute("class")).toContain("current");
    const [list, last] = [await page.locator(".sentences").boundingBox(), await sentences.last().boundingBox()];
    expect(last?.y).toBeGreaterThanOrEqual(list?.y ?? Number.POSITIVE_INFINITY);
    expect(last?.y).toBeLessThan((list?.y ?? 0) + (list?.height ?? 0));
  });

  it("says what is under the pointer, and explains what occurs alone", async () => {
    const page = await open("violation.html");
    const box = await page.locator(".frame canvas").boundingBox();
    const tip = page.locator(".tip");
    // The chosen statement lies on the line of the cursor, which a sweep over the lanes meets.
    const x = await page.evaluate(() => (document.querySelector(".frame")?.clientWidth ?? 0) / 2);
    const seen = new Set<string>();
    for (let y = 10; y < (box?.height ?? 0); y += 12)
      for (const dx of [-60, 0, 60]) {
        await page.mouse.move((box?.x ?? 0) + x + dx, (box?.y ?? 0) + y);
        if ((await tip.count()) > 0) seen.add((await tip.textContent()) ?? "");
      }
    expect([...seen].some((text) => / · \d+ ms$/.test(text))).toBe(true);
    expect([...seen].some((text) => text.includes("partition"))).toBe(true);
    const legend = await page.textContent(".legend");
    expect(legend).toContain("violation");
    expect(legend).not.toContain("Byzantine");
  });

  it("has labels of the axis that differ", async () => {
    const page = await open("violation.html");
    const labels = await page.locator(".axis span").allTextContents();
    expect(labels.length).toBeGreaterThan(2);
    expect(new Set(labels).size).toBe(labels.length);
  });

  it("shows the nearest passing run, and finds the first statement that differs", async () => {
    const page = await open("sibling.html");
    expect(await page.textContent(".sibling .hint")).toMatch(/^passing\.yaml: /);
    const item = page.locator(".sibling p", { hasText: "The first statement that differs" });
    await item.getByRole("button").click();
    expect(await item.textContent()).toContain(await sentence(page));
    const lanes = page.locator(".lanes canvas");
    expect(await lanes.count()).toBe(2);
    const [above, below] = [await lanes.nth(0).boundingBox(), await lanes.nth(1).boundingBox()];
    expect(below).toMatchObject({ x: above?.x, width: above?.width });
    await lanes.nth(1).click({ position: { x: (below?.width ?? 0) - 4, y: (below?.height ?? 0) - 4 } });
    await page.getByLabel("draw it below this run").uncheck();
    expect(await lanes.count()).toBe(1);
  });

  it("shows steps in place of times that a path of the explorer does not have", async () => {
    const page = await open("path.html");
    expect(await page.textContent(".narrative .current")).toMatch(/^(step \d+)?violates/);
    expect(await page.locator(".axis").textContent()).toMatch(/step \d+/);
    const texts = await page.locator("header, .workbench > *").allTextContents();
    expect(texts.filter((text) => /\d ms\b/.test(text))).toEqual([]);
    const states = page.getByLabel("States around the path");
    await page.keyboard.press("Home");
    expect(await states.textContent()).toContain("Possible in state 0, after 0 steps");
    await states.getByRole("button", { name: "→ state 2, on the path" }).click();
    expect(await states.textContent()).toContain("Possible in state 2, after 1 step, where the search ended");
  });

  it("steps and follows links by keyboard alone", async () => {
    const page = await open("violation.html", "#event=40");
    const first = await sentence(page);
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => sentence(page)).not.toBe(first);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => page.url()).toMatch(/#event=\d+$/);
    await page.keyboard.press("Home");
    await expect.poll(() => page.textContent(".event h2")).toMatch(/^Event [1-5]$/);
    await page.focus(".violations button.link");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.textContent(".narrative .current")).toMatch(/violates/);
  });

  it("shows the event that the address names", async () => {
    const page = await open("faults.html", "#event=400");
    expect(await page.textContent(".event h2")).toBe("Event 400");
    const [left = 0, width = 0] = await inSight(page);
    const chosen = await page
      .locator(".minimap .chosen")
      .evaluate((one) => Number.parseFloat((one as HTMLElement).style.left));
    expect(left).toBeLessThan(chosen);
    expect(left + width).toBeGreaterThan(chosen);
  });

  it("keeps what is in sight when the window changes its size", async () => {
    const page = await open("faults.html", "#event=400");
    const rounded = async (): Promise<readonly number[]> => (await inSight(page)).map(Math.round);
    const before = await rounded();
    expect(before[0]).toBeGreaterThan(10);
    await page.setViewportSize({ width: 900, height: 700 });
    await page.waitForFunction(() => (document.querySelector(".frame canvas")?.clientWidth ?? 0) < 900);
    await expect.poll(rounded).toEqual(before);
  });

  it("filters, and finds an event with the mouse", async () => {
    const page = await open("faults.html");
    const count = (): Promise<string | null> => page.textContent(".filters .count");
    const all = await count();
    await page.click(".filters > summary");
    await page.fill("input[type=search]", "crashes");
    await expect.poll(count).toMatch(/^1 of/);
    const box = await page.locator(".frame canvas").boundingBox();
    // The only event of its view lies in the first column, on the lane of v2.
    for (const lane of [0, 1, 2, 3, 4, 5, 6])
      await page.mouse.click((box?.x ?? 0) + 104 + (1176 - 104) / 2, (box?.y ?? 0) + 30 + lane * 46);
    await page.keyboard.press("Home");
    await expect.poll(() => sentence(page)).toBe("v2 crashes");
    expect(await page.textContent(".state")).toMatch(/down/);
    await page.click("text=Reset");
    await expect.poll(count).toBe(all);
    await page.getByLabel("Axis").selectOption("time");
    await expect.poll(() => page.textContent(".axis")).toMatch(/\d+ ms/);
  });

  it("shows a run without events and a name of any length", async () => {
    const page = await open("empty.html", "", 390);
    expect(await page.textContent("h1")).toContain("<b>سلام</b>");
    expect(await contentWidth(page)).toBeLessThanOrEqual(390);
  });

  itIsAccessible("it", () => open("violation.html"));
});
