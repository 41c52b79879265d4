/** Senders that the candidates of a body recover to (wire 3.9). */
import type { SignedOperation } from "../../core/base/operation.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import { digestOf } from "../../core/ledger/layout.ts";
import type { Reading } from "./write.ts";

/**
 * Returns each candidate with the address that its signature recovers to, in the same order. Candidates without a
 * recovered address are dropped, so there may be none.
 */
export function candidatesOf({ operations, signature }: Reading, scheme: Scheme): readonly SignedOperation[] {
  return operations.flatMap((operation) => {
    const sender = scheme.recover(digestOf(operation), signature);
    return sender === undefined ? [] : [{ operation, sender, signature }];
  });
}
