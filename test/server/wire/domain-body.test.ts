/** Bodies of version 2: their one reading, their faults, and that no body is read as what its signer did not mean. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Operation } from "../../../src/core/base/operation.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import type { PrivateKey } from "../../../src/core/crypto/scheme.ts";
import { digestOf, layoutFault } from "../../../src/core/ledger/layout.ts";
import { candidatesOf } from "../../../src/server/wire/candidates.ts";
import { WRITES } from "../../../src/server/wire/schemas/bodies.ts";
import { readWrite } from "../../../src/server/wire/write.ts";
import { signatureFields } from "../../../src/server/wire/write-of.ts";
import { anyOldBridge, anyOperation, anyV2Operation, CHAIN } from "../../core/ledger/support/operations.ts";
import legacy from "../../vectors/legacy-v1.json" with { type: "json" };
import { V2 } from "../client/layouts.ts";
import { type Body, bodyOf, pathOf, SOME_SIGNATURE, VALID } from "./support.ts";

const KEY = legacy.signer.privateKey as PrivateKey;
const SENDER = keyedHash.addressOf(KEY);
const MEMO = { type: "", format: "text/plain", data: "invoice" };

/** A body of version 2 from one of version 1. */
function inV2({ signature, ...fields }: Body, more: Body = {}): Body {
  return { ...fields, memo: MEMO, authorization: { type: "single_secp256k1", signature }, ...more };
}

function v2PathOf(operation: Operation): string {
  return V2[operation.kind === "list" ? operation.list : operation.kind]?.[1] ?? "";
}

/** The body that the signer of an operation posts, and its path. */
function posted(operation: Operation): readonly [path: string, body: Body] {
  const signature = signatureFields(keyedHash.sign(KEY, digestOf(operation)));
  const fields = bodyOf(operation);
  if (operation.layout !== "v2") return [pathOf(operation), { ...fields, signature }];
  return [v2PathOf(operation), { ...fields, authorization: { type: "single_secp256k1", signature } }];
}

/** Operations of the signer that a server may take a body for. */
function readings(path: string, body: unknown): readonly Operation[] {
  const read = readWrite(path, body);
  if (!read.ok) return [];
  return candidatesOf(read.value, keyedHash)
    .filter(({ sender }) => sender === SENDER)
    .map(({ operation }) => operation);
}

/** Operations that can be signed, in every layout of both versions. */
const signable = fc
  .oneof(anyOperation, anyV2Operation, anyOldBridge)
  .filter((operation) => layoutFault(operation.layout, operation) === undefined);

/** Compares operations by value, whatever prototypes and order of members generators give them. */
function areEqual(one: object, other: object): boolean {
  return plain(one) === plain(other);
}

