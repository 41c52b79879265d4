/** Every read of wire 1.1: its shape, and the values that matter. */
import { keccak_256 } from "@noble/hashes/sha3.js";
import { beforeAll, describe, expect, test } from "vitest";
import type { Shape } from "../../../src/schema/shape.ts";
import * as networkSchemas from "../../../src/server/wire/schemas/network.ts";
import * as tokenSchemas from "../../../src/server/wire/schemas/tokens.ts";
import { mintInfo } from "../../../src/server/wire/schemas/tokens.ts";
import * as transactions from "../../../src/server/wire/schemas/transactions.ts";
import { hexOf, raw } from "../client/rlp.ts";
import { type Settled, settle } from "./settle.ts";
import { expectShape } from "./shapes.ts";
import { type Json, sharedNetwork } from "./support.ts";

const NOBODY = `0x${"5a".repeat(20)}`;

const net = sharedNetwork({ "checkpoint-interval": "200" });
let paid: Settled;
let checkpointHash = "";
beforeAll(async () => {
  const payment = { recipient: net.address("bob"), value: "2500000", token: net.token() };
  paid = await settle(net.client, "payment", payment, net.key("alice"));
  await net.served.host.waitUntil(() => net.served.host.network.checkpointOf("v1") > 0, 20_000);
  checkpointHash = (await net.client.checkpointByNumber(1, false))["hash"] as string;
});

interface Row {
  readonly path: string;
  readonly schema: Shape<unknown>;
  readonly holds: () => Json | readonly Json[];
}

const by = (words: Readonly<Record<string, string>>): string => `?${new URLSearchParams(words)}`;

