/** Lifecycle suites of published clients (wire 8), for the clients of each era. */
import { describe, expect, test } from "vitest";
import { mintInfo } from "../../../src/server/wire/schemas/tokens.ts";
import {
  finalized as finalizedShape,
  receipt as receiptShape,
  transaction,
} from "../../../src/server/wire/schemas/transactions.ts";
import { runsFor } from "../../depth.ts";
import { type Fields, type Kind, paymentsItem } from "../client/layouts.ts";
import { hexOf, text } from "../client/rlp.ts";
import { addressOf, hashOf, multisigBody, type SignedBody } from "../client/signing.ts";
import { BOARD, CREATION, signersOf } from "../told/board.ts";
import { ERAS, type Era, listing, signingOptionsIn, unlisting } from "./eras.ts";
import { epochTextOf, expectNoMutationProved, finalizedTextOf, verdictOf } from "./proved.ts";
import { type Settled, SWIFT, settle } from "./settle.ts";
import { expectRefusal, expectShape } from "./shapes.ts";
import { type Json, sharedNetwork } from "./support.ts";

const net = sharedNetwork({ profile: "clients", "checkpoint-interval": "300" });

/** Keys that no network knows, as a suite draws them for each run. */
function strangers(era: Era): readonly [string, string, string] {
  return ["1", "2", "3"].map((place) => hashOf(text(`${era.name} user ${place}`))) as [string, string, string];
}

async function act<K extends Kind>(era: Era, kind: K, fields: Fields[K], key: string): Promise<Settled> {
  const settled = await settle(net.client, kind, fields, key, signingOptionsIn(era, kind));
  expect(settled.receipt).toMatchObject({ success: true, from: addressOf(key), fee_used: "0" });
  expectShape(receiptShape, settled.receipt);
  return settled;
}

async function issue(era: Era, symbol: string, isPrivate: boolean): Promise<string> {
  const { answer, receipt } = await act(
    era,
    "issue",
    {
      ...{ symbol, name: `${symbol} Stablecoin`, decimals: 6, master_authority: net.address("issuer") },
      is_private: isPrivate,
      ...(era.clawback === undefined ? {} : { clawback_enabled: era.clawback }),
    },
    net.key("operator"),
  );
  const { token } = answer.body as { readonly token: string };
  expect(receipt).toMatchObject({ token_address: token, recipient: null, to: null });
  return token;
}

async function info(token: string): Promise<Json> {
  const answer = await net.client.tokenMetadata(token);
  expectShape(mintInfo, answer);
  return answer;
}

