import { beforeEach, describe, expect, test } from "vitest";
import { administered, SPARES, sharedAdministered } from "./support.ts";

const network = sharedAdministered({ scenario: { file: "spares.yaml", text: SPARES } });
beforeEach(() => network.served.host.reset());

const advance = (ms: number): Promise<unknown> => network.done("/admin/advance", { ms });

describe("a checkpoint now", () => {
  test("lists what was final before it", async () => {
    const { hash } = await network.pay("alice", "1000000");
    await advance(500);
    expect(await network.done("/admin/checkpoint")).toBe(1);
    expect(await network.client.checkpointNumber()).toBe(1);
    const receipts = await network.client.checkpointReceipts(1);
    expect(receipts).toHaveLength(1);
    expect(receipts[0]).toEqual(await network.client.receiptNow(hash));
  });

  test("is refused at once where there is no operation to list, and is formed where it may be empty", async () => {
    const answer = await network.call("/admin/checkpoint", {});
    expect(answer).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/^checkpoint 1 has no operation/) },
    });
    expect(network.served.host.network.now).toBe(0);
    const open = await administered({ "empty-checkpoints": true });
    expect(await open.done("/admin/checkpoint")).toBe(1);
    await open.stop();
  });

  test("says which faults are in force where too few validators form one", async () => {
    await network.pay("alice", "1");
    await advance(100);
    for (const node of ["v2", "v3"]) await network.done("/admin/step", { crash: { node } });
    const { body } = await network.call("/admin/checkpoint", {});
    expect(body["message"]).toMatch(
      /^checkpoint 1 is not final after \d+ virtual milliseconds: v2 is down; v3 is down$/,
    );
  });

  test("is refused where nobody runs", async () => {
    for (const node of ["v1", "v2", "v3", "v4", "v5", "v4'"]) await network.done("/admin/step", { crash: { node } });
    for (const path of ["/admin/checkpoint", "/admin/epoch"])
      expect(await network.call(path, {})).toMatchObject({ status: 422, body: { message: "no validator runs" } });
  });

  test("is refused in a network that forms none", async () => {
    const without = await administered({ "checkpoint-interval": "0" });
    expect((await without.call("/admin/checkpoint", {})).body["message"]).toMatch(/forms no checkpoints/);
    await without.stop();
  });
});

describe("an epoch now", () => {
  test("begins with the requested committee and fees, and payments go on", async () => {
    const rows = { payment: "0.5", cancellation: "1", recovery: "1" };
    const change = { validators: ["v1", "v2", "v3", "v5"], fees: { ...rows, tokens: { USDX: rows } } };
    expect(await network.done("/admin/epoch", change)).toBe(1);
    await advance(5_000);
    const nodes = (await network.call("/admin/status")).body["nodes"] as readonly { node: string; epoch: number }[];
    expect(nodes.find(({ node }) => node === "v5")).toMatchObject({ epoch: 1 });
    const epoch = (await network.client.epochById(1)) as { certificate: { validators: readonly unknown[] } };
    const earlier = (await network.client.epochById(0)) as { certificate: { validators: readonly unknown[] } };
    expect(epoch.certificate.validators.slice(0, 3)).toEqual(earlier.certificate.validators.slice(0, 3));
    expect(epoch.certificate.validators[3]).not.toEqual(earlier.certificate.validators[3]);
    const { hash } = await network.pay("alice", "1000000");
    await advance(2_000);
    expect(await network.client.receiptNow(hash)).toMatchObject({ success: true, fee_used: "500000" });
    expect((await network.call("/admin/status")).body["violations"]).toEqual([]);
  });

  test("follows another one, and what was not named stays", async () => {
    expect(await network.done("/admin/epoch", { validators: ["v1", "v2", "v3", "v5"] })).toBe(1);
    await advance(2_000);
    expect(await network.done("/admin/epoch", {})).toBe(2);
    await advance(2_000);
    const [first, second] = [await network.client.epochById(1), await network.client.epochById(2)] as {
      certificate: { validators: readonly unknown[] };
    }[];
    expect(second?.certificate.validators).toEqual(first?.certificate.validators);
  });

  test("keeps the fees that it does not name, as the last one that named them or the genesis has them", async () => {
    const fees = async (epoch: number): Promise<unknown> => {
      await advance(2_000);
      const steps = (await network.recording()).split("\n").filter((line) => line.includes('"govern"'));
      const { input } = JSON.parse(steps.at(-1) ?? "") as { input: { step: { govern: { fees: object } } } };
      expect(network.served.host.network.ledgerOf("v1")?.epoch).toBe(epoch);
      return input.step.govern.fees;
    };
    await network.done("/admin/epoch", { fees: { payment: "0.02", cancellation: "0.2", recovery: "0.3" } });
    expect(await fees(1)).toEqual({ payment: "0.02", cancellation: "0.2", recovery: "0.3" });
    await network.done("/admin/epoch", { fees: { payment: "0.04" } });
    expect(await fees(2)).toMatchObject({ payment: "0.04", cancellation: "0.2", recovery: "0.3" });
    const { hash } = await network.pay("alice", "1000000");
    await advance(2_000);
    expect(await network.client.receiptNow(hash)).toMatchObject({ success: true, fee_used: "40000" });
  });

  test("changes one fee of every token that the genesis names", async () => {
    await network.done("/admin/epoch", { fees: { payment: "0.005" } });
    await advance(2_000);
    const { hash } = await network.pay("alice", "1000000");
    await advance(2_000);
    expect(await network.client.receiptNow(hash)).toMatchObject({ success: true, fee_used: "5000" });
  });

  test("is refused for what no epoch can begin with", async () => {
    const words: readonly (readonly [object, RegExp])[] = [
      [{ to: ["v1"] }, /`to` and `epoch` cannot be chosen here/],
      [{ epoch: 3 }, /`to` and `epoch` cannot be chosen here/],
      [{ validators: ["v1", "v9"] }, /v9/],
      [{ validators: ["v1", "v2", "v3", "v4/3"] }, /no validator of this network signs with v4\/3/],
      [{ validators: [] }, /./],
      [{ fees: { payment: "1", cancellation: "1", recovery: "1" } }, /cancellation|more than/],
      [{ strange: 1 }, /unknown key "strange"/],
    ];
    for (const [change, why] of words) {
      const answer = await network.call("/admin/epoch", change);
      expect([change, answer.status]).toEqual([change, 422]);
      expect(answer.body["message"]).toMatch(why);
    }
  });

  test("is refused where too few validators run", async () => {
    for (const node of ["v2", "v3"]) await network.done("/admin/step", { crash: { node } });
    const answer = await network.call("/admin/epoch", {});
    expect(answer.body["message"]).toMatch(/epoch 0 is not over .* too few validators/);
  });
});
