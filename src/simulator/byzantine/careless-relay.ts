/** Strategy: relays every submission, valid or not; voters check for themselves (protocol 4.2). */
import type { Address } from "../../core/base/ids.ts";
import { isRecovery, type SignedOperation } from "../../core/base/operation.ts";
import { Trie } from "../../core/base/trie.ts";
import { operationId } from "../../core/ledger/identity.ts";
import type { Content } from "../../core/validator/content.ts";
import type { Output } from "../../core/validator/output.ts";
import { STRATEGY_ROUNDS_MAX } from "../limits.ts";
import { afterStep, appliedIn, NO_SEQUENCES, nextSlotOf, type Sequences } from "./sequences.ts";
import type { InterceptedStep, Strategy } from "./strategy.ts";

interface Memory {
  readonly sequences: Sequences;
  /** First submission by sender and nonce. */
  readonly handedIn: Trie<SignedOperation>;
}

export function carelessRelay(): Strategy<Memory> {
  return {
    memory: { sequences: NO_SEQUENCES, handedIn: Trie.empty() },
    intercept: (step, memory) => {
      const { input } = step;
      const sequences = afterStep(memory.sequences, appliedIn(step));
      if (input.type !== "submit" || isRecovery(input.submission)) {
        return { outputs: step.outputs, memory: { ...memory, sequences } };
      }
      const signed = input.submission;
      const handedIn = memory.handedIn.size >= STRATEGY_ROUNDS_MAX ? Trie.empty<SignedOperation>() : memory.handedIn;
      const key = `${signed.sender} ${signed.operation.nonce}`;
      const first = handedIn.get(key);
      // Before any vote: the first operation's value with this operation as its content.
      const named = first === undefined ? [] : [offer(step, sequences, first, signed)];
      return {
        outputs: [
          ...named,
          ...step.outputs,
          offer(step, sequences, signed, signed),
          ...misplaced(step, sequences, signed),
        ],
        memory: { sequences, handedIn: first === undefined ? handedIn.set(key, signed) : handedIn },
      };
    },
  };
}

/** The value of an operation, with the operation itself or another one as its content. */
function offer(
  { peers }: InterceptedStep,
  sequences: Sequences,
  named: SignedOperation,
  shown: SignedOperation,
  account: Address = named.sender,
): Output {
  const content: Content = {
    value: { type: "operation", id: operationId(named) },
    operations: [shown],
    certificates: [],
  };
  const slot = nextSlotOf(sequences, account);
  return { type: "send", to: peers, message: { type: "offer", slot, content } };
}

/** A payment offered in its recipient's account. */
function misplaced(step: InterceptedStep, sequences: Sequences, signed: SignedOperation): readonly Output[] {
  const { operation } = signed;
  return operation.kind === "payment" ? [offer(step, sequences, signed, signed, operation.recipient)] : [];
}
