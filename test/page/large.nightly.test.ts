/** A run of 100,000 events in a headless browser: one picture costs what is in sight, however long the run is. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { pageAssets, pageHtml } from "../../src/report/page-file.ts";
import { describePages, opened } from "./opened.ts";
import { dataOf, FAULTS, lengthened } from "./runs.ts";

/** Pictures of each gesture. */
const FRAMES = 60;
/** Calls of the canvas for one picture: some 2,500 arrows with their heads, and marks that do not cover each other. */
const CALLS_MOST = 20_000;

/** Work of a gesture: pictures, calls of the canvas for the costliest one, and milliseconds. */
interface Work {
  readonly pictures: number;
  readonly calls: number;
  readonly ms: number;
}

describePages("the page of a long run", (headless) => {
  beforeAll(() => {
    const [data, assets] = [dataOf(FAULTS), pageAssets("report")];
    for (const count of [10_000, 100_000])
      writeFileSync(join(headless.folder, `${count}.html`), pageHtml(data.title, lengthened(data, count), assets));
  });

  async function gestures(count: number): Promise<{ readonly work: Record<string, Work>; readonly elements: number }> {
    const page = await opened(headless, `${count}.html`);
    await page.click("text=Whole run");
    await page.waitForTimeout(300);
    expect(await page.textContent(".tools")).toContain("Bars count the events of each party");
    await countCalls(page);
    const work: Record<string, Work> = {};
    for (const [name, deltas] of Object.entries(GESTURES)) work[name] = await measured(page, deltas);
    await page.keyboard.press("Home");
    for (let turn = 0; turn < 20; turn++) await page.click("text=+");
    await expect.poll(() => page.textContent(".tools")).not.toContain("Bars");
    const elements = await page.evaluate(() => document.querySelectorAll("*").length);
    return { work, elements };
  }

  it("draws no more than one of 10,000 events, and has no more elements", async () => {
    const [short, long] = [await gestures(10_000), await gestures(100_000)];
    for (const [name, { pictures, ms, calls }] of Object.entries(long.work)) {
      const rate = ((pictures * 1_000) / ms).toFixed(0);
      process.stdout.write(`100,000 events, ${name}: ${rate} pictures a second here, at most ${calls} calls for one\n`);
      expect([name, pictures > FRAMES - 5, calls < CALLS_MOST]).toEqual([name, true, true]);
    }
    expect(long.elements - short.elements).toBeLessThan(50);
  });
});

/** Turns of the wheel with Ctrl zoom, moves of the pressed mouse pan. */
const GESTURES: Readonly<Record<string, { readonly zoom: number; readonly pan: number }>> = {
  "zooming into the whole run": { zoom: -1, pan: 0 },
  "panning nearly the whole run": { zoom: 0, pan: 3 },
  "zooming in": { zoom: -4, pan: 0 },
  "panning nearby": { zoom: 0, pan: 9 },
  "zooming out": { zoom: 5, pan: 0 },
};

/** Counts calls of the canvas by picture; each begins with `clearRect`. */
async function countCalls(page: Page): Promise<void> {
  await page.evaluate(() => {
    const counts: number[] = [];
    Object.assign(globalThis, { counts });
    const methods = CanvasRenderingContext2D.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
    for (const name of ["clearRect", "moveTo", "lineTo", "arc", "rect", "fillRect", "fillText", "stroke", "fill"]) {
      const call = methods[name];
      methods[name] = function (this: unknown, ...args: unknown[]) {
        if (name === "clearRect") counts.push(0);
        else if (counts.length > 0) counts[counts.length - 1] = (counts[counts.length - 1] ?? 0) + 1;
        return call?.apply(this, args);
      };
    }
  });
}

/** Makes a gesture, a move for each frame of the browser. */
function measured(page: Page, gesture: { readonly zoom: number; readonly pan: number }): Promise<Work> {
  return page.evaluate(
    async ({ zoom, pan, frames }) => {
      const { counts } = globalThis as unknown as { counts: number[] };
      const canvas = document.querySelector(".frame canvas") as HTMLCanvasElement;
      const { left, top, width } = canvas.getBoundingClientRect();
      const at = (x: number) => ({
        clientX: left + x,
        clientY: top + 60,
        bubbles: true,
        cancelable: true,
        view: window,
      });
      // As the browser does: an input between two frames, and not within one.
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      counts.length = 0;
      const began = performance.now();
      if (pan !== 0) canvas.dispatchEvent(new MouseEvent("mousedown", { ...at(width / 2), buttons: 1 }));
      for (let number = 1; number <= frames; number++) {
        const turn = { ...at(width / 2), deltaY: zoom, ctrlKey: true };
        if (zoom !== 0) canvas.dispatchEvent(new WheelEvent("wheel", turn));
        else window.dispatchEvent(new MouseEvent("mousemove", { ...at(width / 2 - pan * number), buttons: 1 }));
        await frame();
      }
      if (pan !== 0) window.dispatchEvent(new MouseEvent("mouseup", at(width / 2 - pan * frames)));
      await frame();
      await frame();
      return { pictures: counts.length, calls: Math.max(...counts), ms: performance.now() - began };
    },
    { ...gesture, frames: FRAMES },
  );
}