function plain(value: unknown): string {
  if (typeof value !== "object" || value === null) return `${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return `[${value.map(plain).join(", ")}]`;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${name}: ${plain(member)}`).join(", ")}}`;
}

describe("a body of version 2", () => {
  test("is read as exactly the operation that was signed, and as nothing else", () => {
    fc.assert(
      fc.property(anyV2Operation, (operation) => {
        expect(readings(...posted(operation)).map(plain)).toEqual([plain(operation)]);
      }),
    );
  });

  test("without clawback_enabled is signed as true, and one of a grant without value as 0", () => {
    const { clawback_enabled: _, ...issue } = inV2(VALID["/v1/tokens/issue"] as Body);
    const { value: __, ...grant } = inV2(VALID["/v1/tokens/grant_authority"] as Body);
    const read = (path: string, body: Body) => readWrite(path, body);
    expect(read("/v2/tokens/issue", issue)).toMatchObject({ value: { operations: [{ clawbackEnabled: true }] } });
    for (const body of [grant, { ...grant, value: null }])
      expect(read("/v2/tokens/grant_authority", body)).toMatchObject({ value: { operations: [{ value: 0n }] } });
  });

  const payment = inV2(VALID["/v1/transactions/payment"] as Body);
  const { authorization, memo: _, ...bare } = payment;
  const withType = (type: unknown) => ({ ...payment, authorization: { ...(authorization as Body), type } });
  const OLDER = { ...SOME_SIGNATURE, v: 27 };
  const KEY_TEXT = `0x02${"11".repeat(32)}`;
  const BY_KEY = { signer_pubkey: KEY_TEXT, signature: SOME_SIGNATURE };
  const several = { type: "multisig_secp256k1", account: `0x${"a0".repeat(20)}`, signatures: [BY_KEY] };
  const ofSeveral = (changes: Body): Body => ({ ...payment, authorization: { ...several, ...changes } });
  const creation = inV2({ chain_id: CHAIN, nonce: 0, signers: [], threshold: 1, signature: SOME_SIGNATURE });
  const { recipient: __, ...burn } = inV2(VALID["/v1/tokens/burn"] as Body);

  const key = (length: number, byte: number) => ({ public_key: Array.from({ length }, () => byte), weight: 1 });
  const signedBy = (signature: unknown): Body => inV2({ ...bare, signature });
  const MANY = Array.from({ length: 21 }, () => BY_KEY);

  /** By code and by the kind whose path they are sent to. */
  const REFUSED: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Body>>>>>> = {
    DOMAIN_SEPARATED_SIGNATURE_REQUIRED: {
      payment: {
        "a signature at the top": { ...bare, signature: SOME_SIGNATURE },
        "one beside its own": { ...payment, signature: null },
        "no authorization": { ...bare, memo: MEMO },
      },
    },
    UNSUPPORTED_AUTHORIZATION_TYPE: {
      payment: {
        "another type": withType("ed25519"),
        "a type that is no text": withType(1),
        "a null authorization": { ...payment, authorization: null },
      },
    },
    validation_address: { payment: { "a malformed account": ofSeveral({ account: "0x12" }) } },
    validation_signature: {
      payment: {
        "several signers and one signature": withType("multisig_secp256k1"),
        "one signer and a multisig account": ofSeveral({ type: "single_secp256k1", signature: SOME_SIGNATURE }),
        "several signers and one's signature": ofSeveral({ signature: SOME_SIGNATURE }),
        "signers without their account": ofSeveral({ account: undefined }),
        "no signatures of signers": ofSeveral({ signatures: [] }),
        "too many signers": ofSeveral({ signatures: MANY }),
        "an uncompressed key": ofSeveral({ signatures: [{ ...BY_KEY, signer_pubkey: `0x04${"11".repeat(32)}` }] }),
        "a key without its signature": ofSeveral({ signatures: [{ signer_pubkey: KEY_TEXT }] }),
        "a signer's older recovery id": ofSeveral({ signatures: [{ ...BY_KEY, signature: OLDER }] }),
        "an older recovery id": signedBy(OLDER),
        "a recovery id that is text": signedBy({ ...SOME_SIGNATURE, v: "0" }),
        "no signature": signedBy(undefined),
      },
    },
    validation_signers: {
      multisig: {
        "a key of 32 bytes": { ...creation, signers: [key(32, 2)] },
        "a key in hex": { ...creation, signers: [{ public_key: KEY_TEXT, weight: 1 }] },
        "a number that is no byte": { ...creation, signers: [key(33, 256)] },
        "a weight of 256": { ...creation, signers: [{ ...key(33, 2), weight: 256 }] },
        "a threshold past two bytes": { ...creation, threshold: 65_536 },
        "no signers": { ...creation, signers: undefined },
      },
    },
    validation_text: {
      payment: {
        "no memo": { ...bare, authorization },
        "a null memo": { ...payment, memo: null },
        "a memo without a text": { ...payment, memo: { type: "", format: "" } },
        "a lone surrogate": { ...payment, memo: { ...MEMO, data: "\ud800" } },
      },
    },
    validation_layout: {
      burn: {
        "the account of a burn": { ...burn, recipient: `0x${"aa".repeat(20)}` },
        "a null account of a burn": { ...burn, recipient: null },
      },
    },
    validation_action: {
      blacklist: {
        "an older action of a list": inV2(VALID["/v1/tokens/manage_blacklist"] as Body, { action: "Blacklist" }),
      },
    },
  };

  for (const [code, kinds] of Object.entries(REFUSED))
    for (const [kind, bodies] of Object.entries(kinds))
      test.each(Object.entries(bodies))("with %s is refused before admission", (_what, body) => {
        const [, path = ""] = V2[kind as keyof typeof V2] ?? [];
        expect(readWrite(path, body)).toMatchObject({ ok: false, error: { status: 400, code } });
      });

  test("of a multisig account is read with its account, and as signed by nobody where it is unknown", () => {
    const read = readWrite("/v2/transactions/payment", ofSeveral({}));
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value).toMatchObject({ operations: [{ layout: "v2", account: several.account }] });
    expect(read.value.signature).toMatchObject({ account: several.account, signatures: [{ key: KEY_TEXT }] });
    expect(candidatesOf(read.value, keyedHash)).toEqual([]);
  });

  test("has no other paths than these", () => {
    const known = Object.values(V2).map(([, path]) => path);
    expect(Object.keys(WRITES).filter((path) => path.startsWith("/v2/"))).toEqual(expect.arrayContaining(known));
    expect(Object.keys(WRITES).filter((path) => path.startsWith("/v2/"))).toHaveLength(known.length);
  });
});

describe("a signature", () => {
  /** v1 signs neither kind nor list: these share their lists of items (wire 3.9, Shared digests). */
  const isKnownOfV1 = (operation: Operation, other: Operation): boolean =>
    operation.layout !== "v2" && other.layout !== "v2" && digestOf(operation) === digestOf(other);

  test("counts for what its signer meant only, whatever body and path it is posted with", () => {
    fc.assert(
      fc.property(signable, signable, fc.constantFrom(...Object.keys(WRITES)), (signed, other, anyPath) => {
        const { r, s, v } = signatureFields(keyedHash.sign(KEY, digestOf(signed)));
        const signature = { r, s, v };
        const authorization = { type: "single_secp256k1", signature };
        for (const fields of [bodyOf(signed), bodyOf(other)]) {
          for (const path of [...new Set([posted(signed)[0], posted(other)[0], anyPath])]) {
            for (const body of [
              { ...fields, signature },
              { memo: MEMO, ...fields, authorization },
            ]) {
              for (const taken of readings(path, body))
                expect(areEqual(taken, signed) || isKnownOfV1(taken, signed)).toBe(true);
            }
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  test("of version 2 counts for one kind, one chain, one nonce and one memo", () => {
    fc.assert(
      fc.property(anyV2Operation, anyV2Operation, (signed, other) => {
        const signature = signatureFields(keyedHash.sign(KEY, digestOf(signed)));
        const authorization = { type: "single_secp256k1", signature };
        const altered: Operation[] = [
          other,
          { ...signed, chainId: signed.chainId === CHAIN ? 1 : CHAIN },
          { ...signed, nonce: (signed.nonce === 0 ? 1 : signed.nonce - 1) as Operation["nonce"] },
          { ...signed, memo: { type: "", format: "", data: `${signed.memo?.data}x` } },
        ];
        for (const operation of altered) {
          if (areEqual(operation, signed)) continue;
          expect(readings(v2PathOf(operation), { ...bodyOf(operation), authorization })).toEqual([]);
          expect(readings(pathOf(operation), { ...bodyOf(operation), signature })).toEqual([]);
        }
      }),
    );
  });
});
