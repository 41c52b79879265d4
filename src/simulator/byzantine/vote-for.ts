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
import { type Budget, earned, FULL_BUDGET, isWithinReach, spent } from "./budget.ts";
import type { Strategy, Turn } from "./strategy.ts";

interface Place {
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
    act: (turn, before) => {
      const memory = { ...before, budget: earned(before.budget, turn) };
      const place = turn.input.type === "message" ? placeIn(turn, turn.input.message) : undefined;
      if (place?.slot.kind !== "account" || place.slot.address !== account) return { outputs: turn.outputs, memory };
      const { epoch, slot, round } = place;
      const key = `${epoch} ${slotKey(slot)} ${round}`;
      if (memory.voted.has(key) || !isWithinReach(epoch, turn)) return { outputs: turn.outputs, memory };
      const body = { type: "vote", epoch, slot, round, value } as const;
      const message = { type: "consensus", body, contents: [], reason: undefined } as const;
      const voted = memory.voted.size >= STRATEGY_ROUNDS_MAX ? Trie.empty<true>() : memory.voted;
      const { added, left } = spent(memory.budget, [{ type: "sign", to: turn.peers, message }]);
      return { outputs: [...turn.outputs, ...added], memory: { voted: voted.set(key, true), budget: left } };
    },
  };
}

/** Returns the epoch, slot and round of a message. */
function placeIn({ epoch }: Turn, message: PeerMessage): Place | undefined {
  if (message.type === "consensus") return message.body;
  return message.type === "offer" ? { epoch, slot: message.slot, round: 0 as Round } : undefined;
}
