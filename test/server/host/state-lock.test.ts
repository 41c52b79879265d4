/** Goal: one process at a time holds a state file, under any of its names, and no end of a process leaves it locked. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { linkSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { lockState } from "../../../src/server/host/state-lock.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "state-"));
  path = join(folder, "net");
});

test("a file is locked once, and again after its release, which leaves nothing", async () => {
  const first = await lockState(path);
  if (!first.ok) throw new Error(first.error);
  expect(await lockState(path)).toEqual({ ok: false, error: `${path} is in use by another process` });
  expect(first.value.isHeld).toBe(true);
  first.value.release();
  expect(first.value.isHeld).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
  expect((await lockState(path)).ok).toBe(true);
});

test("a killed process leaves no lock", async () => {
  const program = `require("net").createServer().listen(${JSON.stringify(join(folder, "net.lock-000000000000"))}, () => console.log("on"))`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  expect((await lockState(path)).ok).toBe(false);
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  expect(readdirSync(folder)).toHaveLength(1);
  expect((await lockState(path)).ok).toBe(true);
  expect(readdirSync(folder)).toHaveLength(1);
});

test("of several that lock at once, one at most succeeds", async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => lockState(path)));
  expect(all.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
  for (const lock of all) if (lock.ok) lock.value.release();
  expect((await lockState(path)).ok).toBe(true);
});

test("a symbolic link is another name of the same file", async () => {
  writeFileSync(path, "");
  symlinkSync(path, join(folder, "link"));
  mkdirSync(join(folder, "other"));
  symlinkSync(folder, join(folder, "other", "back"));
  const first = await lockState(join(folder, "link"));
  if (!first.ok) throw new Error(first.error);
  expect(first.value.path).toBe(path);
  expect((await lockState(path)).ok).toBe(false);
  expect((await lockState(join(folder, "other", "back", "net"))).ok).toBe(false);
});

test.each<readonly [string, RegExp, () => string]>([
  ["with two hard links", /has 2 hard links/, () => made(() => linkSync(path, `${path}2`))],
  ["behind a link to nothing", /link to a file that does not exist/, () => linked(`${path}2`)],
  ["in a missing folder", /ENOENT.*a folder that exists/, () => join(folder, "none", "net")],
  ["that is a folder", /expected a regular file/, () => folder],
  ["that is a device", /expected a regular file/, () => "/dev/null"],
])("a file %s is refused", async (_name, message, make) => {
  expect(await lockState(make())).toEqual({ ok: false, error: expect.stringMatching(message) });
});

function linked(target: string): string {
  symlinkSync(target, path);
  return path;
}

function made(change: () => void): string {
  writeFileSync(path, "");
  change();
  return path;
}

test("a deep folder does not matter where descriptors are names", async () => {
  const deep = join(folder, "x".repeat(120));
  mkdirSync(deep);
  const lock = await lockState(join(deep, "net"));
  if (process.platform === "linux") expect(lock.ok).toBe(true);
  else expect(lock).toEqual({ ok: false, error: expect.stringContaining("cannot be locked") });
});
