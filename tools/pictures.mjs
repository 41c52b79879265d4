/** Takes the pictures of the documents from the built program: `npm run pictures`. Needs a Chromium on PATH or in CHROMIUM. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const SCENARIO = "scenarios/bugs/vote-before-persist.yaml";

const folder = mkdtempSync(join(tmpdir(), "quorumlab-"));
const executablePath = process.env["CHROMIUM"] ?? execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
try {
  await takeReport();
  await takeLive();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

async function takeReport() {
  // As README does: without what the file expects, the run fails.
  const file = join(folder, "forgotten-vote.yaml");
  writeFileSync(file, readFileSync(SCENARIO, "utf8").split("\nexpect:")[0]);
  const report = join(folder, "report.html");
  execFileSync(process.execPath, ["dist/cli/main.js", "report", file, "--out", report]);
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, colorScheme: "light" });
  await page.goto(pathToFileURL(report).href);
  await page.waitForSelector(".narrative .current");
  await page.waitForTimeout(500);
  await page.screenshot({ path: "docs/pictures/report.png" });
}

/** A network with one validator down, after some payments. */
async function takeLive() {
  const network = spawn(process.execPath, ["dist/cli/main.js", "serve", "--port", "0", "--json"]);
  try {
    const line = await new Promise((resolve) => network.stdout.once("data", (bytes) => resolve(String(bytes))));
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
    await page.goto(JSON.parse(line).url);
    await page.click("text=Crash v4");
    for (const amount of ["1", "2.5", "40"]) {
      await page.fill(".payment input[inputmode=decimal]", amount);
      await page.click(".payment button[type=submit]");
      await page.waitForTimeout(1_500);
    }
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: "docs/pictures/live.png" });
  } finally {
    network.kill();
  }
}
