import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningNetwork, startNetwork } from "../../../src/server/network/start-network.ts";
import { chromiumPath, openBrowser } from "./browser.ts";

const program = chromiumPath();
const title =
  program === undefined
    ? "the page in a browser (skipped: no chromium, chromium-browser or google-chrome on PATH; CHROMIUM names one)"
    : "the page in a browser";

/** Folder that screenshots are written to; absent: none are taken. */
const SHOTS = process.env["SCREENSHOTS"];

describe.skipIf(program === undefined)(title, () => {
  let network: RunningNetwork;
  let browser: Browser;
  let page: Page;
  /** URLs that the browser requested, and lines of its console: violations of the content policy are among them. */
  const requests: string[] = [];
  const messages: string[] = [];

  beforeAll(async () => {
    network = await startNetwork();
    browser = await openBrowser(program ?? "");
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => messages.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => messages.push(String(error)));
    await page.goto(`${network.url}/docs`, { waitUntil: "networkidle" });
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  /** Opens the operation and its form. */
  const open = async (method: string, path: string) => {
    const operation = page.locator(`.opblock-${method}`).filter({ has: page.locator(`[data-path="${path}"]`) });
    await operation.locator(".opblock-summary-control").click();
    await operation.getByRole("button", { name: "Try it out" }).click();
    return operation;
  };
  const execute = async (operation: Locator) => {
    await operation.getByRole("button", { name: "Execute" }).click();
    const response = operation.locator(".live-responses-table .response");
    await response.waitFor();
    const status = await response.locator(".response-col_status").textContent();
    const body = await response.locator("pre").first().textContent();
    return { status: Number.parseInt(status ?? "", 10), body: JSON.parse(body ?? "") as unknown };
  };

  test("shows every operation of the document once", async () => {
    const document = (await (await fetch(`${network.url}/openapi.json`)).json()) as { paths: Record<string, object> };
    const known = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    // The page renders after the last request.
    await page
      .locator(".opblock-summary-method")
      .nth(known.length - 1)
      .waitFor();
    const methods = await page.locator(".opblock-summary-method").allTextContents();
    const paths = await page.locator(".opblock-summary-path").evaluateAll((all) => all.map((one) => one.dataset.path));
    expect(methods.map((method, at) => `${method} ${paths[at]}`).sort()).toEqual(known.sort());
    expect(await page.title()).toBe("quorumlab v1");
  });

  test("reads the chain id", async () => {
    const operation = await open("get", "/v1/chains/chain_id");
    expect(await execute(operation)).toEqual({ status: 200, body: { chain_id: network.chainId } });
  });

  test("sends the values of the fields", async () => {
    const operation = await open("get", "/v1/accounts/nonce");
    await operation.getByPlaceholder("address").fill(network.account("alice").address);
    expect(await execute(operation)).toEqual({ status: 200, body: { nonce: 0, pending_nonce: 0 } });
  });

  test("sends a body", async () => {
    const operation = await open("post", "/faucet");
    await operation.locator("textarea").fill('{"address":"bob","value":"2"}');
    expect(await execute(operation)).toMatchObject({ status: 200, body: { value: "2000000" } });
  });

  test("finds operations by their group", async () => {
    await page.getByPlaceholder("Filter by tag").fill("checkpoints");
    await expect.poll(() => page.locator(".opblock-tag:visible").count()).toBe(1);
    await page.getByPlaceholder("Filter by tag").fill("");
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
    await page
      .locator(".opblock", { has: page.locator('[data-path="/v1/chains/chain_id"]') })
      .screenshot({ path: join(SHOTS, `chain-${colorScheme}-${width}.png`) });
  });

  test("sends no request to another origin, and breaks no content policy", () => {
    expect(requests.filter((url) => !url.startsWith("data:") && new URL(url).origin !== network.url)).toEqual([]);
    expect(requests.length).toBeGreaterThan(1);
    expect(messages).toEqual([]);
  });
});
