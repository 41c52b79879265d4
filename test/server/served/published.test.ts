/**
 * Answers with published members alone, as the newest clients decode them (wire 6.4): decoders with closed members,
 * written from the lists of these clients. None is missing, and there is no other.
 */
import { beforeAll, expect, test } from "vitest";
import type { PublicKey } from "../../../src/core/base/ids.ts";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { startNetwork } from "../../../src/server/network/start-network.ts";
import { changedAnswers } from "../../../src/server/wire/answer-options.ts";
import { ReferenceClient } from "../client/reference-client.ts";
import { addressOf, publicKeyOf, signedBody } from "../client/signing.ts";
import { BOARD, boardBody, CREATION, signersOf } from "../told/board.ts";
import {
  addr,
  all,
  bool,
  byte,
  checkpointMembers,
  type Decoder,
  dec,
  digits,
  hash,
  hex,
  matching,
  nullOr,
  num,
  only,
  place,
  receiptMembers,
  shapesBy,
  str,
} from "./decoders.ts";
import { carryOutEveryKind } from "./every-kind.ts";
import { finalizedTextOf, untilListed, verdictOf } from "./proved.ts";
import { settle } from "./settle.ts";
import { type Json, sharedNetwork } from "./support.ts";

const word = (expected: string): Decoder => matching(expected, (value) => value === expected);
const { meta, signature: single, data: DATA, memo, info, batchInfo, batchEvent } = shapesBy(only);
const multi = only({ account: addr, signatures: all(only({ signer_pubkey: digits(66), signature: single })) });
const account = only({ balance: dec, nonce: num });
const token = only({
  ...{ symbol: str, master_authority: addr, master_mint_burn_authority: addr, supply: dec, decimals: byte, meta },
  ...{ mint_burn_authorities: all(only({ minter: addr, allowance: dec })), pause_authorities: all(addr) },
  ...{ list_authorities: all(addr), metadata_update_authorities: all(addr), bridge_mint_authorities: all(addr) },
  ...{ clawback_authorities: all(addr), black_list: all(addr), white_list: all(addr) },
  ...{ is_paused: bool, is_private: bool, clawback_enabled: bool },
});
const transaction: Decoder = (value) => {
  const { transaction_type: type, signature_type } = value as Json;
  return only(
    {
      ...{ hash, chain_id: num, from: addr, nonce: num, transaction_type: str, ...place },
      data: DATA[String(type)] ?? (() => `unknown type ${type}`),
      signature_type: str,
      signature: signature_type === "Multi" ? multi : single,
    },
    { memo, signature_scheme: word("domain_separated") },
  )(value);
};
const whereAny = { success_info: info, batch_info: batchInfo, execution_events: all(batchEvent) };
const receipt = only(receiptMembers, whereAny);
const aggregate = only({
  ...{ signer_bitmask: hex, signature: digits(96), validator_public_keys: all(digits(192)) },
});
const finalized = only(
  { ...receiptMembers, epoch: num, counter_signature: aggregate, fee: nullOr(dec), fee_bound: bool },
  whereAny,
);
const key = digits(66);
const epochAnswer = only({
  ...{ epoch_id: num, certificate_hash: hash },
  certificate: only({
    type: matching("type", (value) => value === "Genesis" || value === "Epoch"),
    proposal: only({
      message: only({
        ...{ epoch: only({ epoch_id: num }), chain: num, timestamp: num },
        special_accounts: only({
          ...{ operator_public_key: key, operator_address: addr },
          ...{ escrow_account_public_key: key, escrow_account_address: addr },
          ...{ pricing_authority_public_key: key, pricing_authority_address: addr },
        }),
        validator_set: only({
          members: all(only({ consensus_public_key: key, address: addr, peer_id: str, archive: bool })),
        }),
      }),
    }),
  }),
});
const fault = only({ error_code: str, message: str });

const answers = changedAnswers({ answers: "published" });
const net = sharedNetwork({ profile: "clients", "checkpoint-interval": "200" }, "each", { answers });
let client: ReferenceClient;
let hashes: readonly string[] = [];
let made = "";

