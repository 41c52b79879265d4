/**
 * Facts of the wire that clients depend on and that no other table holds, by section of the document: each asks a
 * network of the profile of their suites.
 */
import { expect, test } from "vitest";
import type { Answer } from "../client/reference-client.ts";
import { signedBody } from "../client/signing.ts";
import { expectRefusal } from "./refusal.ts";
import { settle } from "./settle.ts";
import { type Json, sharedNetwork } from "./support.ts";

const NOBODY = `0x${"5a".repeat(20)}`;
const ZERO = `0x${"00".repeat(20)}`;

const net = sharedNetwork({ profile: "clients", "checkpoint-interval": "100" });

const get = (path: string, headers?: Record<string, string>): Promise<Answer> =>
  net.client.request("GET", path, undefined, headers);
const head = (nonce = 0) => ({ chain_id: 1_212_101, nonce });
const payment = () => ({ ...head(), recipient: net.address("bob"), value: "1", token: net.token() });

/** Posts a payment of alice with other members, signed as it was without them. */
async function posted(path: string, layout: "client" | "v2", change: (body: Json) => Json): Promise<Answer> {
  const nonce = await net.client.nonce(net.address("alice"));
  const { body } = signedBody("payment", { ...payment(), nonce }, net.key("alice"), { layout });
  return net.client.request("POST", path, change(body));
}