/** The paths are made when the tests run: they name what was paid. */
const ROWS: Readonly<Record<string, () => Row>> = {
  "R1 the chain id": () => ({
    path: "/v1/chains/chain_id",
    schema: networkSchemas.chainId,
    holds: () => ({ chain_id: 31_337 }),
  }),
  // holds: 49, 98
  "R2 the next nonce": () => ({
    path: `/v1/accounts/nonce${by({ address: net.address("alice") })}`,
    schema: tokenSchemas.nonceAnswer,
    holds: () => ({ nonce: 1 }),
  }),
  // holds: 49, 98
  "R2 of an account that nobody used": () => ({
    path: `/v1/accounts/nonce${by({ address: NOBODY })}`,
    schema: tokenSchemas.nonceAnswer,
    holds: () => ({ nonce: 0 }),
  }),
  // holds: 50
  "R3 the bridge nonce": () => ({
    path: `/v1/accounts/bbnonce${by({ address: net.address("alice") })}`,
    schema: tokenSchemas.bbnonceAnswer,
    holds: () => ({ bbnonce: 0 }),
  }),
  // holds: 2, 25, 47, 97
  "R4 a holding, less the payment and its fee": () => ({
    path: `/v1/accounts/token_account${by({ address: net.address("alice"), token: net.token() })}`,
    schema: tokenSchemas.tokenAccount,
    holds: () => ({
      balance: String(1_000_000_000_000n - 2_500_000n - 10_000n),
      nonce: 1,
      token_account_address: tokenAccountOf(net.address("alice"), net.token()),
    }),
  }),
  "R4 of a pair that nobody used": () => ({
    path: `/v1/accounts/token_account${by({ address: NOBODY, token: net.token() })}`,
    schema: tokenSchemas.tokenAccount,
    holds: () => ({ balance: "0", nonce: 0 }),
  }),
  // holds: 104
  "R22 the holdings of an account": () => ({
    path: `/v1/accounts/token_accounts${by({ address: net.address("alice"), min_receipt: paid.hash })}`,
    schema: tokenSchemas.tokenAccountList,
    holds: () => [
      {
        token: net.token(),
        balance: String(1_000_000_000_000n - 2_500_000n - 10_000n),
        nonce: 1,
        token_account_address: tokenAccountOf(net.address("alice"), net.token()),
      },
    ],
  }),
  "R22 of an account that nobody used": () => ({
    path: `/v1/accounts/token_accounts${by({ address: NOBODY })}`,
    schema: tokenSchemas.tokenAccountList,
    holds: () => [],
  }),
  // holds: 41, 103
  "R5 a token": () => ({
    path: `/v1/tokens/token_metadata${by({ token: net.token() })}`,
    schema: mintInfo,
    holds: () => ({ symbol: "USDX", decimals: 6, is_paused: false, master_authority: net.address("issuer") }),
  }),
  // holds: 27
  "R6 the last checkpoint's number": () => ({
    path: "/v1/checkpoints/number",
    schema: networkSchemas.checkpointNumber,
    holds: () => ({ number: net.served.host.network.checkpointOf("v1") }),
  }),
  // holds: 28, 31, 87
  "R7 a checkpoint by number": () => ({
    path: `/v1/checkpoints/by_number${by({ number: "1", full: "false" })}`,
    schema: networkSchemas.checkpoint,
    holds: () => ({ number: 1, hash: checkpointHash, transactions: [paid.hash] }),
  }),
  // holds: 32, 87
  "R7 the whole of it": () => ({
    path: `/v1/checkpoints/by_number${by({ full: "true", number: "1" })}`,
    schema: networkSchemas.checkpoint,
    holds: () => ({ transactions: [{ hash: paid.hash, checkpoint_number: 1, transaction_index: 0 }] }),
  }),
  // holds: 27
  "R7 the genesis": () => ({
    path: `/v1/checkpoints/by_number${by({ number: "0", full: "true" })}`,
    schema: networkSchemas.checkpoint,
    holds: () => ({ number: 0, transactions: [] }),
  }),
  // holds: 88
  "R8 a checkpoint by hash": () => ({
    path: `/v1/checkpoints/by_hash${by({ hash: checkpointHash, full: "true" })}`,
    schema: networkSchemas.checkpoint,
    holds: () => ({ number: 1, hash: checkpointHash, transactions: [{ hash: paid.hash }] }),
  }),
  "R9 a checkpoint's receipts": () => ({
    path: `/v1/checkpoints/receipts/by_number${by({ number: "1" })}`,
    schema: transactions.receiptList,
    holds: () => [{ transaction_hash: paid.hash, checkpoint_hash: checkpointHash, fee_used: "10000" }],
  }),
  // holds: 91
  "R10 a transaction": () => ({
    path: `/v1/transactions/by_hash${by({ hash: paid.hash.toUpperCase().replace("0X", "0x") })}`,
    schema: transactions.transaction,
    holds: () => ({
      hash: paid.hash,
      status: "final",
      from: net.address("alice"),
      nonce: 0,
      transaction_type: "TokenTransfer",
      data: { recipient: net.address("bob"), to: net.address("bob"), token: net.token(), value: "2500000" },
      signature: paid.body["signature"],
    }),
  }),
  // holds: 51, 82, 92, 96
  "R11 a receipt": () => ({
    path: `/v1/transactions/receipt/by_hash${by({ hash: paid.hash })}`,
    schema: transactions.receipt,
    holds: () => ({
      success: true,
      transaction_hash: paid.hash,
      fee_used: "10000",
      recipient: net.address("bob"),
      to: net.address("bob"),
      token_address: net.token(),
      success_info: { sender: net.address("alice"), receiver: net.address("bob"), is_private: false },
    }),
  }),
  // holds: 93
  "R12 a finalized transaction": () => ({
    path: `/v1/transactions/finalized/by_hash${by({ hash: paid.hash })}`,
    schema: transactions.finalized,
    holds: () => ({
      success: true,
      epoch: 0,
      certificate: { chain_id: 31_337, epoch: 0, round: 0, slot: { kind: "account", number: 0 } },
    }),
  }),
  // holds: 15, 48, 94
  "R13 a fee": () => ({
    path: `/v1/transactions/estimate_fee${by({ from: NOBODY, value: "1", token: net.token(), to: NOBODY })}`,
    schema: transactions.feeAnswer,
    holds: () => ({ fee: "10000" }),
  }),
  "R13 without a token, where all have one fee": () => ({
    path: `/v1/transactions/estimate_fee${by({ from: NOBODY, value: "1" })}`,
    schema: transactions.feeAnswer,
    holds: () => ({ fee: "10000" }),
  }),
  "R15 the epoch": () => ({
    path: "/v1/governances/epoch",
    schema: networkSchemas.epoch,
    holds: () => ({ epoch_id: 0, certificate: { type: "Genesis", proposal: { epoch: 0 }, chain_id: 31_337 } }),
  }),
  "R16 an epoch by its number": () => ({
    path: `/v1/governances/epoch/by_id${by({ id: "0" })}`,
    schema: networkSchemas.epoch,
    holds: () => ({ epoch_id: 0 }),
  }),
  "R17 epoch and checkpoint": () => ({
    path: "/v1/states/latest_epoch_checkpoint",
    schema: networkSchemas.latestEpochCheckpoint,
    holds: () => ({ epoch: 0, checkpoint: net.served.host.network.checkpointOf("v1") }),
  }),
  "R18 the status": () => ({
    path: "/api/status",
    schema: networkSchemas.nativeStatus,
    holds: () => ({ native_write_mode: "dual", read_only: false }),
  }),
};

