import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requireDefined } from "../../../src/core/base/assert.ts";
import type { Epoch, Hash } from "../../../src/core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../../src/core/base/operation.ts";
import { genesisState } from "../../../src/core/ledger/genesis-state.ts";
import { OPERATION_KINDS } from "../../../src/core/ledger/operations/kinds.ts";
import type { OperationStatus } from "../../../src/live/archive.ts";
import { address } from "../../core/ledger/support/operations.ts";
import { amount, COIN, genesisOf, genesisToken } from "../../core/ledger/support/world.ts";
import { ALICE, BOB, PAYMENT, paymentBody, serve, sharedServer } from "./support/client.ts";

const served = sharedServer({ limits: { minReceiptMs: 40 } });
beforeEach(() => {
  served.host.answer = { status: "pending" };
});

/** The hash of an admitted payment, and its id. */
async function paid(nonce: number): Promise<{ readonly hash: Hash; readonly copy: SignedOperation }> {
  served.host.judge = () => undefined;
  const answer = await served.post(PAYMENT, paymentBody({ nonce }));
  served.host.judge = undefined;
  expect(answer.status).toBe(200);
  return { hash: answer.json["hash"] as Hash, copy: served.host.submitted.at(-1) as SignedOperation };
}

function idOf(hash: Hash): Hash {
  return requireDefined(served.host.network.archive.find(hash), hash).id;
}

describe("reads of the ledger", () => {
  test.each([
    ["/v1/chain_id", { chain_id: 1212101 }],
    ["/v1/pricing/plans", { sender: null, recipient: null, token: null }],
    [
      `/v1/pricing/plans?sender=${ALICE}&recipient=${BOB}&token=${COIN}`,
      { sender: null, recipient: null, token: null },
    ],
    [`/v1/accounts/nonce?address=0xF39fd6e51aad88f6f4ce6ab8827279cfffb92266`, { nonce: 0, pending_nonce: 0 }],
    [`/v1/transactions/estimate_fee?from=${ALICE}&value=1&token=${COIN}`, { fee: "2" }],
    [`/v1/transactions/estimate_fee?from=${ALICE}&value=1&token=0x${"0".repeat(40)}`, { fee: "2" }],
  ])("answer %s", async (path, expected) => {
    const answer = await served.get(path);
    expect([answer.status, answer.json]).toEqual([200, expected]);
  });

  test("list the holdings of an account as single reads show them, page by page", async () => {
    const paged = await serve({ limits: { tokenAccounts: 2 } });
    const tokens = [1, 2, 3, 4, 5].map((number) => address(0xa0 + number));
    const anyBalances = fc.array(fc.tuple(fc.constantFrom(ALICE, BOB), fc.constantFrom(...tokens), fc.nat(3)));
    await fc.assert(
      fc.asyncProperty(anyBalances, async (drawn) => {
        const held = new Map(
          drawn.map(([holder, token, value]) => [holder + token, { address: holder, token, value }]),
        );
        const balances = [...held.values()].map(({ value, ...one }) => ({ ...one, amount: amount(value) }));
        paged.host.ledger = genesisState(genesisOf({ tokens: tokens.map((token) => genesisToken(token)), balances }));
        for (const holder of [ALICE, BOB]) {
          const path = `/v1/accounts/token_accounts?address=${holder}`;
          const listed: { readonly token: string }[] = [];
          for (let after = ""; ; after = `&after=${listed.at(-1)?.token.toUpperCase().replace("X", "x")}`) {
            const page = JSON.parse((await paged.get(path + after)).text) as typeof listed;
            listed.push(...page);
            if (page.length < 2) break;
          }
          const single = await Promise.all(
            tokens.map(async (token) => {
              const { json } = await paged.get(`/v1/accounts/token_account?address=${holder}&token=${token}`);
              return { ...json, token };
            }),
          );
          expect(listed).toEqual(single.filter((one) => (one as { balance?: string }).balance !== "0"));
        }
      }),
      { numRuns: 20 },
    );
    await paged.app.close();
  });

  test("give the fee of a batch as that of one payment", async () => {
    const body = {
      from: ALICE,
      token: COIN,
      operations: [
        { recipient: BOB, amount: "1" },
        { recipient: BOB, amount: 2 },
      ],
    };
    const path = "/v1/transactions/batch_payment/estimate_fee";
    expect((await served.post(path, body)).json).toEqual({ fee: "2" });
    expect((await served.post(path, { ...body, operations: [] })).status).toBe(400);
    expect((await served.post(path, { ...body, token: BOB })).status).toBe(404);
  });

  // holds: 89
  test("show nothing of a validator that is down", async () => {
    const { ledger } = served.host;
    served.host.ledger = undefined;
    for (const path of ["/v1/chains/chain_id", "/v1/checkpoints/number", "/api/status", "/api/health"]) {
      const answer = await served.get(path);
      expect([answer.status, answer.json["error_code"]]).toEqual([500, "system_service_unavailable"]);
    }
    served.host.ledger = ledger;
  });
});

