import { describe, expect, it } from "vitest";
import type { Address, Epoch } from "../../src/core/base/ids.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { committeeFile } from "../../src/proofs/certificate-file.ts";
import { balanceProof, operationProof, receiptProof, receiptsOf } from "../../src/proofs/inclusion.ts";
import type { InclusionFile } from "../../src/proofs/inclusion-file.ts";
import { proofRefusal, readCommittee, readProof } from "../../src/proofs/verify.ts";
import type { ChainLink } from "../../src/run/checkpoint-chain.ts";
import { directoryOf } from "../../src/scenario/directory.ts";
import { parsed, ran } from "../run/support.ts";
import { mutationsOf } from "./mutations.ts";

const TEXT = `
name: a checkpoint
genesis:
  checkpoints: { interval_ms: 400 }
  tokens: { USD: { decimals: 6, master: issuer, roles: { Pause: [gina, hal] } } }
  balances: { alice: { USD: "100" }, dave: { USD: "7" } }
  fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" }
steps:
  - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 } }
  - { at: 0, submit: { id: m, mint: { from: issuer, token: USD, to: carol, value: "5" }, nonce: 0 } }
  - { at: 900, submit: { id: p, pause: { from: gina, token: USD }, nonce: 0 } }
  - { at: 900, submit: { id: q, pause: { from: hal, token: USD }, nonce: 0 } }
expect: [{ final: [x, m] }, { failed: { q: business_pause_state } }]
`;
const result = ran(TEXT);
const directory = directoryOf(parsed(TEXT), keyedHash);
const validators = directory.validators.map((name) => directory.validator(name));
const committee = committeeFile(1_212_101, 0 as Epoch, validators, keyedHash);
const archive = result.checkpoints;
const usd = [...directory.tokens.values()][0]?.address as Address;
const last = archive.at(-1) as ChainLink;
const proofs: readonly (readonly [string, InclusionFile])[] = [
  ...result.finals.flatMap(({ id, name }) => {
    return archive.flatMap((link) =>
      receiptsOf(link).flatMap((receipt, index) =>
        receipt.id !== id
          ? []
          : [
              [`operation ${name}`, operationProof(link, index)] as const,
              [`receipt ${name}`, receiptProof(link, index)] as const,
            ],
      ),
    );
  }),
  ...["alice", "bob", "carol", "dave", "nobody"].map(
    (name) => [`balance of ${name}`, balanceProof(last, directory.account(name), usd)] as const,
  ),
];

describe("an inclusion proof", () => {
  it("exists for every effect, failed ones included, and for every balance", () => {
    expect(result).toMatchObject({ verdict: "pass" });
    expect(proofs.map(([name]) => name)).toEqual(
      expect.arrayContaining(["operation x", "receipt m", "receipt q", "balance of nobody"]),
    );
    const receipts = proofs.flatMap(([, { receipt }]) => receipt ?? []);
    expect(receipts.find(({ success }) => !success)).toMatchObject({ error: "business_pause_state", fee: "0" });
  });

  it.each(proofs)("is valid offline after a round trip through its text: %s", (_, file) => {
    const read = readProof(JSON.stringify(file));
    expect(read.ok && proofRefusal(read.value, committee)).toBeUndefined();
  });

  it("proves balance 0 of an account without an entry", () => {
    expect(balanceProof(last, directory.account("nobody"), usd).balance?.amount).toBe("0");
  });

  it.each(proofs)("is invalid after any change of a member: %s", (name, file) => {
    for (const { path, how, file: other } of mutationsOf(file)) {
      // A signature has its signer, and another account without an entry has balance 0, too.
      if (how === "left out" && path.endsWith(".signer")) continue;
      if (name === "balance of nobody" && (path === "balance.account" || path === "balance.token")) continue;
      const read = readProof(JSON.stringify(other));
      expect(read.ok ? proofRefusal(read.value, committee) : "malformed", `${path} ${how}`).toBeDefined();
    }
  });

  it("is judged by a committee of which no member was changed", () => {
    for (const { path, how, file } of mutationsOf(committee)) {
      if (path === "committee_hash") continue;
      expect(readCommittee(JSON.stringify(file)).ok, `${path} ${how}`).toBe(false);
    }
    expect(readCommittee(JSON.stringify(committee))).toMatchObject({ ok: true });
  });

  it.each([
    ["YAML", (text: string) => text.replaceAll('"', "")],
    ["a comment", (text: string) => `${text} # comment`],
    ["a comma too many", (text: string) => text.replace(/}$/, ",}")],
    ["a name twice", (text: string) => text.replace("{", '{"closing": null, "closing": null,')],
    ["an exponent", (text: string) => text.replace('"timestamp":', '"timestamp":1e0, "x":')],
    ["a fraction", (text: string) => text.replace(/"size":(\d+)/, '"size":$1.0')],
  ])("is read as strict JSON, not %s", (_, change) => {
    const [, file] = proofs[0] as (typeof proofs)[number];
    const text = JSON.stringify(file);
    expect(change(text)).not.toBe(text);
    expect(readProof(change(text)).ok).toBe(false);
  });

  it("needs the checkpoint's own certificate", () => {
    const [, file] = proofs[0] as (typeof proofs)[number];
    const other = { ...file, certificate: { ...file.certificate, slot: { kind: "token", address: usd, number: 1 } } };
    expect(proofRefusal(other as InclusionFile, committee)).toBe("invalid signature");
  });
});