/** The last 20 bytes of the hash over account and token (wire 3.6). */
function tokenAccountOf(account: string, token: string): string {
  return hexOf(keccak_256(raw(account + token.slice(2))).slice(12));
}

// holds: 114
describe("a read", () => {
  test.each(Object.entries(ROWS))("%s", async (_name, row) => {
    const { path, schema, holds } = row();
    const answer = await net.client.request("GET", path);
    expect(answer).toMatchObject({ status: 200, body: holds() });
    expectShape(schema, answer.body);
  });

  test("R14 the fee of a batch, by POST", async () => {
    const body = { from: NOBODY, token: net.token(), operations: [{ recipient: NOBODY, amount: "5" }] };
    const answer = await net.client.request("POST", "/v1/transactions/batch_payment/estimate_fee", body);
    expect(answer).toMatchObject({ status: 200, body: { fee: "10000" } });
  });

  test("R19 health, as text", async () => {
    expect(await net.client.health()).toBe("UP");
  });

  // holds: 114, 115
  test("asks for no credential in a header, and one that is sent changes nothing", async () => {
    const path = `/v1/accounts/token_account?address=${NOBODY}&token=${net.token()}`;
    const headers = { authorization: "Bearer nobody", cookie: "session=1", "x-api-key": "1" };
    const bare = await net.client.request("GET", path);
    expect(bare.status).toBe(200);
    expect(await net.client.request("GET", path, undefined, headers)).toEqual(bare);
  });
});

// holds: 8, 90
test("a client that follows the checkpoints finds the operations of its address, each once", async () => {
  const address = net.address("grace");
  let number = (await net.client.checkpointNumber()) + 1;
  const fields = { recipient: address, value: "1", token: net.token() };
  const sent = [net.key("heidi"), net.key("frank")].map((key) => settle(net.client, "payment", fields, key));
  const hashes = (await Promise.all(sent)).map(({ hash }) => hash);
  const found: unknown[] = [];
  for (; found.length < hashes.length; number++) {
    await expect.poll(() => net.client.checkpointNumber()).toBeGreaterThanOrEqual(number);
    const { transactions: listed } = await net.client.checkpointByNumber(number, true);
    for (const { hash, from, data } of listed as readonly Json[])
      if (from === address || (data as Json)["recipient"] === address) found.push(hash);
  }
  expect(found.toSorted()).toEqual(hashes.toSorted());
});
