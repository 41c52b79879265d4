/** The page of a served network in a headless browser; the network runs in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contentWidth, describePages, itIsAccessible, seriousFindings, visited } from "./opened.ts";

interface Ready {
  readonly url: string;
  readonly admin_url: string;
  readonly accounts: readonly { readonly name: string; readonly key: string }[];
}

/** Starts the built program and returns its ready line. */
async function start(
  ...options: readonly string[]
): Promise<{ readonly ready: Ready; readonly process: ChildProcess }> {
  const started = spawn(process.execPath, ["dist/cli/main.js", "serve", "--port", "0", "--json", ...options]);
  const line = await new Promise<string>((resolve, reject) => {
    let text = "";
    started.stdout.on("data", (bytes) => {
      text += String(bytes);
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    started.once("exit", (code) => reject(new Error(`serve exited with ${code}`)));
  });
  return { ready: JSON.parse(line) as Ready, process: started };
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}

describePages("the page of a served network", (headless) => {
  let network: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    network = await start();
  });
  afterAll(() => ended(network?.process));

  const open = (width = 1280): Promise<Page> => {
    const { url, admin_url } = network.ready;
    // The browser itself logs each refused request.
    return visited(headless, url, [url, admin_url], { width, until: "h1", tolerated: /status of 422/ });
  };

  const admin = (body: object, action = "step"): Promise<Response> =>
    fetch(`${network.ready.admin_url}/admin/${action}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  /** Another process sends tokens of carol. */
  function send(kind: string, ...options: readonly string[]): Promise<unknown> {
    const from = ["--url", network.ready.url, "--from", "carol", "--token", "USDX"];
    return once(spawn(process.execPath, ["dist/cli/main.js", "send", kind, ...from, ...options]), "exit");
  }

  it("shows the payment of another process from its submission to its finality", async () => {
    const page = await open();
    await expect.poll(() => page.textContent(".operations")).toMatch(/None since/);
    const exit = send("payment", "--to", "dave", "--value", "2.5");
    const row = page.locator(".operations tbody tr").first();
    await row.waitFor();
    await expect.poll(() => row.textContent()).toMatch(/TokenTransfercaroldave2\.5 USDXfinal\d+/);
    expect(await exit).toEqual([0, null]);
    await expect.poll(() => page.locator("tr", { hasText: /^dave/ }).textContent()).toMatch(/1000002\.5$/);
  });

  it("shows the recipients of a batch, and the committee, the end and the fees of the epoch", async () => {
    const page = await open();
    await page.waitForSelector(".operations");
    const exit = send("batch", "--leg", "dave=1.5", "--leg", "erin=2", "--leg", "dave=0.25");
    const row = page.locator(".operations tbody tr").first();
    await expect.poll(() => row.textContent()).toMatch(/BatchPaymentcarol3 recipients/);
    await row.locator("summary").click();
    expect(await row.locator("li").allTextContents()).toEqual(["dave: 1.5 USDX", "erin: 2 USDX", "dave: 0.25 USDX"]);
    expect(await exit).toEqual([0, null]);
    const epoch = page.locator(".epoch");
    await expect.poll(() => epoch.textContent()).toMatch(/Epoch \d+Committeev1, v2, v3, v4Opened/);
    expect(await epoch.textContent()).toMatch(/Endswhen the operator closes it/);
    expect(await epoch.locator("tbody tr").first().textContent()).toBe("USDX0.010.020.02");
  });

  it("pays and gives by button, and says what the server answers", async () => {
    const page = await open();
    await page.click(".payment button[type=submit]");
    await expect.poll(() => page.textContent(".outcome")).toBe("alice pays bob 1 USDX: done");
    await page.click("text=Get from the faucet");
    await expect.poll(() => page.textContent(".outcome")).toBe("bob gets 1 USDX: done");
    await page.fill(".payment input[inputmode=decimal]", "1e9");
    await page.click(".payment button[type=submit]");
    await expect.poll(() => page.textContent(".outcome")).toMatch(/expected decimal text such as "12.5", got "1e9"/);
  });

  it("makes a partition by button, by which nothing becomes final until it heals", async () => {
    const page = await open();
    await page.click("text=Separate halves");
    await expect.poll(() => page.textContent(".validators")).toMatch(/the link from v1 to v3 is cut/);
    expect(await page.textContent(".verdict")).toMatch(/^stopped.*at most 2 running validators reach each other/);
    await page.click(".payment button[type=submit]");
    const row = page.locator(".operations tbody tr").first();
    await row.waitFor();
    await expect.poll(() => page.textContent(".facts")).toMatch(/Pending1/);
    expect(await row.textContent()).not.toMatch(/final/);
    await page.click("text=Heal partitions");
    await expect.poll(() => row.textContent()).toMatch(/final/);
    await expect.poll(() => page.textContent(".validators")).toMatch(/Faults in forcenone/);
    expect(await page.getByRole("button", { name: "Heal partitions" }).isDisabled()).toBe(true);
  });

  it("crashes and restarts a validator, and makes one Byzantine, by keyboard alone", async () => {
    const page = await open();
    const row = page.locator("tr", { hasText: /^v3/ });
    await row.getByRole("button", { name: "Crash v3" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => row.textContent()).toMatch(/^v3down/);
    await row.getByRole("button", { name: "Restart v3" }).focus();
    await page.keyboard.press("Space");
    await expect.poll(() => row.textContent()).toMatch(/^v3runs/);
    await page.getByLabel("Make v3 Byzantine").selectOption("double-vote");
    await expect.poll(() => row.textContent()).toMatch(/^v3runs, Byzantine/);
    await expect.poll(() => page.textContent(".badge")).toBe("faults");
    await row.getByRole("button", { name: "Behave v3" }).click();
    await expect.poll(() => row.textContent()).toMatch(/^v3runs, was Byzantine or lost its disk/);
    expect(await row.getByRole("button", { name: "Behave v3" }).count()).toBe(0);
    expect((await admin({ behave: { node: "v3" } })).status).toBe(200);
  });

  it("gives the keys of the test mnemonic, and has the payment in the first window of a telephone", async () => {
    const page = await open(390);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy the private key of alice" }).click();
    await page.getByRole("button", { name: "Copied the private key of alice" }).waitFor();
    const { accounts } = network.ready;
    const { key } = accounts.find(({ name }) => name === "alice") ?? {};
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    await page.evaluate(() => scrollTo(0, 0));
    const box = await page.locator(".payment button[type=submit]").boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
  });

  it("undoes to a chosen snapshot, also to one that another program has taken", async () => {
    const page = await open();
    const balance = (): Promise<string | null> => page.locator("tr", { hasText: /^dave/ }).textContent();
    const before = await balance();
    await page.getByRole("button", { name: "Snapshot", exact: true }).click();
    expect((await admin({}, "snapshot")).status).toBe(200);
    await expect.poll(() => page.getByLabel("Snapshot").locator("option").count()).toBe(2);
    await page.getByLabel("To, a name or an address").fill("dave");
    await page.click(".payment button[type=submit]");
    await expect.poll(balance).not.toBe(before);
    await page.getByRole("button", { name: "Snapshot", exact: true }).click();
    await expect.poll(() => page.getByLabel("Snapshot").locator("option").count()).toBe(3);
    await page.getByLabel("Snapshot").selectOption({ index: 1 });
    await page.getByRole("button", { name: "Undo to it" }).click();
    await expect.poll(balance).toBe(before);
    await expect.poll(() => page.getByLabel("Snapshot").locator("option").count()).toBe(2);
  });

  it("shows what happened to a chosen operation, and leads back to the network", async () => {
    const page = await open(390);
    await page.click(".payment button[type=submit]");
    const row = page.locator(".operations tbody tr").first();
    await expect.poll(() => row.textContent()).toMatch(/final/);
    await row.locator("a").click();
    await expect.poll(() => page.textContent("h1")).toBe("Operation");
    await expect.poll(() => page.textContent(".badge")).toBe("final");
    expect(await page.textContent(".facts")).toMatch(
      /^Hash asked for0x[0-9a-f]{64}TypeTokenTransferFromaliceNonce\d+$/,
    );
    expect(await page.getByLabel("What happened").textContent()).toMatch(/votes for/);
    await page.waitForSelector("canvas");
    expect(await contentWidth(page)).toBe(390);
    expect(await seriousFindings(page)).toEqual([]);
    await page.click("text=the network");
    await page.waitForSelector(".operations");
  });

  it("draws the messages of the last operations, and stops at a chosen event", async () => {
    const page = await open();
    await page.click(".recent > summary");
    await expect.poll(() => page.textContent(".recent")).toMatch(/None so far/);
    await page.click(".payment button[type=submit]");
    await page.waitForSelector(".recent canvas");
    await page.keyboard.press("End");
    await expect.poll(() => page.textContent(".recent .event h2")).toMatch(/^Event \d+$/);
    expect(await page.isChecked(".recent input[type=checkbox] >> nth=0")).toBe(false);
  });

  itIsAccessible("it", async () => {
    const page = await open(390);
    await page.click(".recent > summary");
    return page;
  });
});

describe("a network without its page", () => {
  it("leads browsers to the reference of its interface", async () => {
    const { ready, process: network } = await start("--no-page");
    try {
      const root = await fetch(ready.url, { headers: { accept: "text/html" }, redirect: "manual" });
      expect([root.status, root.headers.get("location")]).toEqual([302, "/docs"]);
      expect((await fetch(`${ready.url}/page/state.json`)).status).toBe(404);
      const asked = await fetch(`${ready.admin_url}/admin/status`, { headers: { origin: ready.url } });
      expect(asked.headers.get("access-control-allow-origin")).toBe(null);
    } finally {
      await ended(network);
    }
  });
});
