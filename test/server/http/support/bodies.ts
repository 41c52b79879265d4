/** Bodies that the accounts of the tests sign. */
import type { Address, Nonce } from "../../../../src/core/base/ids.ts";
import type { Layout, Mint, Payment } from "../../../../src/core/base/operation.ts";
import type { PrivateKey } from "../../../../src/core/crypto/scheme.ts";
import { CHAIN } from "../../../core/ledger/support/operations.ts";
import { amount, COIN } from "../../../core/ledger/support/world.ts";
import { ALICE_KEY, BOB, type Json, MASTER_KEY, signatureOf } from "./client.ts";

export const PAYMENT = "/v1/transactions/payment";
export const MINT = "/v1/tokens/mint";

export interface PaymentParts {
  readonly key?: PrivateKey;
  readonly nonce?: number;
  readonly recipient?: Address;
  readonly value?: bigint;
}

/** A payment as the client layout signs it. */
export function paymentBody({ key = ALICE_KEY, nonce = 0, recipient = BOB, value = 10n }: PaymentParts = {}): Json {
  const operation: Payment = {
    kind: "payment",
    layout: "client",
    chainId: CHAIN,
    nonce: nonce as Nonce,
    recipient,
    value: amount(value),
    token: COIN,
  };
  return {
    chain_id: CHAIN,
    nonce,
    recipient,
    value: String(value),
    token: COIN,
    signature: signatureOf(key, operation),
  };
}

/** A mint, signed in either layout. */
export function mintBody(layout: Layout, key: PrivateKey = MASTER_KEY, nonce = 0): Json {
  const operation: Mint = {
    kind: "mint",
    layout,
    chainId: CHAIN,
    nonce: nonce as Nonce,
    recipient: BOB,
    value: amount(5n),
    token: COIN,
  };
  return { chain_id: CHAIN, nonce, recipient: BOB, value: "5", token: COIN, signature: signatureOf(key, operation) };
}
