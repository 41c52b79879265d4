/** Reports opened from their files in a headless browser. */
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";

/** The page with what it must not do: errors, and requests beside its own file. */
export interface Opened {
  readonly page: Page;
  readonly faults: readonly string[];
}

/** Opens a file, and waits for an element of it. */
export async function opened(
  browser: Browser,
  file: string,
  { hash = "", width = 1280, until = ".frame canvas" } = {},
): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const faults: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) faults.push(`requests ${request.url()}`);
  });
  await page.goto(`${pathToFileURL(file).href}${hash}`);
  await page.waitForSelector(until);
  return { page, faults };
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
