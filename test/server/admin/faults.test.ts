import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { toHash } from "../../../src/core/base/ids.ts";
import { STEP_VERBS } from "../../../src/scenario/schema/step.ts";
import { SPARES, sharedAdministered } from "./support.ts";

const network = sharedAdministered({ scenario: { file: "spares.yaml", text: SPARES } });
beforeEach(() => network.served.host.reset());

const step = (body: object): Promise<unknown> => network.done("/admin/step", body);
const advance = (ms: number): Promise<unknown> => network.done("/admin/advance", { ms });
/** Returns true once a validator has applied the final operation with that hash. */
function knows(node: string, hash: string): boolean {
  const { network: live } = network.served.host;
  const copy = live.archive.find(toHash(hash));
  const progress = copy === undefined ? undefined : live.archive.progressOf(copy.id);
  return progress?.status === "final" && live.hasApplied(node, progress.final);
}
const isUp = (node: string): boolean => network.served.host.network.ledgerOf(node) !== undefined;

const VERBS: readonly object[] = [
  { crash: { node: "v2" } },
  { crash: { node: "v2", restart_after_ms: 10 } },
  { restart: "v2" },
  { wipe: "v2" },
  { clock: { node: "v3", ahead_ms: -40_000 } },
  { disk: { node: "v3", write_ms: "5..10" } },
  { partition: [["v1", "v2"], ["v3"]] },
  { cut: { from: ["v1"], to: ["v2"] } },
  { heal: true },
  { heal: ["v1"] },
  { delay: { ms: "50..200", to: ["v3"] } },
  { loss: { chance: "1/5" } },
  { duplicate: { chance: "1/5" } },
  { reorder: { chance: "1/5" } },
  { drop: { kinds: ["finality"], count: 3 } },
  { undrop: true },
  { hold: { rule: "late", kinds: ["commit"] } },
  { release: true },
  { byzantine: { node: "v4", strategy: "double-vote" } },
  { byzantine: { node: "v4", strategy: "selective-silence", towards: ["v1"] } },
  { behave: { node: "v4" } },
  { twin: { v4: ["v1", "v2"], "v4'": ["v3"] } },
  { govern: { to: ["v1"], epoch: 0 } },
];

test.each(VERBS)("%j is carried out at once", async (verb) => {
  expect(await step(verb)).toEqual(verb);
});

test("a first Byzantine step is prepared while the network serves", async () => {
  const { host } = network.served;
  for (let count = 0; count < 30; count++) {
    await network.pay("alice", "1");
    await advance(200);
  }
  const before = host.network.lines;
  const done = host.stepPrepared({ byzantine: { node: "v4", strategy: "double-vote" } });
  const { hash } = await network.pay("alice", "1");
  expect((await done).ok).toBe(true);
  expect(host.network.lines).toBe(before + 1);
  await advance(1_000);
  expect(knows("v1", hash)).toBe(true);
});

test("the status names every fault that acts, with strategies and rates", async () => {
  const faults = async (): Promise<unknown> => (await network.call("/admin/status")).body["faults"];
  expect(await faults()).toEqual([]);
  await step({ byzantine: { node: "v4", strategy: "double-vote" } });
  await step({ byzantine: { node: "v4", strategy: "silence" } });
  await step({ loss: { chance: "1/5", to: ["v3"], from: ["v1"] } });
  await step({ delay: { ms: "50..200", to: ["v3"], from: ["v1"] } });
  await step({ crash: { node: "v2" } });
  expect(await faults()).toEqual([
    "v4 is Byzantine: double-vote, silence",
    "v2 is down",
    expect.stringMatching(/^the link from v1 to v3 loses 1\/5 of its messages, takes 50 to 200 ms$/),
  ]);
});