describe("an operation", () => {
  // holds: 91, 92, 93, 96
  test("is found at once, and has a receipt only when this validator has applied it", async () => {
    const { hash } = await paid(0);
    expect((await served.get(`/v1/transactions/by_hash?hash=${hash}`)).json).toMatchObject({
      hash,
      from: ALICE,
      transaction_type: "TokenTransfer",
      status: "pending",
    });
    served.host.bar = { code: "business_token_paused", token: COIN };
    expect((await served.get(`/v1/transactions/by_hash?hash=${hash}`)).json).toMatchObject({
      status: "pending",
      barred_by: "business_token_paused",
    });
    served.host.bar = undefined;
    for (const kind of ["receipt", "finalized"]) {
      const miss = await served.get(`/v1/transactions/${kind}/by_hash?hash=${hash}`);
      expect([miss.status, miss.json["error_code"]]).toEqual([404, "resource_transaction_not_found"]);
      expect(miss.headers.get("x-transaction-status")).toBe("pending");
    }
    served.host.finish(idOf(hash), false);
    const elsewhere = await served.get(`/v1/transactions/receipt/by_hash?hash=${hash}`);
    expect([elsewhere.status, elsewhere.json["message"]]).toEqual([
      404,
      expect.stringContaining("final elsewhere, and not yet applied by v1"),
    ]);
    expect((await served.get(`/v1/transactions/by_hash?hash=${hash}`)).json).toMatchObject({ status: "pending" });
    served.host.finish(idOf(hash));
    const receipt = await served.get(`/v1/transactions/receipt/by_hash?hash=${hash.toUpperCase().replace("X", "x")}`);
    expect(receipt.json).toMatchObject({ success: true, transaction_hash: hash, fee_used: "2", checkpoint_hash: null });
    expect((await served.get(`/v1/transactions/by_hash?hash=${hash}`)).json).toMatchObject({
      status: "final",
      success: true,
    });
  });

  test.each<[string, OperationStatus, string, object]>([
    [
      "superseded",
      { status: "superseded", by: `0x${"12".repeat(32)}` as OperationId },
      "business_superseded",
      { error_code: "business_superseded" },
    ],
    ["void", { status: "void", epoch: 3 as Epoch }, "business_epoch_closed", { error_code: "business_epoch_closed" }],
    [
      "refused",
      { status: "refused", code: "resource_token_not_found", node: "v2" },
      "resource_token_not_found",
      { error_code: "resource_token_not_found", refused_by: "v2" },
    ],
  ])("that is over ends the polling with a code: %s", async (status, progress, code, members) => {
    const { hash } = await paid(6);
    served.host.mark(idOf(hash), progress);
    const answer = await served.get(`/v1/transactions/by_hash?hash=${hash}`);
    expect([answer.status, answer.json]).toEqual([200, expect.objectContaining({ status, ...members })]);
    for (const path of [
      `/v1/transactions/receipt/by_hash?hash=${hash}`,
      `/v1/transactions/finalized/by_hash?hash=${hash}`,
      `/v1/chains/chain_id?min_receipt=${hash}`,
    ]) {
      const miss = await served.get(path);
      expect([miss.status, miss.json["error_code"], miss.headers.get("x-transaction-status")]).toEqual([
        422,
        code,
        status,
      ]);
    }
  });

  test("that nobody knows is told apart from a pending one", async () => {
    const miss = await served.get(`/v1/transactions/receipt/by_hash?hash=0x${"77".repeat(32)}`);
    expect([miss.status, miss.json["error_code"], miss.headers.get("x-transaction-status")]).toEqual([
      404,
      "resource_transaction_not_found",
      "unknown",
    ]);
  });
});

