/** Pages opened in a headless browser. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
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

/** The page with what it must not do: errors, and requests beside its own. */
export interface Opened {
  readonly page: Page;
  readonly faults: readonly string[];
}

/** Opens an address, and waits for an element of the page; requests to addresses that begin otherwise are faults. */
export async function visited(
  { browser }: Headless,
  url: string,
  own: readonly string[],
  { width = 1280, until }: { readonly width?: number; readonly until?: string } = {},
): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const faults: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => {
    if (![...own, "data:"].some((one) => request.url().startsWith(one))) faults.push(`requests ${request.url()}`);
  });
  await page.goto(url);
  if (until !== undefined) await page.waitForSelector(until);
  return { page, faults };
}

/** Opens a file of the folder, and waits for an element of it. */
export function opened(
  headless: Headless,
  name: string,
  { hash = "", width = 1280, until = ".frame canvas" } = {},
): Promise<Opened> {
  const { href } = pathToFileURL(join(headless.folder, name));
  return visited(headless, `${href}${hash}`, ["file:"], { width, until });
}

/** Closes a page that must have done nothing wrong. */
export async function closed({ page, faults }: Opened): Promise<void> {
  expect(faults).toEqual([]);
  await page.close();
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