type Row = readonly [section: string, fact: string, check: () => Promise<void>];
const rows: readonly Row[] = [
  [
    "0",
    "a number of a query stands in any order with others",
    async () => {
      const words = [`from=${NOBODY}`, "value=5", `token=${net.token()}`, `to=${ZERO}`];
      for (const order of [words, words.toReversed()])
        expect(await get(`/v1/transactions/estimate_fee?${order.join("&")}`)).toMatchObject({
          status: 200,
          body: { fee: "0" },
        });
    },
  ],
  [
    "1.1, R13",
    "an estimate needs a sender and a value, and takes the zero address as token",
    async () => {
      for (const words of ["", `&token=${ZERO}`, `&token=${net.token()}`])
        expect(await get(`/v1/transactions/estimate_fee?from=${NOBODY}&value=1${words}`)).toMatchObject({
          body: { fee: "0" },
        });
      for (const words of ["from=x", `from=${NOBODY}`, "value=1"])
        expect((await get(`/v1/transactions/estimate_fee?${words}`)).status).toBe(400);
    },
  ],
  [
    "1.1, R18",
    "the mode of writes is one of three, and the lifecycle suite runs",
    async () => {
      expect(await net.client.status()).toMatchObject({
        native_write_mode: "dual",
        read_only: false,
        activation_source: "binary_release",
      });
    },
  ],
  [
    "1.3",
    "a signature at the top level is none of version 2",
    async () =>
      expectRefusal(
        await posted("/v2/transactions/payment", "v2", ({ authorization, ...body }) => ({
          ...body,
          signature: (authorization as Json)["signature"],
        })),
        ...([400, "DOMAIN_SEPARATED_SIGNATURE_REQUIRED"] as const),
      ),
  ],
  [
    "1.3",
    "an authorization has one of two types",
    async () =>
      expectRefusal(
        await posted("/v2/transactions/payment", "v2", (body) => ({ ...body, authorization: { type: "ed25519" } })),
        ...([400, "UNSUPPORTED_AUTHORIZATION_TYPE"] as const),
      ),
  ],
  [
    "1.3",
    "a memo is always there, with its three texts",
    async () => {
      for (const memo of [undefined, null, {}, { type: "", format: "" }])
        expectRefusal(
          await posted("/v2/transactions/payment", "v2", (body) => ({ ...body, memo })),
          400,
          "validation_text",
        );
    },
  ],
  // holds: 8, 90
  [
    "1.1, R6 and R7",
    "a client that follows the checkpoints finds the operations of its address, each once",
    async () => {
      const address = net.address("grace");
      const seen = (await net.client.checkpointNumber()) + 1;
      const fields = { recipient: address, value: "1", token: net.token() };
      const paid = [net.key("heidi"), net.key("frank")].map((key) => settle(net.client, "payment", fields, key));
      const hashes = (await Promise.all(paid)).map(({ hash }) => hash);
      const found: unknown[] = [];
      for (let number = seen; found.length < hashes.length; number++) {
        await expect.poll(() => net.client.checkpointNumber()).toBeGreaterThanOrEqual(number);
        const { transactions } = await net.client.checkpointByNumber(number, true);
        for (const { hash, from, data } of transactions as readonly Json[])
          if (from === address || (data as Json)["recipient"] === address) found.push(hash);
      }
      expect(found.toSorted()).toEqual(hashes.toSorted());
    },
  ],
  [
    "2.3",
    "no refusal is 401, a server error, or has a member that leads to a login",
    async () => {
      const answers = await Promise.all([
        ...["/v1/none", "/v1/accounts/nonce", `/v1/tokens/token_metadata?token=${NOBODY}`].map((path) => get(path)),
        ...["/v1/tokens/mint", "/v2/tokens/burn"].map((path) => net.client.request("POST", path, { code: 401 })),
      ]);
      for (const { status, body } of answers) {
        expect([400, 404]).toContain(status);
        expect(Object.keys(body as object).sort()).toEqual(["error_code", "message"]);
      }
    },
  ],
  // holds: 114, 115
  [
    "1.5",
    "a read asks for no credential in a header, and one that is sent changes nothing",
    async () => {
      const path = `/v1/accounts/token_account?address=${net.address("bob")}&token=${net.token()}`;
      const headers = { authorization: "Bearer nobody", cookie: "session=1", "x-api-key": "1" };
      const bare = await get(path);
      expect(bare.status).toBe(200);
      expect(await get(path, headers)).toEqual(bare);
    },
  ],
  [
    "3.5",
    "version 2 has no v of 27 or 28, and version 1 takes it",
    async () => {
      const later = (of: "signature" | "authorization") => (body: Json) => {
        const signature = (of === "signature" ? body[of] : (body[of] as Json)["signature"]) as { v: number };
        const changed = { ...signature, v: signature.v + 27 };
        return { ...body, [of]: of === "signature" ? changed : { type: "single_secp256k1", signature: changed } };
      };
      expectRefusal(
        await posted("/v2/transactions/payment", "v2", later("authorization")),
        400,
        "validation_signature",
      );
      expect((await posted("/v1/transactions/payment", "client", later("signature"))).status).toBe(200);
    },
  ],
  [
    "8",
    "the operator and the master of the suites are ready accounts",
    async () => {
      expect([net.key("operator"), net.address("operator")]).toEqual([
        "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
        "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
      ]);
      expect([net.key("issuer"), net.address("issuer")]).toEqual([
        "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
        "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
      ]);
    },
  ],
  [
    "8",
    "checkpoints go on without traffic",
    async () => {
      await expect.poll(() => net.client.checkpointNumber()).toBeGreaterThan(10);
      const number = (await net.client.checkpointNumber()) - 10;
      expect(await net.client.checkpointByNumber(number, true)).toMatchObject({ number });
    },
  ],
  [
    "8",
    "a repeated cancellation of nothing is refused, and its hash is missing",
    async () => {
      const nonce = await net.client.nonce(net.address("carol"));
      const { answer, hash } = await net.client.post("cancellation", {}, net.key("carol"), { nonce });
      expectRefusal(answer, 422, "business_nothing_to_cancel");
      expectRefusal(await get(`/v1/transactions/receipt/by_hash?hash=${hash}`), 404, "resource_transaction_not_found");
    },
  ],
  [
    "8",
    "an operation is read by its hash as soon as it was answered",
    async () => {
      const fields = { recipient: net.address("bob"), value: "1", token: net.token() };
      const { hash } = await net.client.send("payment", fields, net.key("dave"));
      expect(await net.client.transaction(hash)).toMatchObject({ hash, transaction_type: "TokenTransfer" });
      const again = await settle(net.client, "payment", fields, net.key("erin"));
      expect(await net.client.finalized(again.hash)).toMatchObject({ success: true, epoch: 0 });
    },
  ],
];

test.each(rows)("%s: %s", async (_section, _fact, check) => check());
