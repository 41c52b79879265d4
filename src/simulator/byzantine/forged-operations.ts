/**
 * Strategy: relays operations that their sender never signed, with the signature of another one (specification 4.1).
 */
import type { Address, Nonce, Sequence } from "../../core/base/ids.ts";
import type { SignedOperation } from "../../core/base/operation.ts";
import { type AccountSlot, slotKey } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import { operationId } from "../../core/ledger/identity.ts";
import type { Output } from "../../core/validator/output.ts";
import { STRATEGY_ROUNDS_MAX } from "../limits.ts";
import type { InterceptedStep, Strategy } from "./strategy.ts";

/** Its memory is the slots with a forgery: one each. */
export function forgedOperations(): Strategy<Trie<true>> {
  return {
    memory: Trie.empty(),
    intercept: (step, before) => {
      const memory = before.size >= STRATEGY_ROUNDS_MAX ? Trie.empty<true>() : before;
      const found = offered(step);
      if (found === undefined || memory.has(slotKey(found.slot))) return { outputs: step.outputs, memory };
      const more = forgeries(step, found.slot, found.signed);
      return { outputs: [...step.outputs, ...more], memory: memory.set(slotKey(found.slot), true) };
    },
  };
}

interface Offered {
  readonly slot: AccountSlot;
  readonly signed: SignedOperation;
}

/** Returns a payment that another validator offers and no strategy has forged. */
function offered({ input, peers }: InterceptedStep): Offered | undefined {
  if (input.type !== "message" || input.message.type !== "offer") return undefined;
  const { slot, content } = input.message;
  const [signed] = content.operations;
  if (slot.kind !== "account" || content.value.type !== "operation" || signed?.operation.kind !== "payment")
    return undefined;
  return peers.includes(signed.operation.recipient) ? undefined : { slot, signed };
}

/** The same nonce with a payment to itself, and the next nonce, under the genuine signature. */
function forgeries({ self, peers }: InterceptedStep, slot: AccountSlot, signed: SignedOperation): readonly Output[] {
  const { nonce } = signed.operation;
  const after: AccountSlot = { ...slot, sequence: (slot.sequence + 1) as Sequence };
  const forged = [
    { slot, signed: paidTo(self, signed, nonce) },
    { slot: after, signed: paidTo(self, signed, (nonce + 1) as Nonce) },
  ];
  return forged.map((one): Output => {
    const value = { type: "operation", id: operationId(one.signed) } as const;
    const content = { value, operations: [one.signed], certificates: [] };
    return { type: "send", to: peers, message: { type: "offer", slot: one.slot, content } };
  });
}

function paidTo(thief: Address, signed: SignedOperation, nonce: Nonce): SignedOperation {
  return { ...signed, operation: { ...signed.operation, recipient: thief, nonce } as SignedOperation["operation"] };
}
