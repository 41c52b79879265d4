import { keccak_256 } from "@noble/hashes/sha3.js";
import fc from "fast-check";
import { RLP } from "micro-eth-signer/core/rlp.js";
import { describe, expect, it } from "vitest";
import { toHex } from "../../../src/core/base/encoding.ts";
import { toAddress } from "../../../src/core/base/ids.ts";
import type { Operation } from "../../../src/core/base/operation.ts";
import type { PrivateKey } from "../../../src/core/crypto/scheme.ts";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";
import { transactionHash as coreHash, recoveryId } from "../../../src/core/ledger/identity.ts";
import { digestOf, multisigOperation } from "../../../src/core/ledger/layout.ts";
import {
  anyAddress,
  anyNonce,
  anyOldBridge,
  anyOperation,
  anyV2Operation,
  CHAIN,
  joinSignature,
  LAYOUTS,
} from "../../core/ledger/support/operations.ts";
import legacy from "../../vectors/legacy-v1.json" with { type: "json" };
import { bodyOf } from "./core-bodies.ts";
import { signedItem } from "./layouts.ts";
import { flag, hexOf, type Item, integer, raw, rlp, text } from "./rlp.ts";
import {
  addressOf,
  hashOf,
  paddedHash,
  recoveryHash,
  type SignedBody,
  sign,
  signedBody,
  transactionHash,
} from "./signing.ts";

const KEY = legacy.signer.privateKey;
const anyItem: fc.Arbitrary<Item> = fc.letrec<{ item: Item }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 4 },
    fc.uint8Array({ maxLength: 4 }),
    fc.uint8Array({ minLength: 50, maxLength: 300 }),
    fc.array(tie("item"), { maxLength: 5 }),
  ),
})).item;
const anyKey = fc
  .bigInt({ min: 1n, max: (1n << 255n) - 1n })
  .map((number) => `0x${number.toString(16).padStart(64, "0")}`);

/** In every layout of version 1. */
const inAnyLayout = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(anyOperation, fc.constantFrom(...LAYOUTS)).map(([any, layout]) => ({ ...any, layout })),
  },
  { weight: 1, arbitrary: anyOldBridge },
) as fc.Arbitrary<Operation>;

describe("the encoder of the reference client", () => {
  it("writes RLP as another one does", () => {
    fc.assert(
      fc.property(anyItem, (item) => {
        expect(toHex(rlp(item))).toBe(toHex(RLP.encode(item as never)));
      }),
    );
  });

  it("gives both spellings of a hash of version 1, which differ by the zeros before r and s (wire 3.3)", () => {
    const { kind, body } = bodyOf({ ...(legacy.operations[0]?.operation as object), nonce: 152 } as Operation);
    const item = signedItem(kind, body, "client");
    const signed = sign(KEY, hashOf(item));
    expect(signed.r.toString(16)).toHaveLength(62);
    expect(transactionHash(item, signed)).toBe("0x3012fc4250663810a042d21df524da1fc4fa44932027f16eddc8eaf6310417df");
    expect(paddedHash(item, signed)).toBe("0x1c4d922c602ed6a945a63c61711d35ffc7d4960f394b1cdcc0f1bebb9f89adf6");
  });

  it("agrees with the core on every digest and hash of version 2", () => {
    fc.assert(
      fc.property(anyV2Operation, anyKey, (operation, key) => {
        const { kind, body } = bodyOf(operation);
        const signed = signedBody(kind, body, key, { layout: "v2" });
        expect(signed.digest).toBe(digestOf(operation));
        const signature = secp256k1.sign(key as PrivateKey, digestOf(operation));
        expect(signed.hash).toBe(coreHash({ operation, sender: toAddress(addressOf(key)), signature }));
      }),
    );
  });

  it("agrees with the core on the digest of what a multisig account signs", () => {
    fc.assert(
      fc.property(anyV2Operation, anyAddress, (any, account) => {
        const operation = multisigOperation(any, account);
        const { kind, body } = bodyOf(operation);
        expect(hashOf(signedItem(kind, body, "v2"))).toBe(digestOf(operation));
        expect(digestOf(operation)).not.toBe(digestOf(any));
      }),
    );
  });

  it("agrees with the core on every digest, signature and hash, in all layouts", () => {
    fc.assert(
      fc.property(inAnyLayout, anyKey, (operation, key) => {
        const { layout } = operation;
        const { kind, body } = bodyOf(operation);
        const signed = signedBody(kind, body, key, { layout });
        expect(signed.digest).toBe(digestOf(operation));
        const sender = toAddress(addressOf(key));
        const { r, s, v } = signed.body["signature"] as { r: string; s: string; v: number };
        const signature = joinSignature(r, s, v);
        expect(secp256k1.sign(key as PrivateKey, digestOf(operation))).toBe(signature);
        expect(secp256k1.recover(digestOf(operation), signature)).toBe(sender);
        expect(signed.hash).toBe(coreHash({ operation, sender, signature }));
      }),
    );
  });

  it("agrees with the core on the hash of a recovery", () => {
    fc.assert(
      fc.property(anyAddress, anyNonce, (account, nonce) => {
        expect(recoveryHash(CHAIN, account, nonce)).toBe(recoveryId(CHAIN, account, nonce));
      }),
    );
  });
});

