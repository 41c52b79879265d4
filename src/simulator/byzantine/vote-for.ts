/**
 * Strategy: votes for one operation in every round of its account's slots that it receives, even after another vote
 * there.
 */
import type { Address, Epoch, Hash, Round } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import { type Slot, slotKey } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import { valueHash } from "../../core/ledger/value.ts";
import type { PeerMessage } from "../../core/validator/message.ts";
import { STRATEGY_ROUNDS_MAX } from "../limits.ts";
import { afterInput, afterSend, type Budget, FULL_BUDGET, isWithinBudget } from "./budget.ts";
import type { InterceptedStep, Strategy } from "./strategy.ts";

interface SlotRound {
  readonly epoch: Epoch;
  readonly slot: Slot;
  readonly round: Round;
}

interface Memory {
  /** Positions of its votes: one vote each. */
  readonly voted: Trie<true>;
  readonly budget: Budget;
}

/** `account`: the signer of the operation. */
export function voteFor(account: Address, operation: OperationId): Strategy<Memory> {
  const value: Hash = valueHash({ type: "operation", id: operation });
  return {
    memory: { voted: Trie.empty(), budget: FULL_BUDGET },
    intercept: (step, before) => {
      const memory = { ...before, budget: afterInput(before.budget, step) };
      const slotRound = step.input.type === "message" ? slotRoundIn(step, step.input.message) : undefined;
      if (slotRound?.slot.kind !== "account" || slotRound.slot.address !== account)
        return { outputs: step.outputs, memory };
      const { epoch, slot, round } = slotRound;
      const key = `${epoch} ${slotKey(slot)} ${round}`;
      if (memory.voted.has(key) || !isWithinBudget(epoch, step)) return { outputs: step.outputs, memory };
      const body = { type: "vote", epoch, slot, round, value } as const;
      const message = { type: "consensus", body, contents: [], reason: undefined } as const;
      const voted = memory.voted.size >= STRATEGY_ROUNDS_MAX ? Trie.empty<true>() : memory.voted;
      const { added, left } = afterSend(memory.budget, [{ type: "sign", to: step.peers, message }]);
      return { outputs: [...step.outputs, ...added], memory: { voted: voted.set(key, true), budget: left } };
    },
  };
}

/** Returns the epoch, slot and round of a message. */
function slotRoundIn({ epoch }: InterceptedStep, message: PeerMessage): SlotRound | undefined {
  if (message.type === "consensus") return message.body;
  return message.type === "offer" ? { epoch, slot: message.slot, round: 0 as Round } : undefined;
}