// holds: 20
describe.each(ERAS)("a client of $name", (era) => {
  const [minter, payer, payee] = strangers(era);
  const [minterAddress, payerAddress, payeeAddress] = [minter, payer, payee].map(addressOf) as [string, string, string];
  const master = (): string => net.key("issuer");
  const balances = async (token: string): Promise<readonly bigint[]> =>
    Promise.all([payerAddress, payeeAddress].map((address) => net.client.balance(address, token)));
  let token = "";

  test("issues a token that is of use at once", async () => {
    token = await issue(era, `${era.name}COIN`, false);
    expect(await info(token)).toMatchObject({
      symbol: `${era.name}COIN`,
      master_authority: net.address("issuer"),
      supply: "0",
      is_paused: false,
      is_private: false,
      meta: { name: `${era.name}COIN Stablecoin`, uri: "", additional_metadata: [] },
    });
  });

  // holds: 99
  test("grants an allowance, mints within it, and pays without a fee", async () => {
    await grant("MintBurnTokens", minterAddress, "1000");
    expect((await info(token))["mint_burn_authorities"]).toEqual([{ minter: minterAddress, allowance: "1000" }]);
    const minted = await act(era, "mint", { recipient: payerAddress, value: "1000", token }, minter);
    expect(minted.receipt).toMatchObject({ recipient: payerAddress, to: payerAddress, token_address: token });
    const body = { recipient: payeeAddress, value: era.areAmountsBare === true ? 100n : "100", token };
    await act(era, "payment", body, payer);
    expect(await balances(token)).toEqual([900n, 100n]);
    expect(await info(token)).toMatchObject({ supply: "1000", mint_burn_authorities: [{ allowance: "0" }] });
  });

  // holds: 44, 102
  test("bars an address by the blacklist, as master without any role", async () => {
    await act(era, ...listing(era, "blacklist", payeeAddress, token), master());
    expect((await info(token))["black_list"]).toEqual([payeeAddress]);
    const barred = await net.client.post(
      "payment",
      { recipient: payeeAddress, value: "1", token },
      payer,
      signingOptionsIn(era, "payment"),
    );
    expectRefusal(barred.answer, 422, "business_blacklisted");
    // Of a blacklisted account, by a master without the role; the older eras do not know the operation.
    const clawback = { token, from: payeeAddress, recipient: minterAddress, value: "25" };
    if (era.clawback === true) {
      const { hash, receipt } = await act(era, "clawback", clawback, master());
      expect(receipt).toMatchObject({ recipient: minterAddress, to: minterAddress, token_address: token });
      expect(await net.client.transaction(hash)).toMatchObject({ transaction_type: "TokenClawback", data: clawback });
      expect(await balances(token)).toEqual([900n, 75n]);
    }
    await act(era, ...unlisting(era, payeeAddress, token), master());
    expect(await info(token)).toMatchObject({ black_list: [], supply: "1000", clawback_enabled: true });
  });

  test.runIf(era.clawback === true)("grants clawback and revokes it", async () => {
    const role = { authority_type: "Clawback", authority_address: payerAddress, token, value: "0" };
    await act(era, "authority", { action: "Grant", ...role }, master());
    expect((await info(token))["clawback_authorities"]).toEqual([payerAddress]);
    await act(era, "authority", { action: "Revoke", ...role }, master());
    expect((await info(token))["clawback_authorities"]).toEqual([]);
  });

  test("burns its own balance", async () => {
    await grant("MintBurnTokens", payeeAddress, "100");
    const whose = era.burnNamesAccount ? { recipient: payeeAddress } : {};
    const burned = await act(era, "burn", { ...whose, value: "10", token }, payee);
    expect(burned.receipt).toMatchObject({ recipient: payeeAddress });
    expect(await balances(token)).toEqual([900n, era.clawback === true ? 65n : 90n]);
    expect((await info(token))["supply"]).toBe("990");
  });

  // holds: 45, 100
  test("pauses, unpauses and describes, as master without any role", async () => {
    await act(era, "pause", { action: "Pause", token }, master());
    expect((await info(token))["is_paused"]).toBe(true);
    await act(era, "pause", { action: "Unpause", token }, master());
    expect((await info(token))["is_paused"]).toBe(false);
    const meta = {
      ...{ name: "Renamed", uri: "https://example.org/coin" },
      additional_metadata: [
        { key: "issuer", value: "Bank «Ä»" },
        { key: "2", value: "" },
      ],
    };
    await act(era, "metadata", { ...meta, token }, master());
    expect((await info(token))["meta"]).toEqual(meta);
  });

  // holds: 45
  test("describes a token without any pairs", async () => {
    const options = { ...signingOptionsIn(era, "metadata"), ...(era.emptyLayout && { layout: era.emptyLayout }) };
    const meta = { name: "Plain", uri: "", additional_metadata: [] };
    await settle(net.client, "metadata", { ...meta, token }, master(), options);
    expect((await info(token))["meta"]).toEqual(meta);
  });

  const hasBridge = era.clawback === true || era.bridgeLayout !== undefined;
  // holds: 50
  test.runIf(hasBridge)("mints for another chain and burns to one", async () => {
    await grant("Bridge", minterAddress, "0");
    expect((await info(token))["bridge_mint_authorities"]).toEqual([minterAddress]);
    // One layout signs bytes for the other chain's texts, and no text of the bridge.
    const isRaw = era.bridgeLayout === "client-raw";
    const source_tx_hash = isRaw ? `0xab${"00".repeat(31)}` : `0xAb${era.name}`;
    const bridged = {
      ...{ recipient: payerAddress, value: "100", token, source_chain_id: 5 },
      ...{ source_tx_hash, bridge_metadata: "seen by «Ä»" },
    };
    const unsigned = isRaw ? { bridge_metadata: "" } : {};
    const minted = await act(era, "bridgeMint", bridged, minter);
    expect(await net.client.transaction(minted.hash)).toMatchObject({
      transaction_type: "TokenBridgeAndMint",
      data: { ...bridged, ...unsigned, to: payerAddress },
    });
    expect([(await balances(token))[0], (await info(token))["supply"]]).toEqual([1000n, "1090"]);
    const again = { ...bridged, source_tx_hash: source_tx_hash.replace(/^0x../, "0xaB") };
    const replayed = await net.client.post("bridgeMint", again, minter, signingOptionsIn(era, "bridgeMint"));
    expectRefusal(replayed.answer, 422, "business_bridge_replayed");

    const before = await net.client.bbnonce(payerAddress);
    const burned = {
      ...{ sender: payerAddress, value: "20", token, destination_chain_id: 7, escrow_fee: "1" },
      ...{ destination_address: "0xA634dfba8c7550550817898bC4820cD10888Aac5", bridge_metadata: "m" },
      ...(isRaw ? {} : { bridge_param: "0x0102" }),
    };
    const settled = await settle(net.client, "bridgeBurn", burned, payer, signingOptionsIn(era, "bridgeBurn"));
    const { destination_chain_id, bridge_param = "0x" } = burned;
    const destination_address = isRaw ? burned.destination_address.toLowerCase() : burned.destination_address;
    expect(settled.receipt).toMatchObject({
      ...{ success: true, from: payerAddress, recipient: null, fee_used: "1", token_address: token },
      success_info: { bridge_info: { bbnonce: before + 1, destination_chain_id, destination_address, bridge_param } },
    });
    expect(await net.client.transaction(settled.hash)).toMatchObject({
      transaction_type: "TokenBurnAndBridge",
      data: { ...burned, ...unsigned, destination_address, bridge_param },
    });
    expect([(await balances(token))[0], (await info(token))["supply"]]).toEqual([979n, "1070"]);
    expect(await net.client.bbnonce(payerAddress)).toBe(before + 1);
    const role = { authority_type: "Bridge", authority_address: minterAddress, token, value: "0" };
    await act(era, "authority", { action: "Revoke", ...role }, master());
    expect((await info(token))["bridge_mint_authorities"]).toEqual([]);
  });

  test.runIf(era.layout === "v2")("pays several at once, for one fee, or nobody", async () => {
    const options = signingOptionsIn(era, "batch");
    const operations = [
      { recipient: payeeAddress, amount: "3" },
      { recipient: minterAddress, amount: "4" },
      { recipient: payeeAddress, amount: "5" },
    ];
    const operations_hash = hashOf(paymentsItem(operations));
    const fields = { token, operations, created_at: 2n ** 64n - 1n, operations_hash, batch_id: "" };
    const [payerBefore = 0n, payeeBefore = 0n] = await balances(token);
    const { hash, receipt } = await settle(net.client, "batch", fields, payer, options);
    const facts = { batch_id: "", operations_count: 3, total_amount: "12", operations_hash };
    const zero = `0x${"00".repeat(20)}`;
    expect(receipt).toMatchObject({
      ...{ success: true, from: payerAddress, recipient: null, token_address: token, fee_used: "0" },
      ...{ success_info: { sender: payerAddress, receiver: zero }, batch_info: { ...facts, failure: null } },
      execution_events: [
        { event_type: "BatchStarted", ...facts },
        ...operations.map((operation, at) => ({ event_type: "PaymentExecuted", operation_index: at, ...operation })),
        { event_type: "BatchCompleted", ...facts },
      ],
    });
    expectShape(finalizedShape, await net.client.finalized(hash));
    expect(await net.client.transaction(hash)).toMatchObject({
      transaction_type: "BatchPayment",
      data: { token, operations, operations_hash, batch_id: "", created_at: "18446744073709551615" },
    });
    expect(await balances(token)).toEqual([payerBefore - 12n, payeeBefore + 8n]);

    await act(era, ...listing(era, "blacklist", minterAddress, token), master());
    const nonce = await net.client.nonce(payerAddress);
    const stopped = { token, operations: operations.slice(0, 2), created_at: 1 };
    const refused = await net.client.post("batch", stopped, payer, { ...options, nonce });
    expectRefusal(refused.answer, 422, "business_transaction_failed");
    expect((refused.answer.body as Json)["message"]).toContain(`business_blacklisted: ${minterAddress} is on`);
    for (const read of ["receipt", "finalized"]) {
      const missing = await net.client.request("GET", `/v1/transactions/${read}/by_hash?hash=${refused.hash}`);
      expectRefusal(missing, 404, "resource_transaction_not_found");
    }
    expect(await balances(token)).toEqual([payerBefore - 12n, payeeBefore + 8n]);
    expect(await net.client.nonce(payerAddress)).toBe(nonce);
    const next = { token, operations: operations.slice(0, 1), created_at: 2 };
    await settle(net.client, "batch", next, payer, { ...options, nonce });
    // The other code is of this path alone.
    const payment = { recipient: minterAddress, value: "1", token };
    expectRefusal((await net.client.post("payment", payment, payer, options)).answer, 422, "business_blacklisted");
    await act(era, ...unlisting(era, minterAddress, token), master());
    // Back to what later steps expect.
    await act(era, "payment", { recipient: payerAddress, value: "11", token }, payee);
    await act(era, "payment", { recipient: payerAddress, value: "4", token }, minter);
    expect(await balances(token)).toEqual([payerBefore, payeeBefore]);
  });

  test("opens a private token to an address and closes it", async () => {
    const closed = await issue(era, `${era.name}PRIV`, true);
    await act(era, ...listing(era, "whitelist", payeeAddress, closed), master());
    expect(await info(closed)).toMatchObject({ is_private: true, white_list: [payeeAddress], black_list: [] });
    await act(era, "whitelist", { action: "Remove", address: payeeAddress, token: closed }, master());
    expect((await info(closed))["white_list"]).toEqual([]);
  });

  // holds: 99
  test("revokes what it granted", async () => {
    const type = era.masterRole ?? "MasterMintBurn";
    await grant(type, payerAddress, "0");
    expect(await info(token)).toMatchObject({
      master_mint_burn_authority: payerAddress,
      master_mint_authority: payerAddress,
    });
    await act(
      era,
      "authority",
      { action: "Revoke", authority_type: type, authority_address: payerAddress, token, value: "0" },
      master(),
    );
    expect((await info(token))["master_mint_burn_authority"]).toBe(`0x${"00".repeat(20)}`);
  });

  async function grant(authority_type: string, authority_address: string, value: string): Promise<void> {
    await act(era, "authority", { action: "Grant", authority_type, authority_address, token, value }, master());
  }
});

