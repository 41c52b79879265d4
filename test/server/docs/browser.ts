/** A headless Chromium of this machine, where there is one. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The path in the environment as CHROMIUM, else the first on PATH; `undefined` where there is none. */
export function chromiumPath(): string | undefined {
  const given = process.env["CHROMIUM"];
  if (given !== undefined && given !== "") return given;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** Containers have no user for its sandbox; it sees our own page only. */
export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or no program.
    return false;
  }
}
