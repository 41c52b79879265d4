/** A network that takes signed payments over HTTP, as a client sees it. */
import type { ReadyAccount } from "../../src/server/setup/accounts.ts";
import type { Child } from "./child.ts";
import type { Wire } from "./wire.ts";

/** A payment that is signed already. */
export interface Payment {
  readonly body: string;
}

export interface Target {
  readonly name: string;
  readonly child: Child;
  /** Resolves once the smallest question is answered. */
  firstAnswer(wire: Wire): Promise<void>;
  /** The next payment of an account. */
  sign(account: ReadyAccount): Payment;
  /** Hands it in; resolves with its hash once it is admitted. */
  submit(wire: Wire, payment: Payment): Promise<string>;
  /** Resolves once its receipt is there. */
  receipt(wire: Wire, hash: string): Promise<void>;
}

/** Counts the nonces of accounts. */
export function nonces(): (account: ReadyAccount) => number {
  const next = new Map<string, number>();
  return ({ address }) => {
    const nonce = next.get(address) ?? 0;
    next.set(address, nonce + 1);
    return nonce;
  };
}
