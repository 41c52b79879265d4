/** A multisig account of sessions: its creation, and what its members sign with enough weight, or too little. */
import type { Fields } from "../client/layouts.ts";
import { text } from "../client/rlp.ts";
import { hashOf, multisigAddressOf, multisigBody, publicKeyOf, type SignedBody } from "../client/signing.ts";

const KEYS = ["chair", "clerk", "guest"].map((name) => hashOf(text(`${name} of the board`))) as [
  string,
  string,
  string,
];
const MEMBERS = KEYS.map((key, at) => ({ key, weight: at === 0 ? 2 : 1 }));
const THRESHOLD = 3;

export const BOARD = multisigAddressOf(MEMBERS, THRESHOLD);

/** Members of the body of its creation. */
export const CREATION: Fields["multisig"] = {
  signers: MEMBERS.map(({ key, weight }) => ({
    public_key: [...Buffer.from(publicKeyOf(key).slice(2), "hex")],
    weight,
  })),
  threshold: THRESHOLD,
};

/** Those who sign: their weight is 2 of the 3 that it takes, or 3. */
export function signersOf(isEnough: boolean): readonly string[] {
  return isEnough ? KEYS.slice(0, 2) : KEYS.slice(1);
}

/** A payment, or a batch of two, with the path that it is posted to. */
export function boardBody(
  isBatch: boolean,
  head: { readonly chain_id: number; readonly nonce: number },
  { recipient, value, token }: { readonly recipient: string; readonly value: number; readonly token: string },
  keys: readonly string[],
): SignedBody & { readonly path: string } {
  if (!isBatch) {
    const fields = { ...head, recipient, value: `${value}`, token };
    return { ...multisigBody("payment", fields, BOARD, keys), path: "/v2/transactions/payment" };
  }
  const operations = [value, 1].map((amount) => ({ recipient, amount: `${amount}` }));
  const fields = { ...head, token, operations, created_at: value };
  return { ...multisigBody("batch", fields, BOARD, keys), path: "/v2/transactions/batch_payment" };
}