beforeAll(async () => {
  ({ client } = net);
  const { hashes: ofEachKind, token: issued } = await carryOutEveryKind(net);
  made = issued;
  const created = await settle(client, "multisig", CREATION, net.key("dave"), { layout: "v2" });
  await settle(client, "mint", { recipient: BOARD, value: "9", token: made }, net.key("issuer"));
  const payment = { recipient: net.address("bob"), value: 4, token: made };
  const {
    path,
    body,
    hash: ofBoard,
  } = boardBody(false, { chain_id: await client.chainId(), nonce: 0 }, payment, signersOf(true));
  expect((await client.request("POST", path, body)).status).toBe(200);
  await client.receipt(ofBoard);
  hashes = [...ofEachKind, created.hash, ofBoard];
});

test("accounts and tokens have exactly the published members", async () => {
  for (const owner of [net.address("alice"), `0x${"5a".repeat(20)}`])
    expect(account(await client.tokenAccount(owner, made))).toBeUndefined();
  for (const one of [made, net.token()]) expect(token(await client.tokenMetadata(one))).toBeUndefined();
});

test("operations, receipts and finality have exactly the published members", async () => {
  expect(hashes.length).toBeGreaterThan(22);
  for (const one of hashes) {
    const shown = await client.transaction(one);
    const { transaction_type: type } = shown;
    expect([type, transaction(shown)]).toEqual([type, undefined]);
    expect([type, receipt(await client.receiptNow(one))]).toEqual([type, undefined]);
    expect([type, finalized(await client.finalized(one))]).toEqual([type, undefined]);
  }
});

test("checkpoints have exactly the published members, and so have their receipts", async () => {
  runToEnd(net.served.host.advance(10_000));
  const last = await client.checkpointNumber();
  expect(last).toBeGreaterThan(3);
  for (let number = 0; number <= last; number++) {
    const [short, full] = [false, true].map((isFull) => client.checkpointByNumber(number, isFull));
    expect(only({ ...checkpointMembers, transactions: all(hash) })(await short)).toBeUndefined();
    expect(only({ ...checkpointMembers, transactions: all(transaction) })(await full)).toBeUndefined();
    expect(all(receipt)(await client.checkpointReceipts(number))).toBeUndefined();
  }
});

test("success is told in the published words, and a failure has no success_info", async () => {
  const infoOf = async (hash: string) => (await client.receiptNow(hash))["success_info"] as Json;
  const pay = (value: string) =>
    settle(client, "payment", { recipient: net.address("bob"), value, token: made }, net.key("alice"));
  expect(await infoOf((await pay("1")).hash)).toMatchObject({ message: "payment success" });
  const operations = ["bob", "carol"].map((name) => ({ recipient: net.address(name), amount: "1" }));
  const batch = { token: made, operations, created_at: 1 };
  const settled = await settle(client, "batch", batch, net.key("alice"), { layout: "v2" });
  expect(await infoOf(settled.hash)).toMatchObject({ message: "batch payment success: 2 operations" });
  const role = { action: "Grant", authority_type: "Pause", authority_address: net.address("bob"), token: made };
  await settle(client, "authority", { ...role, value: "0" }, net.key("issuer"));
  // Both are admitted while the token is open, and the later one changes nothing.
  net.served.host.setRate(0);
  const pauses = await Promise.all([
    client.send("pause", { action: "Pause", token: made }, net.key("issuer")),
    net.clientOf("v2").send("pause", { action: "Pause", token: made }, net.key("bob")),
  ]);
  runToEnd(net.served.host.advance(2_000));
  net.served.host.setRate(1);
  const told = await Promise.all(pauses.map(({ hash }) => client.receiptNow(hash)));
  expect(told.map(({ success }) => success).sort()).toEqual([false, true]);
  for (const one of told) {
    expect(receipt(one)).toBeUndefined();
    expect(Object.hasOwn(one, "success_info")).toBe(one["success"]);
  }
});

test("ours is in headers, and behind members=all", async () => {
  const [one = ""] = hashes;
  const { headers } = await fetch(`${net.served.url}/v1/transactions/by_hash?hash=${one}`);
  expect(headers.get("x-transaction-status")).toBe("final");
  const complete = new ReferenceClient(net.served.url, { members: "all" });
  expect(await complete.transaction(one)).toMatchObject({ status: "final", success: true });
  expect(await complete.finalized(one)).toMatchObject({ error_code: null, certificate: { epoch: 0 }, to: null });
  expect(await complete.tokenMetadata(made)).toMatchObject({ burn_authorities: [net.address("issuer")] });
  const refused = await client.request("GET", `/v1/transactions/by_hash?hash=${one}&members=some`);
  expect(refused).toMatchObject({ status: 400, body: { error_code: "validation_query" } });
});

