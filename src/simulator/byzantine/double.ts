/** Strategy: signs for every value of a round that it receives; an honest validator signs for one. */
import type { Hash } from "../../core/base/ids.ts";
import { Trie } from "../../core/base/trie.ts";
import type { Output } from "../../core/validator/output.ts";
import { STRATEGY_ROUNDS_MAX } from "../limits.ts";
import { afterInput, afterSend, type Budget, FULL_BUDGET, isWithinBudget } from "./budget.ts";
import { NO_SEEN_VALUES, type SeenValue, type SeenValues, slotRoundKey, valuesIn, withSeen } from "./seen-values.ts";
import type { InterceptedStep, Strategy } from "./strategy.ts";

interface Memory {
  readonly rumours: SeenValues;
  /** Signed values by position and value, of the program and the strategy. */
  readonly signed: Trie<true>;
  readonly budget: Budget;
}

/** The program never receives these signatures, which it did not make. */
export function double(kind: "vote" | "commit"): Strategy<Memory> {
  return {
    memory: { rumours: NO_SEEN_VALUES, signed: Trie.empty(), budget: FULL_BUDGET },
    intercept: (step, memory) => {
      const heard = valuesIn(step).filter(({ epoch }) => isWithinBudget(epoch, step));
      const seen = withSeen(memory.rumours, heard);
      const own = step.outputs.flatMap((output) => ownSignatures(kind, output));
      let signed = memory.signed.size > STRATEGY_ROUNDS_MAX ? Trie.empty<true>() : memory.signed;
      for (const one of own) signed = signed.set(`${slotRoundKey(one)} ${one.value}`, true);
      const wanted: Output[] = [];
      for (const slotRound of heard) {
        for (const value of seen.get(slotRoundKey(slotRound)) ?? []) {
          const key = `${slotRoundKey(slotRound)} ${value}`;
          if (signed.has(key)) continue;
          signed = signed.set(key, true);
          wanted.push(signature(kind, step, slotRound, value));
        }
      }
      const { added, left } = afterSend(afterInput(memory.budget, step), wanted);
      return { outputs: [...step.outputs, ...added], memory: { rumours: seen, signed, budget: left } };
    },
  };
}

function ownSignatures(kind: "vote" | "commit", output: Output): SeenValue[] {
  if (output.type !== "sign" || output.message.body.type !== kind) return [];
  const { epoch, slot, round, value } = output.message.body;
  return [{ epoch, slot, round, value }];
}

function signature(
  kind: "vote" | "commit",
  step: InterceptedStep,
  { epoch, slot, round }: SeenValue,
  value: Hash,
): Output {
  const body = { type: kind, epoch, slot, round, value };
  const message = { type: "consensus", body, contents: [], reason: undefined } as const;
  return { type: "sign", to: step.peers, message };
}
