import { describe, expect, test } from "vitest";
import type { Signature } from "../../../src/core/base/ids.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import { transactionHash } from "../../../src/core/ledger/identity.ts";
import { candidatesOf } from "../../../src/server/wire/candidates.ts";
import { readRecovery } from "../../../src/server/wire/write.ts";
import { signatureFields } from "../../../src/server/wire/write-of.ts";
import { addressOf, CHAIN, payment } from "../../core/validator/support/operations.ts";
import { type Body, bodyOf } from "./support.ts";

const PATH = "/v1/transactions/payment";
const [X, Y] = [payment("alice", 3, "bob", 1n), payment("alice", 3, "bob", 2n)];
const ALICE = addressOf("alice");

function evidence(signed: typeof X): Body {
  return {
    path: PATH,
    body: { ...bodyOf(signed.operation), signature: signatureFields(signed.signature as Signature) },
  };
}

const BODY: Body = { chain_id: CHAIN, account: ALICE, nonce: 3, evidence: [evidence(X), evidence(Y)] };

describe("the body of a recovery", () => {
  test("gives back the two operations that it shows", () => {
    const read = readRecovery(BODY);
    if (!read.ok) throw new Error(read.error.message);
    const { chainId, account, nonce, first, second, ignored } = read.value;
    expect([chainId, account, nonce, ignored]).toEqual([CHAIN, ALICE, 3, []]);
    const hashes = [first, second].flatMap((reading) => candidatesOf(reading, keyedHash).map(transactionHash));
    expect(hashes).toEqual([transactionHash(X), transactionHash(Y)]);
  });

  const bad: readonly (readonly [changes: Body, message: string])[] = [
    [{ chain_id: "1" }, "body.chain_id: expected the chain id"],
    [{ account: `${ALICE}0` }, "body.account: expected"],
    [{ nonce: null }, "body.nonce: expected"],
    [{ evidence: [] }, "body.evidence: expected a list of two signed bodies, got a list"],
    [{ evidence: [evidence(X), evidence(Y), evidence(X)] }, "body.evidence: expected a list of two"],
    [{ evidence: [evidence(X), 5] }, "body.evidence[1]: expected an object of path and body, got 5"],
    [{ evidence: [{ ...evidence(X), path: "/v1/tokens" }, evidence(Y)] }, "body.evidence[0].path: expected"],
    [{ evidence: [evidence(X), { path: PATH, body: [] }] }, "body.evidence[1].body: expected"],
    [{ evidence: [evidence(X), { path: PATH, body: {} }] }, "body.evidence[1].body.chain_id: expected"],
  ];

  test.each(bad)("is refused with %j", (changes, message) => {
    const read = readRecovery({ ...BODY, ...changes });
    expect(read).toMatchObject({ ok: false, error: { status: 400, message: expect.stringContaining(message) } });
  });

  test("names what it ignores in its own members", () => {
    const read = readRecovery({ ...BODY, signature: {} });
    expect(read).toMatchObject({ ok: true, value: { ignored: ["body.signature"] } });
  });
});
