/** Strategies of an entry validator against clients and voters (protocol 4.2). */
import type { Address, Nonce, Sequence } from "../../../core/base/ids.ts";
import { isRecovery, type SignedOperation } from "../../../core/base/operation.ts";
import { type AccountSlot, slotKey } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import type { Output } from "../../../core/validator/output.ts";
import { afterStep, appliedIn, NO_SEQUENCES, nextSlotOf, offerOperation, type Sequences } from "../known-operations.ts";
import { emptiedIfFull, type InterceptedStep, replaceEach, type Strategy, type StrategyRecord } from "../strategy.ts";

interface Memory {
  readonly sequences: Sequences;
  /** First submission by sender and nonce. */
  readonly submitted: Trie<SignedOperation>;
}

export const carelessRelay: StrategyRecord = {
  sentence: "Relays every operation that a client submits, valid or not.",
  weight: 2,
  create: (): Strategy<Memory> => ({
    memory: { sequences: NO_SEQUENCES, submitted: Trie.empty() },
    intercept: (step, memory) => {
      const { input } = step;
      const sequences = afterStep(memory.sequences, appliedIn(step));
      if (input.type !== "submit" || isRecovery(input.submission)) {
        return { outputs: step.outputs, memory: { ...memory, sequences } };
      }
      const signed = input.submission;
      const submitted = emptiedIfFull(memory.submitted);
      const key = `${signed.sender} ${signed.operation.nonce}`;
      const first = submitted.get(key);
      const slot = nextSlotOf(sequences, signed.sender);
      // Before any vote: the first operation's value with this operation as its content.
      const named = first === undefined ? [] : [offerOperation(step, slot, first, signed)];
      const genuine = offerOperation(step, slot, signed);
      return {
        outputs: [...named, ...step.outputs, genuine, ...misplacedOffer(step, sequences, signed)],
        memory: { sequences, submitted: first === undefined ? submitted.set(key, signed) : submitted },
      };
    },
  }),
};

/** A payment offered in its recipient's account. */
function misplacedOffer(step: InterceptedStep, sequences: Sequences, signed: SignedOperation): readonly Output[] {
  const { operation } = signed;
  return operation.kind === "payment" ? [offerOperation(step, nextSlotOf(sequences, operation.recipient), signed)] : [];
}

/** Its memory is the slots with a forgery: one each. */
export const forgedOperations: StrategyRecord = {
  sentence: "Relays operations whose sender never signed them.",
  weight: 1,
  create: (): Strategy<Trie<true>> => ({
    memory: Trie.empty(),
    intercept: (step, before) => {
      const memory = emptiedIfFull(before);
      const found = offeredPayment(step);
      if (found === undefined || memory.has(slotKey(found.slot))) return { outputs: step.outputs, memory };
      const more = forgeries(step, found.slot, found.signed);
      return { outputs: [...step.outputs, ...more], memory: memory.set(slotKey(found.slot), true) };
    },
  }),
};

interface OfferedPayment {
  readonly slot: AccountSlot;
  readonly signed: SignedOperation;
}

/** Returns a payment that another validator offers and no strategy has forged. */
function offeredPayment({ input, peers }: InterceptedStep): OfferedPayment | undefined {
  if (input.type !== "message" || input.message.type !== "offer") return undefined;
  const { slot, content } = input.message;
  const [signed] = content.operations;
  if (slot.kind !== "account" || content.value.type !== "operation" || signed?.operation.kind !== "payment")
    return undefined;
  return peers.includes(signed.operation.recipient) ? undefined : { slot, signed };
}

/** The same nonce with a payment to itself, and the next nonce, under the genuine signature. */
function forgeries(step: InterceptedStep, slot: AccountSlot, signed: SignedOperation): readonly Output[] {
  const { nonce } = signed.operation;
  const after: AccountSlot = { ...slot, sequence: (slot.sequence + 1) as Sequence };
  return [
    offerOperation(step, slot, paidTo(step.self, signed, nonce)),
    offerOperation(step, after, paidTo(step.self, signed, (nonce + 1) as Nonce)),
  ];
}

function paidTo(recipient: Address, signed: SignedOperation, nonce: Nonce): SignedOperation {
  return { ...signed, operation: { ...signed.operation, recipient, nonce } as SignedOperation["operation"] };
}

export const falseRefusal: StrategyRecord = {
  sentence: "Responds to its clients that it refused their operation and disclosed it to nobody, and relays it.",
  weight: 1,
  create: () => replaceEach((_, output) => withFalseRefusal(output)),
};

function withFalseRefusal(output: Output): Output {
  if (output.type !== "reply" || output.reply.status === "refused") return output;
  const refusal = { code: "system_queue_full", limit: 0 } as const;
  return { ...output, reply: { status: "refused", refusal, disclosed: false } };
}
