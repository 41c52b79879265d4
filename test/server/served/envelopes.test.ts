/** Operations of version 1 by multisig accounts, posted as envelopes (wire 1.2, W16; 3.3), by a client of its own. */
import { keccak_256 } from "@noble/hashes/sha3.js";
import { expect, test } from "vitest";
import { type Fields, type Kind, signedItem } from "../client/layouts.ts";
import type { Answer } from "../client/reference-client.ts";
import { hexOf, raw, rlp } from "../client/rlp.ts";
import { publicKeyOf, sign, signedBody, spelled } from "../client/signing.ts";
import { BOARD, CREATION, signersOf } from "../told/board.ts";
import { expectProved, untilListed } from "./proved.ts";
import { SWIFT, settle } from "./settle.ts";
import { expectRefusal } from "./shapes.ts";
import { type Json, sharedNetwork } from "./support.ts";

const RAW = "/v1/transactions/raw";
const net = sharedNetwork({ profile: "clients", "checkpoint-interval": "200" }, "each");

/** As the client writes it: amounts in hex, each signature over the list and the account behind it. */
async function enveloped<K extends Kind>(
  kind: K,
  fields: Fields[K],
  {
    nonce,
    keys,
    account = BOARD,
  }: { readonly nonce: number; readonly keys: readonly string[]; readonly account?: string },
): Promise<{ readonly signed: Json; readonly hash: string }> {
  const payload = { chain_id: await net.client.chainId(), nonce, ...fields };
  const list = rlp(signedItem(kind, payload, "client"));
  const digest = hexOf(keccak_256(Uint8Array.from([...list, ...raw(account)])));
  const entries = keys
    .map((key) => ({ signer_pubkey: publicKeyOf(key), signed: sign(key, digest) }))
    .sort((a, b) => (a.signer_pubkey < b.signer_pubkey ? -1 : 1));
  const proofs = entries.flatMap(({ signed: { r, s, v } }) => [...word(r), ...word(s), v]);
  const signatures = entries.map(({ signer_pubkey, signed }) => ({
    signer_pubkey,
    signature: spelled(signed, "rust"),
  }));
  const amounts = Object.entries(payload).map(([name, value]) =>
    name === "value" ? [name, `0x${BigInt(String(value)).toString(16)}`] : [name, value],
  );
  return {
    signed: { payload: Object.fromEntries(amounts), signature: { Multi: { account, signatures } } },
    hash: hexOf(keccak_256(Uint8Array.from([...list, ...proofs]))),
  };
}

function word(value: bigint): Uint8Array {
  return raw(`0x${value.toString(16).padStart(64, "0")}`);
}

function post(body: unknown): Promise<Answer> {
  return net.client.request("POST", RAW, body);
}

async function expectFinal(hash: string): Promise<Json> {
  const receipt = await net.client.receipt(hash, SWIFT);
  expect(receipt).toMatchObject({ success: true });
  return receipt;
}