interface EpochAnswer {
  readonly certificate: { readonly type: string; readonly proposal: { readonly message: Json } };
}

/** Reads the certificate of an epoch from its BCS. */
function fromBcs(text: string): unknown {
  const bytes = Buffer.from(text.slice(2), "hex");
  let at = 0;
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const number = () => Number(take(8).readBigUInt64LE());
  const hexText = (length: number) => `0x${take(length).toString("hex")}`;
  const byte = () => take(1)[0] ?? Number.NaN;
  const owner = () => [hexText(byte()), hexText(20)];
  const type = byte() === 0 ? "Genesis" : "Epoch";
  const [epoch_id, chain, timestamp] = [number(), number(), number()];
  const [operator, escrow, pricing] = [owner(), owner(), owner()];
  const members = Array.from({ length: byte() }, () => {
    const [consensus_public_key, address] = owner();
    return { consensus_public_key, address, peer_id: String(take(byte())), archive: byte() === 1 };
  });
  expect(at).toBe(bytes.length);
  const special_accounts = {
    ...{ operator_public_key: operator[0], operator_address: operator[1] },
    ...{ escrow_account_public_key: escrow[0], escrow_account_address: escrow[1] },
    ...{ pricing_authority_public_key: pricing[0], pricing_authority_address: pricing[1] },
  };
  const message = { epoch: { epoch_id }, chain, timestamp, special_accounts, validator_set: { members } };
  return { type, proposal: { message } };
}

test("a bad body is told by the one published code, and by ours in a header", async () => {
  const fields = { chain_id: await client.chainId(), nonce: 0, recipient: net.address("bob"), token: made };
  const post = async (body: unknown, path = "/v1/transactions/payment") => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(`${net.served.url}${path}`, init);
    const told = (await answer.json()) as Json;
    expect(fault(told)).toBeUndefined();
    return [answer.status, told["error_code"], answer.headers.get("x-error-code")];
  };
  const { body } = signedBody("payment", { ...fields, value: String(2n ** 256n - 1n) }, net.key("dave"));
  const published = [400, "validation_invalid_param"];
  expect(await post({ ...body, value: String(2n ** 256n) })).toEqual([...published, "validation_amount"]);
  expect(await post({ ...body, nonce: -1 })).toEqual([...published, "validation_nonce"]);
  expect(await post({ ...body, recipient: "0x" })).toEqual([...published, "validation_address"]);
  const { signature: _, ...unsigned } = body;
  expect(await post(unsigned)).toEqual([...published, "validation_signature"]);
  // The largest amount is one, of which the account has not enough.
  expect((await post(body)).slice(0, 2)).toEqual([422, expect.stringMatching(/^business_/)]);
  const { body: other } = signedBody("payment", { ...fields, value: "1" }, net.key("dave"), { layout: "v2" });
  const untyped = { ...other, authorization: { ...(other["authorization"] as Json), type: "none" } };
  expect(await post(untyped, "/v2/transactions/payment")).toEqual([400, "UNSUPPORTED_AUTHORIZATION_TYPE", null]);
});

test("the aggregate of an answer proves that it is final, and no more", async () => {
  const hash = hashes.at(-1) ?? "";
  await untilListed(net, hash);
  const text = await finalizedTextOf(net, hash);
  const epoch = await (await fetch(`${net.served.url}/v1/governances/epoch/by_id?id=0&members=all`)).text();
  const { reason, covered, uncovered } = verdictOf(text, epoch);
  expect([reason, [...covered].sort()]).toEqual([
    undefined,
    ["counter_signature", "epoch", "fee", "fee_bound", "transaction_hash"],
  ]);
  expect(uncovered).toEqual(expect.arrayContaining(["success", "fee_used", "from", "checkpoint_hash"]));
  const answer = JSON.parse(text) as Json;
  const changes = [
    { fee: "1" },
    { fee_bound: false },
    { fee_bound: 0 },
    { epoch: 1 },
    { transaction_hash: `0x${"5a".repeat(32)}` },
  ];
  for (const change of [...changes, { fee: null }, { epoch: null }])
    expect(verdictOf(JSON.stringify({ ...answer, ...change }), epoch).reason).toMatch(/invalid|wrong epoch|malformed/);
});

