/** Pages opened in a headless browser. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { chromiumPath, openBrowser } from "../server/docs/browser.ts";

/** A browser, and a folder for the files that it opens: both are there while tests run. */
export interface Headless {
  browser: Browser;
  folder: string;
}

/** Describes pages in a headless browser; skipped where there is none. */
export function describePages(what: string, tests: (headless: Headless) => void): void {
  const path = chromiumPath();
  const skipped = path === undefined ? " (skipped: no Chromium on PATH)" : "";
  describe.skipIf(path === undefined)(`${what}${skipped}`, () => {
    const headless = {} as Headless;
    beforeAll(async () => {
      headless.folder = mkdtempSync(join(tmpdir(), "quorumlab-"));
      headless.browser = await openBrowser(path as string);
    });
    afterAll(async () => {
      await headless.browser?.close();
      rmSync(headless.folder, { recursive: true });
    });
    tests(headless);
  });
}

interface VisitOptions {
  readonly width?: number;
  /** Element of the page. */
  readonly until?: string;
  /** Messages of the console that are no faults. */
  readonly tolerated?: RegExp;
}

/**
 * Opens an address, and waits for an element of the page. At the end of the test the page is closed, and must have done
 * nothing wrong: errors, and requests to addresses that begin otherwise than its `own`.
 */
export async function visited(
  { browser }: Headless,
  url: string,
  own: readonly string[],
  { width = 1280, until, tolerated }: VisitOptions = {},
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const faults: string[] = [];
  onTestFinished(async () => {
    await page.close();
    expect(faults).toEqual([]);
  });
  page.on("console", (message) => {
    const isFault = ["error", "warning"].includes(message.type()) && tolerated?.test(message.text()) !== true;
    if (isFault) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => {
    if (![...own, "data:"].some((one) => request.url().startsWith(one))) faults.push(`requests ${request.url()}`);
  });
  await page.goto(url);
  if (until !== undefined) await page.waitForSelector(until);
  return page;
}

/** Opens a file of the folder, and waits for an element of it. */
export function opened(
  headless: Headless,
  name: string,
  { hash = "", width = 1280, until = ".frame canvas" } = {},
): Promise<Page> {
  const { href } = pathToFileURL(join(headless.folder, name));
  return visited(headless, `${href}${hash}`, ["file:"], { width, until });
}

/** Tests that a page fits its window, and that axe finds nothing serious in it, in light and dark colours. */
export function itIsAccessible(what: string, open: () => Promise<Page>): void {
  it.each(["light", "dark"] as const)(
    `has nothing serious against ${what} for axe, in %s colours`,
    async (colorScheme) => {
      const page = await open();
      await page.emulateMedia({ colorScheme });
      expect(await contentWidth(page)).toBe(page.viewportSize()?.width);
      await page.setViewportSize({ width: 1280, height: 900 });
      expect(await seriousFindings(page)).toEqual([]);
    },
  );
}

/** Returns what axe finds that is serious or critical. */
export async function seriousFindings(page: Page): Promise<readonly unknown[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const page = globalThis as unknown as { readonly axe: typeof axe };
    return (await page.axe.run()).violations.map(({ id, impact, nodes }) => [impact, id, nodes[0]?.html]);
  });
  return found.filter(([impact]) => impact === "serious" || impact === "critical");
}

/** Width of the page's content in pixels: more than its window where something juts out. */
export function contentWidth(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth);
}