const TOKEN = `0x${"77".repeat(20)}`;
const [FLAT, RAW] = [{ layout: "client-flat" }, { layout: "client-raw" }] as const;
const head = { chain_id: CHAIN, nonce: 3 };
const start = [integer(CHAIN), integer(3)];

const THERE = `0x${"c0".repeat(32)}`;
const HOME = `0x${"d0".repeat(20)}`;
const minted = { ...head, recipient: TOKEN, value: 7, token: TOKEN, source_chain_id: 5, source_tx_hash: THERE };
const burnt = {
  ...{ ...head, sender: TOKEN, value: 7, token: TOKEN, destination_chain_id: 5, destination_address: HOME },
  escrow_fee: 2,
};
const mint7 = [raw(TOKEN), integer(7), raw(TOKEN), integer(5)];
const [no, yes] = [flag(false), flag(true)];

/** Operations of a bridge by Rust 0.12 to 0.15 and by TS 1.1 (wire 3.8, 1 and 2), their items written out. */
describe("older bridges", () => {
  it.each<readonly [string, SignedBody, readonly Item[]]>([
    ["a mint", signedBody("bridgeMint", minted, KEY, FLAT), [...mint7, text(THERE), no]],
    [
      "a mint with an empty text",
      signedBody("bridgeMint", { ...minted, bridge_metadata: "" }, KEY, FLAT),
      [...mint7, text(THERE), yes, text("")],
    ],
    [
      "a burn",
      signedBody("bridgeBurn", { ...burnt, bridge_metadata: null, bridge_param: null }, KEY, FLAT),
      [...mint7, text(HOME), integer(2), no, no],
    ],
    [
      "a burn with both texts",
      signedBody("bridgeBurn", { ...burnt, bridge_metadata: "m", bridge_param: "0x0102" }, KEY, FLAT),
      [...mint7, text(HOME), integer(2), yes, text("m"), yes, raw("0x0102")],
    ],
  ])("%s is signed item by item, without a list", (_, { digest }, items) => {
    const bytes = [...start, ...items].flatMap((item) => [...rlp(item)]);
    expect(digest).toBe(hexOf(keccak_256(Uint8Array.from(bytes))));
  });

  it("sign bytes for the other chain's texts, and no text of the bridge", () => {
    const mint = signedBody("bridgeMint", { ...minted, bridge_metadata: "unsigned" }, KEY, RAW);
    expect(mint.digest).toBe(hashOf([...start, ...mint7, raw(THERE)]));
    const burn = signedBody("bridgeBurn", { ...burnt, bridge_metadata: "unsigned" }, KEY, RAW);
    expect(burn.digest).toBe(hashOf([...start, ...mint7, raw(HOME), integer(2)]));
  });
});
