/** Goal: INT and TERM end what serves others with 0, and all else with 130; nothing that was answered is lost. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRecording } from "../../src/live/recording.ts";
import { compile, type Program, start } from "../server/served/process.ts";

let program: Program;
beforeAll(() => {
  program = compile();
});
afterAll(() => program.remove());

test.each(["SIGINT", "SIGTERM"] as const)("%s: serve writes its snapshot, and unlocks its file", async (signal) => {
  const state = join(program.folder, `${signal}.ndjson`);
  const { child, ready } = await start(program, ["--state", state]);
  const waiting = fetch(`${ready.url}/v1/transactions/receipt/by_hash?hash=0x${"1".repeat(64)}&min_receipt=1`).catch(
    () => undefined,
  );
  const gone = once(child, "exit");
  child.kill(signal);
  expect(await gone).toEqual([0, null]);
  await waiting;
  expect(readRecording(readFileSync(state, "utf8"))).toMatchObject({ ok: true });
  const left = readdirSync(program.folder).filter((name) => name.startsWith(`${signal}.ndjson`));
  expect(left.sort()).toEqual([`${signal}.ndjson`, `${signal}.ndjson.archive`, `${signal}.ndjson.snapshot`]);
});

test.each(["SIGINT", "SIGTERM"] as const)("%s: fuzz ends with 130", async (signal) => {
  const child = spawn(process.execPath, [program.main, "fuzz", "--seeds", "1000000", "--progress", "plain"], {
    cwd: program.folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  await once(child.stderr, "data");
  child.stderr.resume();
  const gone = once(child, "exit");
  child.kill(signal);
  expect(await gone).toEqual([130, null]);
});