const REFUSED: readonly (readonly [step: object, why: RegExp])[] = [
  [{}, /exactly one|expected one of/],
  [{ crash: { node: "v9" } }, /no validator is called "v9"/],
  [{ crash: {} }, /"node" is missing/],
  [{ krash: { node: "v2" } }, /unknown key "krash" \(did you mean "crash"\?\)/],
  [{ crash: { node: "v2" }, restart: "v2" }, /exactly one|one of/],
  [{ submit: { payment: { from: "alice", to: "bob", token: "USDX", value: "1" } } }, /submit: a live step/],
  [{ workload: { accounts: ["alice"], count: 1, every_ms: 1, mix: [] } }, /workload: a live step/],
  [{ at: 5, crash: { node: "v2" } }, /at: a live step is executed at once/],
  [{ after: { crashed: "v2" }, restart: "v2" }, /after: a live step is executed at once/],
  [{ byzantine: { node: "v4", strategy: "double-vot" } }, /did you mean "double-vote"/],
  [{ release: "late" }, /no rule is called "late"/],
  [{ undrop: "late" }, /no rule is called "late"/],
  [{ twin: { v3: ["v1"], "v3'": ["v2"] } }, /v3'|twin/],
  [{ clock: { node: "v3", ahead_ms: 86_400_001 } }, /86400000/],
  [{ loss: { chance: "2" } }, /chance|expected/],
  [{ govern: { to: ["v1"], validators: ["v1", "v2", "v3", "v9"] } }, /v9/],
  [{ govern: { to: ["v1"], validators: ["v1", "v2", "v3", "v4/3"] } }, /no validator of this network signs with v4\/3/],
];

test.each(REFUSED)("%j is refused, with words, and nothing happens", async (verb, why) => {
  const before = network.served.host.network.hash;
  expect(await network.call("/admin/step", verb)).toEqual({
    status: 422,
    body: { error_code: "admin_refused", message: expect.stringMatching(why) },
  });
  expect(network.served.host.network.hash).toBe(before);
});

describe("while clients talk to it", () => {
  test("a validator that crashed is down until it restarts, and knows then what it missed", async () => {
    await step({ crash: { node: "v2" } });
    expect((await network.call("/admin/status")).body["nodes"]).toContainEqual({
      ...{ node: "v2", running: false, epoch: null, checkpoint: null },
    });
    const { hash } = await network.pay("alice", "1000000");
    await advance(2_000);
    expect(await network.receipt(hash)).toBe(200);
    expect(isUp("v2")).toBe(false);
    await step({ restart: "v2" });
    await advance(5_000);
    expect(knows("v2", hash)).toBe(true);
  });

  test("one that was wiped signs again with a new key", async () => {
    const paid = async (): Promise<boolean> => {
      const { hash } = await network.pay("alice", "1");
      await advance(3_000);
      return (await network.receipt(hash)) === 200;
    };
    expect(await paid()).toBe(true);
    await step({ wipe: "v3" });
    await step({ restart: "v3" });
    await step({ crash: { node: "v2" } });
    expect(await paid()).toBe(false);
    await step({ restart: "v2" });
    await advance(20_000);
    await step({ govern: { to: ["v1"], epoch: 0, validators: ["v1", "v2", "v3/2", "v4"] } });
    await advance(5_000);
    const epochs = ["v1", "v2", "v3", "v4"].map((node) => network.served.host.network.ledgerOf(node)?.epoch);
    expect(epochs).toEqual([1, 1, 1, 1]);
    await step({ crash: { node: "v2" } });
    expect(await paid()).toBe(true);
    const refused = await network.call("/admin/step", { wipe: "v3" });
    expect(refused.body["message"]).toBe("wipe: v3 has signed with all of its keys, and would have none left");
  });
});

test.each(STEP_VERBS)(
  "says of any wrong value of %s what was expected in one phrase, and what it means behind it",
  async (verb) => {
    const any = fc.oneof(
      fc.constantFrom<unknown>(5, -1, false, null, "x y", [], [5], {}, { node: 5, from: 5, ms: [], chance: "x" }),
      // Names that would reach a prototype are refused before, as no JSON for this server.
      fc.jsonValue({ maxDepth: 1 }).filter((value) => !/"(__proto__|constructor)"/.test(JSON.stringify(value))),
    );
    await fc.assert(
      fc.asyncProperty(any, async (value) => {
        const { status, body } = await network.call("/admin/step", { [verb]: value });
        if (status === 200) return;
        expect([status, String(body["message"])]).toEqual([
          422,
          expect.not.stringMatching(/: [A-Z][a-z]+ |expected [A-Z]|Example/),
        ]);
      }),
      { numRuns: 25 },
    );
  },
);
