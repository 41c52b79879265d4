import { RLP } from "@ethereumjs/rlp";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { expect, inject, test } from "vitest";

const { url, chainId, alice, bob, usdx } = inject("network");

const get = async <T>(path: string) => (await (await fetch(url + path)).json()) as T;
const nonceOf = async (address: string) =>
  (await get<{ nonce: number }>(`/v1/accounts/nonce?address=${address}`)).nonce;
const balanceOf = async (address: string) => {
  const path = `/v1/accounts/token_account?address=${address}&token=${usdx.address}`;
  return BigInt((await get<{ balance: string }>(path)).balance);
};

/** Signs a payment as wallets do: the RLP list of its fields, hashed with keccak-256. */
function sign(payment: { chain_id: number; nonce: number; recipient: string; value: string; token: string }) {
  const { chain_id, nonce, recipient, value, token } = payment;
  const digest = keccak_256(RLP.encode([chain_id, nonce, recipient, BigInt(value), token]));
  const bytes = secp256k1.sign(digest, hexToBytes(alice.key.slice(2)), { prehash: false, format: "recovered" });
  const [r, s] = [bytes.slice(1, 33), bytes.slice(33)].map((part) => `0x${bytesToHex(part)}`);
  return { ...payment, signature: { r, s, v: bytes[0] } };
}

test("bob gets what alice pays him, and alice pays the fee", async () => {
  const [before, nonce] = [await balanceOf(alice.address), await nonceOf(alice.address)];
  const body = sign({ chain_id: chainId, nonce, recipient: bob.address, value: "12500000", token: usdx.address });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/v1/transactions/payment`, { method: "POST", headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  const { hash } = (await answer.json()) as { hash: string };

  // `min_receipt` waits until the payment is final: a quorum of validators has signed it.
  const path = `/v1/transactions/finalized/by_hash?hash=${hash}&min_receipt=${hash}`;
  const finalized = await get<{ success: boolean; fee_used: string; counter_signatures: object[] }>(path);
  expect(finalized.success).toBe(true);
  expect(finalized.counter_signatures.length).toBeGreaterThanOrEqual(3);
  expect(await balanceOf(bob.address)).toBe(1_012_500_000n);
  expect(await balanceOf(alice.address)).toBe(before - 12_500_000n - BigInt(finalized.fee_used));
});