test("the document says which members an answer has", async () => {
  const document = (await (await fetch(`${net.served.url}/openapi.json`)).json()) as {
    readonly components: { readonly schemas: Readonly<Record<string, { readonly required: readonly string[] }>> };
  };
  const { TransactionWithStatus, Receipt, TokenAccount } = document.components.schemas;
  expect(TokenAccount?.required).toEqual(["balance", "nonce"]);
  expect([...(Receipt?.required ?? [])].sort()).toEqual(Object.keys(receiptMembers).sort());
  expect(TransactionWithStatus?.required).not.toContain("status");
});

test("the operator's key can be given, and every epoch names it", async () => {
  const operatorKey = `0x${"5A".repeat(32)}`;
  await using started = await startNetwork({ operatorKey, accounts: 2 });
  const operator = started.account("operator");
  expect(operator).toMatchObject({ key: operatorKey.toLowerCase(), address: addressOf(operatorKey) });
  const { certificate } = (await new ReferenceClient(started.url).epoch()) as unknown as EpochAnswer;
  expect(certificate.proposal.message["special_accounts"]).toMatchObject({
    ...{ operator_address: addressOf(operatorKey), operator_public_key: publicKeyOf(operatorKey) },
  });
  const terms = { symbol: "OWN", name: "Own", decimals: 2, master_authority: operator.address, is_private: false };
  const sent = await new ReferenceClient(started.url).send("issue", terms, operatorKey);
  expect(await new ReferenceClient(started.url).receipt(sent.hash)).toMatchObject({ success: true });
});

test("the profile of clients has them, and any network by option", async () => {
  const keysOf = async (options: Parameters<typeof startNetwork>[0]) => {
    await using started = await startNetwork({ accounts: 1, ...options });
    const [owner, usdx] = [started.accounts[0]?.address, started.tokens[0]?.address];
    const path = `/v1/accounts/token_account?address=${owner}&token=${usdx}`;
    return Object.keys((await (await fetch(started.url + path)).json()) as Json).sort();
  };
  const complete = ["balance", "nonce", "token_account_address"];
  expect(await keysOf({ profile: "clients" })).toEqual(["balance", "nonce"]);
  expect(await keysOf({ answers: "published" })).toEqual(["balance", "nonce"]);
  expect(await keysOf({ profile: "clients", answers: "complete" })).toEqual(complete);
  expect(await keysOf({ profile: "clients", compat: ["go"] })).toEqual(complete);
  expect(await keysOf({})).toEqual(complete);
});

// The last test: it closes the epoch.
test("epochs have the members that the relayer reads, and the same in BCS", async () => {
  await net.admin("epoch", { validators: ["v2", "v1", "v4", "v3"] });
  for (const [id, type] of [
    [0, "Genesis"],
    [1, "Epoch"],
  ] as const) {
    const shown = await client.epochById(id);
    expect(epochAnswer(shown)).toBeUndefined();
    const { certificate } = shown as unknown as EpochAnswer;
    expect(certificate).toMatchObject({
      type,
      proposal: {
        message: {
          ...{ epoch: { epoch_id: id }, chain: 1212101 },
          special_accounts: {
            operator_address: net.address("operator"),
            operator_public_key: publicKeyOf(net.key("operator")),
          },
        },
      },
    });
    const encoded = await client.get("/v1/governances/epoch/by_id", { id, encoding: "bcs" });
    expect(Object.keys(encoded).sort()).toEqual(["certificate", "certificate_hash", "epoch_id"]);
    expect(fromBcs(String(encoded["certificate"]))).toEqual(certificate);
  }
  const now = (await client.epoch()) as unknown as EpochAnswer;
  const { timestamp, validator_set } = now.certificate.proposal.message as {
    readonly timestamp: number;
    readonly validator_set: { readonly members: readonly Json[] };
  };
  expect(Math.abs(timestamp - Date.now() / 1_000)).toBeLessThan(3_600);
  expect(validator_set.members.map(({ peer_id }) => peer_id)).toEqual(["v2", "v1", "v4", "v3"]);
  for (const { consensus_public_key, address } of validator_set.members)
    expect(secp256k1.addressOfPublic(consensus_public_key as PublicKey)).toBe(address);
  expect(await client.get("/v1/governances/epoch", { encoding: "json" })).toEqual(now);
});
