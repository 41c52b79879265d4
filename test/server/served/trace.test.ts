/** Goal: the trace of an operation tells where it went, who voted, what was decided, and which rule refused it (wire 1.5). */
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../../src/run/events/run-event.ts";
import { expectRefusal } from "./shapes.ts";
import { type Json, sharedNetwork } from "./support.ts";

interface Trace extends Json {
  readonly narrative: readonly string[];
  readonly events: readonly RunEvent[];
  readonly refusals: readonly Json[];
}

const net = sharedNetwork({}, "each");

const traceOf = (hash: string, node = "v1"): Promise<Trace> =>
  net.clientOf(node).get<Trace>("/v1/transactions/trace", { hash });

/** Posts a payment of an account to a validator, and returns its hash whatever the answer is. */
async function pay(from: string, to: string, value: string, node = "v1", nonce = 0): Promise<string> {
  const fields = { recipient: net.address(to), value, token: net.token() };
  return (await net.clientOf(node).post("payment", fields, net.key(from), { nonce })).hash;
}

/** Runs `work` while no virtual time passes, then lets it pass. */
async function atOnce<T>(work: () => Promise<T>): Promise<T> {
  await net.admin("rate", { rate: 0 });
  const result = await work();
  await net.admin("advance", { ms: 200 });
  await net.admin("rate", { rate: 1 });
  return result;
}

/** Validators that signed a statement for the operation itself, in the order of their names. */
function signersOf({ events }: Trace, statement: "vote" | "commit"): readonly string[] {
  const signed = events.flatMap((event) =>
    event.kind === "signed" && event.statement === statement && event.value.type === "operation" ? [event.party] : [],
  );
  return [...new Set(signed)].sort();
}