describe("a read that names an operation", () => {
  const path = "/v1/chains/chain_id?min_receipt=";

  test("is not made where that takes too long", async () => {
    const late = await served.get(`${path}0x${"cd".repeat(32)}`);
    expect([late.status, late.json["error_code"]]).toEqual([408, "request_timeout"]);
    expect(late.json["message"]).toContain("the read was not made");
    expect((await served.get("/metrics")).text).toContain("\nquorumlab_requests_waiting 0\n");
  });
});

test("an estimate without a token asks for one where tokens have different fees", async () => {
  const genesis = genesisOf({
    tokens: [genesisToken(COIN, {}), genesisToken(BOB, {})],
    balances: [],
    fees: {
      default: { payment: amount(2), cancellation: amount(3), recovery: amount(3) },
      tokens: new Map([[COIN, { payment: amount(5), cancellation: amount(6), recovery: amount(7) }]]),
    },
  });
  const other = await serve({}, genesis);
  const path = `/v1/transactions/estimate_fee?from=${ALICE}&value=1`;
  const answer = await other.get(path);
  expect([answer.status, answer.json["error_code"]]).toEqual([400, "validation_query"]);
  expect((await other.get(`${path}&token=${COIN}`)).json).toEqual({ fee: "5" });
  const most: Readonly<Record<string, string>> = { payment: "5", batch: "5", cancellation: "6", recovery: "7" };
  for (const kind of ["recovery", ...OPERATION_KINDS]) {
    const asked = await other.get(`${path}&token=${COIN}&kind=${kind}`);
    expect([kind, asked.json]).toEqual([kind, { fee: most[kind] ?? "0" }]);
    const unasked = await other.get(`${path}&kind=${kind}`);
    expect([kind, unasked.status]).toEqual([kind, kind in most ? 400 : 200]);
  }
  expect((await other.get(`${path}&token=${ALICE}&kind=issue`)).json).toEqual({ fee: "0" });
  expect((await other.get(`${path}&token=${ALICE}&kind=mint`)).status).toBe(404);
  expect((await other.get(`${path}&kind=lottery`)).json["message"]).toMatch(
    /query.kind: expected .*payment.* got "lottery"/,
  );
  await other.app.close();
});

describe("a trace", () => {
  afterEach(() => {
    served.host.traced = [];
  });

  test("of a network with too many events has the status, and says that it is not complete", async () => {
    const { hash } = await paid(20);
    served.host.traced = undefined;
    expect((await served.get(`/v1/transactions/trace?hash=${hash}`)).json).toMatchObject({
      ...{ hash, status: "pending", nonce: 20, complete: false, narrative: [], events: [] },
    });
  });

  test("waits for its turn, and for no more than some others", async () => {
    const { hash } = await paid(21);
    served.host.traced = "busy";
    const answer = await served.get(`/v1/transactions/trace?hash=${hash}`);
    expect([answer.status, answer.json["error_code"]]).toEqual([429, "rate_limit_exceeded"]);
  });
});