test("an account is created, pays, issues and mints by envelopes, and each answer is proved", async () => {
  const { client } = net;
  const unsigned = { chain_id: await client.chainId(), nonce: 0, ...CREATION };
  const { body, hash: creation } = signedBody("multisig", unsigned, net.key("dave"));
  const { signature, ...payload } = body;
  expect(await post({ CreateMultiSig: { payload, signature: { Single: signature } } })).toMatchObject({
    ...{ status: 200, body: { hash: creation } },
  });
  await expectFinal(creation);
  const shown = await client.transaction(creation);
  expect(shown).toMatchObject({ transaction_type: "CreateMultiSig", signature_scheme: "legacy_native" });
  expect(shown["data"]).toMatchObject({ multisig_address: BOARD });

  await settle(client, "mint", { recipient: BOARD, value: "900", token: net.token() }, net.key("issuer"));
  const role = { action: "Grant", authority_type: "MintBurnTokens", authority_address: BOARD, token: net.token() };
  await settle(client, "authority", { ...role, value: "50" }, net.key("issuer"));
  const toBob = { recipient: net.address("bob"), token: net.token() };
  const before = await client.tokenAccount(net.address("bob"), net.token());
  const keys = signersOf(true);
  const payment = await enveloped("payment", { ...toBob, value: "300" }, { nonce: 0, keys });
  expect((await post({ Payment: { signed: payment.signed, fee: "0x0" } })).body).toEqual({ hash: payment.hash });
  const mint = await enveloped("mint", { ...toBob, value: "50" }, { nonce: 1, keys });
  expect((await post({ TokenMint: mint.signed })).body).toEqual({ hash: mint.hash });
  for (const hash of [payment.hash, mint.hash]) expect((await expectFinal(hash))["from"]).toBe(BOARD);
  const after = await client.tokenAccount(net.address("bob"), net.token());
  expect(BigInt(String(after["balance"])) - BigInt(String(before["balance"]))).toBe(350n);

  await untilListed(net, creation, payment.hash, mint.hash);
  await expectProved(net, creation, []);
  for (const { hash } of [payment, mint]) await expectProved(net, hash, ["success_info.is_private"]);
});

test("too little weight, another account's list, and a single key's digest do not authorize", async () => {
  const { client } = net;
  const nonce = Number(await client.nonce(BOARD));
  const fields = { recipient: net.address("bob"), token: net.token(), value: "1" };
  const light = await enveloped("payment", fields, { nonce, keys: signersOf(false) });
  expectRefusal(await post({ Payment: { signed: light.signed, fee: "0x0" } }), 400, "validation_signature");
  const keys = signersOf(true);
  const { signed } = await enveloped("payment", fields, { nonce, keys, account: net.address("alice") });
  const { Multi } = signed["signature"] as { readonly Multi: Json };
  const moved = { ...signed, signature: { Multi: { ...Multi, account: BOARD } } };
  expectRefusal(await post({ Payment: { signed: moved, fee: "0x0" } }), 400, "validation_signature");
  expectRefusal(await post({ Payment: { signed, fee: "0x0" } }), 404, "resource_multisig_not_found");
});

test("a body that is no envelope is refused by its place", async () => {
  const { signed } = await enveloped(
    "payment",
    { recipient: net.address("bob"), token: net.token(), value: "1" },
    { nonce: 9, keys: signersOf(true) },
  );
  const { payload, signature } = signed as { readonly payload: Json; readonly signature: Json };
  const bodies: readonly (readonly [unknown, string, RegExp])[] = [
    [{}, "validation_body", /^body: expected an object of one member: Payment, TokenIssue/],
    [{ Payment: { signed }, TokenMint: signed }, "validation_body", /^body: /],
    [{ BatchPayment: signed }, "validation_body", /^body: /],
    [{ Payment: signed }, "validation_body", /^body\.Payment\.signed: /],
    [{ Payment: null }, "validation_body", /^body\.Payment\.signed: /],
    [{ TokenIssue: signed }, "validation_body", /^body\.TokenIssue\[0\]: /],
    [
      { TokenMint: { payload: { ...payload, value: "0xg" }, signature } },
      "validation_amount",
      /^body\.TokenMint\.payload\.value: /,
    ],
    [
      { TokenMint: { payload: { ...payload, value: ["0x5"] }, signature } },
      "validation_amount",
      /^body\.TokenMint\.payload\.value: /,
    ],
    [{ TokenMint: { payload, signature: {} } }, "validation_signature", /^body\.TokenMint\.signature: /],
    [
      { TokenMint: { payload, signature: { Multi: { account: BOARD, signatures: [] } } } },
      "validation_signature",
      /^body\.TokenMint\.signature\.Multi\.signatures: /,
    ],
  ];
  for (const [body, code, message] of bodies) {
    const answer = await post(body);
    expectRefusal(answer, 400, code);
    expect((answer.body as Json)["message"]).toMatch(message);
  }
});