describe("the trace", () => {
  test("of a final payment has its votes by validator, its decision and its effect", async () => {
    const hash = await atOnce(() => pay("alice", "bob", "5"));
    const trace = await traceOf(hash);
    const head = { hash, transaction_type: "TokenTransfer", from: net.address("alice"), nonce: 0 };
    expect(trace).toMatchObject({ ...head, status: "final", success: true, refusals: [], complete: true });
    expect(signersOf(trace, "vote")).toEqual(["v1", "v2", "v3", "v4"]);
    expect(signersOf(trace, "commit").length).toBeGreaterThanOrEqual(3);
    const applied = trace.events.flatMap((event) => (event.kind === "applied" ? [event.party] : []));
    expect([...applied].sort()).toEqual(["v1", "v2", "v3", "v4"]);
    expect(trace.narrative[0]).toMatch(
      /^\d+ ms {2}the outside submits alice's payment 0 \(0x\w{8}…: to bob, token USDX, value 0\.000005\) to v1$/,
    );
    expect(trace.narrative[0]).toContain(`(${hash.slice(0, 10)}…: `);
    expect(trace.narrative.join("\n")).toMatch(/v1 votes for alice's payment 0 .* in slot 0 of alice/);
    expect(trace.narrative.at(-1)).toMatch(/^\d+ ms {2}.*v\d appl(y|ies) slot 0 of alice$/);
    expect(trace.narrative.join("\n")).toMatch(/decides alice's payment 0 .* \(commits of v\d, v\d and v\d/);
  });

  test("tells nothing of the other operations of the account", async () => {
    const [first, second] = await atOnce(async () => [
      await pay("frank", "bob", "5", "v1", 0),
      await pay("grace", "frank", "5", "v2", 0),
    ]);
    const trace = await traceOf(first as string);
    const operations = trace.events.flatMap((event) => (event.kind === "operation" ? [event.account] : []));
    expect(operations).toEqual(["frank"]);
    expect((await traceOf(second as string))["from"]).toBe(net.address("grace"));
  });

  test("of a payment that the balance does not cover has the rule that refused it", async () => {
    const hash = await pay("bob", "carol", String(10n ** 30n), "v2");
    expect(await traceOf(hash, "v2")).toMatchObject({
      hash,
      ...{ transaction_type: "TokenTransfer", from: net.address("bob"), nonce: 0 },
      ...{ status: "refused", error_code: "business_insufficient_funds", refused_by: "v2", events: [] },
      refusals: [
        {
          ...{ phase: "admission", node: "v2", error_code: "business_insufficient_funds" },
          ...{ rule: "the balance covers amount and fee", section: "specification 5.2" },
        },
      ],
      narrative: [expect.stringMatching(/^\d+ ms {2}v2 refuses it: .*balance/)],
    });
    await net.admin("reset", {});
    // A refusal that was undone never took place.
    expectRefusal(
      await net.clientOf("v2").request("GET", `/v1/transactions/trace?hash=${hash}`),
      404,
      "resource_transaction_not_found",
    );
    // Where it was not posted nobody knows of it.
    expectRefusal(
      await net.client.request("GET", `/v1/transactions/trace?hash=${hash}`),
      404,
      "resource_transaction_not_found",
    );
  });

  test("of a recovery that no network needs has the rule, too", async () => {
    const fields = { recipient: net.address("carol"), token: net.token() };
    const bodies = await Promise.all(
      ["1", "2"].map(async (value) => ({
        path: "/v1/transactions/payment",
        ...(await net.client.prepare("payment", { ...fields, value }, net.key("bob"), { nonce: 7 })),
      })),
    );
    const { hash, answer } = await net.client.recover(net.address("bob"), 7, bodies);
    expectRefusal(answer, 422, "business_nonce_gap");
    expect(await traceOf(hash)).toMatchObject({
      ...{ hash, transaction_type: "Recovery", from: net.address("bob"), nonce: 7, status: "refused" },
      refusals: [{ phase: "admission", node: "v1", error_code: "business_nonce_gap" }],
    });
  });

  test("of a cancelled payment names the cancellation, and the rule", async () => {
    const [paid, cancelled] = await atOnce(async () => {
      // Half of the validators hold it: it waits for a third vote until the cancellation overtakes it.
      await net.step({
        partition: [
          ["v1", "v2"],
          ["v3", "v4"],
        ],
      });
      const payment = await pay("carol", "bob", "5");
      await net.admin("advance", { ms: 100 });
      const { hash } = await net.client.post("cancellation", {}, net.key("carol"), { nonce: 0 });
      await net.admin("advance", { ms: 100 });
      await net.step({ heal: true });
      await net.admin("advance", { ms: 20_000 });
      return [payment, hash];
    });
    const trace = await traceOf(paid as string);
    expect(trace).toMatchObject({ status: "superseded", error_code: "business_superseded", superseded_by: cancelled });
    const rule = { rule: "the nonce was not skipped by cancellation or recovery", section: "specification 8.1" };
    expect(trace.refusals).toEqual([{ phase: "agreement", error_code: "business_superseded", ...rule }]);
    expect(signersOf(trace, "vote")).toEqual(expect.arrayContaining(["v1", "v2"]));
    const changes = trace.events.flatMap((event) =>
      event.kind === "signed" && event.statement === "roundChange" ? [event.party] : [],
    );
    expect(changes.length).toBeGreaterThanOrEqual(3);
    expect(trace.narrative.join("\n")).toMatch(/decides the skip by carol's cancellation 0/);
  });

  test("of two operations with one nonce has the votes for both, and which of them won", async () => {
    // Offers of v3 come late to the others that decide: else the votes may be split, and neither wins.
    expect(await net.admin("step", { delay: { from: ["v3"], to: ["v2", "v4"], ms: 300 } })).toMatchObject({
      status: 200,
    });
    const hashes = await atOnce(async () => [
      await pay("dave", "bob", "5", "v1"),
      await pay("dave", "carol", "6", "v3"),
    ]);
    await net.admin("advance", { ms: 20_000 });
    const traces = [await traceOf(hashes[0] as string), await traceOf(hashes[1] as string, "v3")];
    for (const trace of traces) {
      expect(trace.narrative.filter((line) => line.includes("the outside submits")).length).toBeGreaterThanOrEqual(1);
      const values = trace.events.flatMap((event) =>
        event.kind === "signed" && event.statement === "vote" && event.value.type === "operation"
          ? [event.value.operation]
          : [],
      );
      expect(new Set(values).size).toBe(2);
    }
    const [lost, won] = traces[0]?.["status"] === "final" ? [traces[1], traces[0]] : traces;
    expect(won).toMatchObject({ status: "final", success: true, refusals: [] });
    const rule = { rule: "no other operation was decided for the nonce", section: "specification 5.3" };
    expect(lost).toMatchObject({
      status: "superseded",
      superseded_by: won?.["hash"],
      refusals: [{ phase: "agreement", ...rule }],
    });
  });

  test.each([
    [`0x${"5a".repeat(32)}`, 404, "resource_transaction_not_found"],
    ["latest", 400, "validation_hash"],
    ["", 400, "validation_hash"],
  ])("of %s is refused with %i %s", async (hash, status, code) => {
    expectRefusal(await net.client.request("GET", `/v1/transactions/trace?hash=${hash}`), status, code);
  });
});
