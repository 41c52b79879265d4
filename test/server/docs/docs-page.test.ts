import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningNetwork, startNetwork } from "../../../src/server/network/start-network.ts";
import { chromiumPath, openBrowser } from "./browser.ts";

const program = chromiumPath();
const title =
  program === undefined
    ? "the page in a browser (skipped: no chromium, chromium-browser or google-chrome on PATH; CHROMIUM names one)"
    : "the page in a browser";

/** Where screenshots go, for whoever wants to look at them. */
const SHOTS = process.env["SCREENSHOTS"];

describe.skipIf(program === undefined)(title, () => {
  let network: RunningNetwork;
  let browser: Browser;
  let page: Page;
  /** What the browser asked for, and what it complained about. */
  const requests: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    network = await startNetwork();
    browser = await openBrowser(program ?? "");
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(`${network.url}/docs`, { waitUntil: "networkidle" });
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  const open = async (anchor: string) => {
    const article = page.locator(`#${anchor}`);
    await article.locator("summary", { hasText: "Try it" }).click();
    return article;
  };

  test("shows every path of the document, each once", async () => {
    const document = (await (await fetch(`${network.url}/openapi.json`)).json()) as { paths: Record<string, object> };
    const shown = await page.locator("article h3").allTextContents();
    const known = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(shown.map((text) => text.trim()).sort()).toEqual(known.sort());
    expect(await page.title()).toMatch(/quorumlab/i);
  });

  test("asks the chain id when its form is sent", async () => {
    const article = await open("get-v1-chains-chain_id");
    await article.getByRole("button", { name: "Send" }).click();
    const output = article.locator("output.good");
    await output.waitFor();
    expect(await output.locator("pre").textContent()).toBe(`{\n  "chain_id": ${network.chainId}\n}`);
    expect(await output.locator(".line").textContent()).toMatch(/^200 OK in \d+ ms, GET \/v1\/chains\/chain_id$/);
  });

  test("sends what stands in the fields, and shows a body", async () => {
    const article = await open("get-v1-accounts-nonce");
    await article.locator("input[name=address]").fill(network.account("alice").address);
    await article.getByRole("button", { name: "Send" }).click();
    const output = article.locator("output.good");
    await output.waitFor();
    expect(await output.locator("pre").textContent()).toBe('{\n  "nonce": 0\n}');
  });

  test("gives units of a token by its faucet's form", async () => {
    const article = await open("post-faucet");
    await article.locator("textarea").fill('{"address":"bob","value":"2"}');
    await article.getByRole("button", { name: "Send" }).click();
    await article.locator("output.good").waitFor();
    expect(await article.locator("output pre").textContent()).toContain('"value": "2000000"');
  });

  test("finds endpoints by their words", async () => {
    await page.locator("#find").fill("estimate fee");
    const left = await page.locator("article:visible h3 code").allTextContents();
    expect(left.length).toBeGreaterThan(0);
    for (const path of left) expect(path).toContain("estimate_fee");
    await page.locator("#find").fill("");
  });

  test.each([
    ["light", 1_280],
    ["dark", 1_280],
    ["light", 390],
    ["dark", 390],
  ] as const)("fits its window, %s and %i wide", async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    expect(overflow).toBe(0);
    if (SHOTS === undefined) return;
    await page.evaluate("window.scrollTo(0, 0)");
    await page.screenshot({ path: join(SHOTS, `docs-${colorScheme}-${width}.png`) });
    await page.locator("#post-v1-transactions-payment").scrollIntoViewIfNeeded();
    await page
      .locator("#post-v1-transactions-payment")
      .screenshot({ path: join(SHOTS, `payment-${colorScheme}-${width}.png`) });
    await page
      .locator("#get-v1-chains-chain_id")
      .screenshot({ path: join(SHOTS, `chain-${colorScheme}-${width}.png`) });
  });

  test("asked nobody else, and complained about nothing", () => {
    expect(requests.filter((url) => !url.startsWith("data:") && new URL(url).origin !== network.url)).toEqual([]);
    expect(requests.length).toBeGreaterThan(1);
    expect(complaints).toEqual([]);
  });
});