describe("a memo", () => {
  test.each([
    ["of version 2", { type: "a", format: "", data: "" }, true],
    ["that version 2 signs for none", { type: "", format: "", data: "" }, false],
  ])("%s comes back only if its author gave it", async (_what, memo, isShown) => {
    const payment = { recipient: net.address("bob"), value: "1", token: net.token() };
    const { hash } = await settle(net.client, "payment", payment, net.key("carol"), { layout: "v2", memo });
    const shown = await net.client.transaction(hash);
    expect(shown["memo"]).toEqual(isShown ? memo : undefined);
    expect(Object.hasOwn(shown, "memo")).toBe(isShown);
  });
});

describe("a multisig account", () => {
  const [enough, tooFew] = [signersOf(true), signersOf(false)];
  const [chair = ""] = enough;
  const payment = (nonce: number, value: string) => ({
    ...{ chain_id: net.setup.scenario.genesis?.chain_id ?? 1212101, nonce },
    ...{ recipient: net.address("alice"), value, token: net.token() },
  });
  const post = async ({ body, hash }: SignedBody, path = "/v2/transactions/payment"): Promise<Json> => {
    const { status, body: answer } = await net.client.request("POST", path, body);
    expect([status, answer]).toEqual([200, { hash }]);
    return net.client.receipt(hash, SWIFT);
  };

  test("holds units before it is created, and moves none", async () => {
    await settle(net.client, "mint", { recipient: BOARD, value: "100", token: net.token() }, net.key("issuer"));
    const { body } = multisigBody("payment", payment(0, "7"), BOARD, enough);
    const answer = await net.client.request("POST", "/v2/transactions/payment", body);
    expectRefusal(answer, 404, "resource_multisig_not_found");
  });

  test("is created, and has the address that its creator derives and nonce 0", async () => {
    const made = await settle(net.client, "multisig", CREATION, net.key("dave"), { layout: "v2" });
    expect(made.receipt).toMatchObject({ success: true, fee_used: "0", recipient: null, token_address: null });
    const shown = await net.client.get(`/v1/transactions/by_hash`, { hash: made.hash });
    expectShape(transaction, shown);
    expect(shown).toMatchObject({
      transaction_type: "CreateMultiSig",
      data: {
        signers: CREATION.signers.map(({ public_key: key, weight }) => ({
          public_key: hexOf(Uint8Array.from(key)),
          weight,
        })),
        threshold: CREATION.threshold,
        multisig_address: BOARD,
      },
    });
    expect(await net.client.nonce(BOARD)).toBe(0);
  });

  test("pays with enough weight, and shows who signed", async () => {
    const paid = multisigBody("payment", payment(0, "7"), BOARD, enough);
    expect(await post(paid)).toMatchObject({ success: true, from: BOARD });
    expect(await net.client.nonce(BOARD)).toBe(1);
    const shown = await net.client.get(`/v1/transactions/by_hash`, { hash: paid.hash });
    expectShape(transaction, shown);
    const { signatures } = paid.body["authorization"] as { readonly signatures: unknown };
    expect(shown).toMatchObject({ from: BOARD, signature_type: "Multi", signature: { account: BOARD, signatures } });
  });

  test.each<readonly [string, readonly string[]]>([
    ["too little weight", tooFew],
    ["a signer twice", [chair, chair]],
    ["a stranger", [...enough, hashOf(text("a stranger"))]],
  ])("is refused with %s", async (_, keys) => {
    const { body } = multisigBody("payment", payment(1, "7"), BOARD, keys);
    const answer = await net.client.request("POST", "/v2/transactions/payment", body);
    expectRefusal(answer, 400, "validation_signature");
    expect(await net.client.nonce(BOARD)).toBe(1);
  });

  test("cancels at a path of its own, and is recovered from by two of its bodies", async () => {
    const head = { chain_id: payment(1, "1").chain_id, nonce: 1 };
    const nothing = multisigBody("cancellation", head, BOARD, enough);
    const answer = await net.client.request("POST", "/v2/transactions/cancellation", nothing.body);
    expectRefusal(answer, 422, "business_nothing_to_cancel");
    const path = "/v2/transactions/payment";
    const evidence = ["1", "2"].map((value) => ({
      path,
      body: multisigBody("payment", payment(1, value), BOARD, enough).body,
    }));
    await net.step({ hold: { rule: "votes", kinds: ["vote"], round: 0, account: BOARD } });
    expect((await net.client.request("POST", path, evidence[0]?.body)).status).toBe(200);
    const body = { ...head, account: BOARD, evidence };
    const recovered = await net.client.request("POST", "/v1/transactions/recovery", body);
    expect(recovered.status).toBe(200);
    const { hash } = recovered.body as { readonly hash: string };
    expect(await net.client.receipt(hash, SWIFT)).toMatchObject({ success: true, from: BOARD });
    await net.step({ release: "votes" });
    expect(await net.client.nonce(BOARD)).toBe(2);
  });
});

