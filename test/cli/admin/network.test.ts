import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningNetwork, startNetwork } from "../../../src/server/network/start-network.ts";
import { folder, runCommand } from "../support.ts";

let network: RunningNetwork;
beforeAll(async () => {
  network = await startNetwork({ rate: 0 });
});
afterAll(() => network.stop());

const admin = (...line: readonly string[]) => runCommand(["admin", ...line, "--url", network.adminUrl ?? ""]);

test("commands act on a served network, one after the other", async () => {
  expect((await admin("snapshot")).out).toMatch(/^done {2}snapshot 1:/);
  expect((await admin("crash", "v2")).out).toMatch(/v2 {4}down/);
  expect((await admin("balance", "alice", "USDX", "12.5")).out).toMatch(/^done {2}hash 0x[0-9a-f]{64}\n/);
  expect((await admin("balance", "alice", "USDX", "12.50")).out).toMatch(/^done {2}the balance was already this\n/);
  expect((await admin("checkpoint")).out).toMatch(/^done {2}checkpoint 1 is final\n/);
  expect((await admin("epoch")).out).toMatch(/^done {2}epoch 1 has begun\n/);
  expect((await admin("hold", "late")).code).toBe(0);
  expect((await admin("release", "late")).code).toBe(0);
  expect(await admin("restart", "v9")).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^refused {2}no validator/),
  });
  expect(await admin("revert", "1")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/, 0 final,[\s\S]*v2 {4}running/),
  });
});

test("the recording that is written replays", async () => {
  await admin("advance", "100");
  const path = join(folder({}), "network.ndjson");
  expect((await admin("recording", "--out", path)).out).toMatch(/^\d+ lines in /);
  expect(readFileSync(path, "utf8")).toBe(network.recording());
  expect((await admin("recording")).out).toBe(network.recording());
  expect((await admin("recording", "--out", "/no/such/folder/x")).code).toBe(2);
  expect(await runCommand(["replay", path])).toMatchObject({ code: 0, out: expect.stringMatching(/^same/) });
});
