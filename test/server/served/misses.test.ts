/** Every refusal of a read, by table (specification 13; wire 2.3). */
import { describe, expect, test } from "vitest";
import { expectRefusal } from "./shapes.ts";
import { sharedNetwork } from "./support.ts";

const NOBODY = `0x${"5a".repeat(20)}`;
const NOTHING = `0x${"5a".repeat(32)}`;

const net = sharedNetwork();

const MISSES: readonly (readonly [path: string, status: number, code: string])[] = [
  [`/v1/tokens/token_metadata?token=${NOBODY}`, 404, "resource_token_not_found"],
  [`/v1/transactions/estimate_fee?from=${NOBODY}&value=1&token=${NOBODY}`, 404, "resource_token_not_found"],
  // holds: 89
  ["/v1/checkpoints/by_number?number=9999&full=true", 404, "resource_checkpoint_not_found"],
  ["/v1/checkpoints/receipts/by_number?number=9999", 404, "resource_checkpoint_not_found"],
  // holds: 89
  [`/v1/checkpoints/by_hash?hash=${NOTHING}&full=true`, 404, "resource_checkpoint_not_found"],
  [`/v1/transactions/by_hash?hash=${NOTHING}`, 404, "resource_transaction_not_found"],
  [`/v1/transactions/receipt/by_hash?hash=${NOTHING}`, 404, "resource_transaction_not_found"],
  [`/v1/transactions/finalized/by_hash?hash=${NOTHING}`, 404, "resource_transaction_not_found"],
  ["/v1/governances/epoch/by_id?id=1", 404, "resource_epoch_not_found"],
  [`/v1/pricing/plans/${NOBODY}`, 404, "resource_plan_not_found"],
  ["/v1/pricing/plans?token=USDX", 400, "validation_address"],
  ["/v1/tokens", 404, "resource_route_not_found"],
  ["/V1/chains/chain_id", 404, "resource_route_not_found"],
  ["/../../etc/passwd", 404, "resource_route_not_found"],
  ["/v1/transactions/payment", 405, "method_not_allowed"],
  ["/v2/transactions/payment", 405, "method_not_allowed"],
  ["/v2/any/thing", 404, "resource_route_not_found"],
  // holds: 98
  ["/v1/accounts/nonce", 400, "validation_address"],
  ["/v1/accounts/nonce?address=", 400, "validation_address"],
  [`/v1/accounts/nonce?address=${NOBODY}00`, 400, "validation_address"],
  [`/v1/accounts/nonce?address=${NOBODY}&address=${NOBODY}`, 400, "validation_address"],
  // holds: 97
  [`/v1/accounts/token_account?address=${NOBODY}`, 400, "validation_address"],
  ["/v1/tokens/token_metadata?token=USDX", 400, "validation_address"],
  // holds: 87
  ["/v1/checkpoints/by_number?number=1", 400, "validation_query"],
  // holds: 87
  ["/v1/checkpoints/by_number?full=true", 400, "validation_query"],
  // holds: 88
  [`/v1/checkpoints/by_hash?hash=${NOTHING}`, 400, "validation_query"],
  // holds: 88
  ["/v1/checkpoints/by_hash?full=true", 400, "validation_hash"],
  ["/v1/checkpoints/by_number?number=-1&full=true", 400, "validation_query"],
  ["/v1/checkpoints/by_number?number=1.0&full=true", 400, "validation_query"],
  ["/v1/checkpoints/by_number?number=1e0&full=true", 400, "validation_query"],
  // holds: 87
  ["/v1/checkpoints/by_number?number=1&full=yes", 400, "validation_query"],
  ["/v1/checkpoints/by_number?number=1&full=True", 400, "validation_query"],
  ["/v1/checkpoints/by_number?number=01&full=true", 400, "validation_query"],
  ["/v1/transactions/estimate_fee?value=1", 400, "validation_address"],
  [`/v1/checkpoints/by_hash?hash=${NOBODY}&full=true`, 400, "validation_hash"],
  // holds: 24
  ["/v1/transactions/by_hash?hash=latest", 400, "validation_hash"],
  ["/v1/transactions/receipt/by_hash", 400, "validation_hash"],
  [`/v1/transactions/estimate_fee?from=${NOBODY}`, 400, "validation_amount"],
  [`/v1/transactions/estimate_fee?from=${NOBODY}&value=-1`, 400, "validation_amount"],
  [`/v1/transactions/estimate_fee?from=${NOBODY}&value=1&to=you`, 400, "validation_address"],
  ["/v1/governances/epoch/by_id?id=x", 400, "validation_query"],
  ["/v1/chains/chain_id?min_receipt=soon", 400, "validation_hash"],
];

describe("a read of what is not there, or asked in a wrong way,", () => {
  // holds: 120, 123
  test.each(MISSES)("GET %s is %i %s", async (path, status, code) => {
    expectRefusal(await net.client.request("GET", path), status, code);
  });
});

describe("a read of a validator that is down", () => {
  // holds: 120
  test("is a mistake of the server, and of one that runs again none", async () => {
    await net.step({ crash: { node: "v1" } });
    const answer = await net.client.request("GET", `/v1/accounts/nonce?address=${NOBODY}`);
    expectRefusal(answer, 500, "system_service_unavailable");
    await net.step({ restart: "v1" });
    expect(await net.client.nonce(NOBODY)).toBe(0);
  });
});