describe("the finalized answers of all these operations", () => {
  const listed: { readonly hash: string; readonly type: string; readonly text: string }[] = [];

  test("are proved, whatever their kind, era and signers", async () => {
    await net.admin("checkpoint");
    const { number } = await net.client.get<{ number: number }>("/v1/checkpoints/number");
    for (let at = 1; at <= number; at++) {
      const { transactions } = await net.client.get<{ transactions: { hash: string; transaction_type: string }[] }>(
        "/v1/checkpoints/by_number",
        { number: at, full: true },
      );
      for (const { hash, transaction_type: type } of transactions) {
        const text = await finalizedTextOf(net, hash);
        const { reason, uncovered } = verdictOf(text, await epochTextOf(net, 0));
        expect([reason, uncovered.filter((name) => !name.startsWith("success_info."))], text).toEqual([undefined, []]);
        listed.push({ hash, type, text });
      }
    }
    expect(new Set(listed.map(({ type }) => type)).size).toBeGreaterThan(15);
  });

  test("prove nothing that was changed, one of each type and version", async () => {
    const epoch = await epochTextOf(net, 0);
    const versions = new Map(listed.map((answer) => [`${answer.type} ${answer.text.includes("/v2/")}`, answer.text]));
    const some = [...versions.values()].slice(0, runsFor({ test: 1, nightly: 40, soak: 40 }));
    for (const text of some) expectNoMutationProved(text, epoch);
  });
});
