import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { err } from "../../../src/core/base/result.ts";
import { ADVANCE_MS, SNAPSHOTS_MAX } from "../../../src/server/limits.ts";
import { sharedAdministered } from "./support.ts";

const network = sharedAdministered({ fees: "0.01" });
beforeEach(() => network.served.host.reset());

const advance = (ms: number): Promise<unknown> => network.done("/admin/advance", { ms });
const status = async () => (await network.call("/admin/status")).body;

test("time stands still at rate 0, and passes by just so much as it is advanced", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 20_000 }), async (ms) => {
      const before = Number((await status())["virtual_ms"]);
      expect(await advance(ms)).toBe(ms);
      expect((await status())["virtual_ms"]).toBe(before + ms);
    }),
    { numRuns: 20 },
  );
});

test("time is advanced by a day at most, and never back", async () => {
  for (const ms of [-1, ADVANCE_MS + 1])
    expect(await network.call("/admin/advance", { ms })).toMatchObject({
      status: 422,
      body: { message: `advance: expected 0 to ${ADVANCE_MS} virtual milliseconds, got ${ms}` },
    });
  expect(await advance(0)).toBe(0);
});

test("an advance leaves turns to others, and ends with a return to an earlier moment", async () => {
  const { host } = network.served;
  let isOver = false;
  const day = host.advanceInTurns(host.advance(ADVANCE_MS)).then((result) => {
    isOver = true;
    return result;
  });
  for (let turn = 0; turn < 3; turn++) {
    await nextTurn();
    expect([isOver, host.network.now < ADVANCE_MS]).toEqual([false, true]);
  }
  host.reset();
  expect(await day).toEqual(err("advance: what it ran was undone meanwhile"));
  expect(host.network.now).toBe(0);
});

test("the recording ends where an advance has ended", async () => {
  await advance(3_000);
  const { host } = network.served;
  const last = JSON.parse((await network.recording()).trim().split("\n").at(-1) ?? "");
  expect(last).toMatchObject({ type: "verification", at: host.network.now });
});

test("time passes by itself at any other rate", async () => {
  const { host } = network.served;
  expect(await network.done("/admin/rate", { rate: 1_000 })).toBe(1_000);
  expect((await status())["rate"]).toBe(1_000);
  expect(await host.waitUntil(() => host.network.now > 1_000, 60_000)).toBe(true);
  await network.done("/admin/rate", { rate: 0 });
  const stands = (await status())["virtual_ms"];
  expect((await status())["virtual_ms"]).toBe(stands);
  for (const rate of [-1, 1_000.5]) expect((await network.call("/admin/rate", { rate })).status).toBe(422);
});

test("a return to a snapshot keeps that one and earlier ones, and forgets later ones", async () => {
  const names: unknown[] = [];
  for (let i = 0; i < 3; i++) {
    names.push(await network.done("/admin/snapshot"));
    await advance(10);
  }
  await network.done("/admin/revert", { snapshot: names[1] });
  await network.done("/admin/revert", { snapshot: names[1] });
  expect(await network.call("/admin/revert", { snapshot: names[2] })).toMatchObject({
    status: 422,
    body: { message: `revert: no snapshot is called "${names[2]}"; there are ${names[0]}, ${names[1]}` },
  });
  await network.done("/admin/revert", { snapshot: names[0] });
  expect((await status())["virtual_ms"]).toBe(0);
});

test("a snapshot remembers faults as well", async () => {
  await network.done("/admin/step", { crash: { node: "v2" } });
  const snapshot = await network.done("/admin/snapshot");
  await network.done("/admin/step", { restart: "v2" });
  await network.done("/admin/revert", { snapshot });
  expect(network.served.host.network.ledgerOf("v2")).toBeUndefined();
  await network.done("/admin/reset");
  expect(network.served.host.network.ledgerOf("v2")).toBeDefined();
});

test("a reset undoes everything, snapshots too", async () => {
  const { hash } = await network.pay("alice", "1000000");
  await advance(1_000);
  const snapshot = await network.done("/admin/snapshot");
  await network.done("/admin/reset");
  expect(await status()).toMatchObject({ virtual_ms: 0, final: 0, pending: 0 });
  expect(await network.balance("alice")).toBe(1_000_000_000n);
  expect(await network.receipt(hash)).toBe(404);
  expect((await network.call("/admin/revert", { snapshot })).body["message"]).toMatch(/there are none/);
});

test("only so many snapshots are kept", async () => {
  for (let i = 0; i < SNAPSHOTS_MAX; i++) expect(network.served.host.snapshot().ok).toBe(true);
  expect(await network.call("/admin/snapshot", {})).toMatchObject({
    status: 422,
    body: { message: `snapshot: at most ${SNAPSHOTS_MAX} are kept` },
  });
});
