/** Strategy: signs for every value of a round that it receives; an honest validator signs for one. */
import type { Hash } from "../../core/base/ids.ts";
import { Trie } from "../../core/base/trie.ts";
import type { Output } from "../../core/validator/output.ts";
import { STRATEGY_ROUNDS_MAX } from "../limits.ts";
import { type Budget, earned, FULL_BUDGET, isWithinReach, spent } from "./budget.ts";
import type { Strategy, Turn } from "./strategy.ts";
import { type Heard, heardIn, NO_RUMOURS, placeOf, type Rumours, remember } from "./values.ts";

interface Memory {
  readonly rumours: Rumours;
  /** Signed values by position and value, of the program and the strategy. */
  readonly signed: Trie<true>;
  readonly budget: Budget;
}

/** The program never receives these signatures, which it did not make. */
export function double(kind: "vote" | "commit"): Strategy<Memory> {
  return {
    memory: { rumours: NO_RUMOURS, signed: Trie.empty(), budget: FULL_BUDGET },
    act: (turn, memory) => {
      const heard = heardIn(turn).filter(({ epoch }) => isWithinReach(epoch, turn));
      const rumours = remember(memory.rumours, heard);
      const own = turn.outputs.flatMap((output) => ownSignatures(kind, output));
      let signed = memory.signed.size > STRATEGY_ROUNDS_MAX ? Trie.empty<true>() : memory.signed;
      for (const one of own) signed = signed.set(`${placeOf(one)} ${one.value}`, true);
      const wanted: Output[] = [];
      for (const place of heard) {
        for (const value of rumours.get(placeOf(place)) ?? []) {
          const key = `${placeOf(place)} ${value}`;
          if (signed.has(key)) continue;
          signed = signed.set(key, true);
          wanted.push(signature(kind, turn, place, value));
        }
      }
      const { added, left } = spent(earned(memory.budget, turn), wanted);
      return { outputs: [...turn.outputs, ...added], memory: { rumours, signed, budget: left } };
    },
  };
}

function ownSignatures(kind: "vote" | "commit", output: Output): Heard[] {
  if (output.type !== "sign" || output.message.body.type !== kind) return [];
  const { epoch, slot, round, value } = output.message.body;
  return [{ epoch, slot, round, value }];
}

function signature(kind: "vote" | "commit", turn: Turn, { epoch, slot, round }: Heard, value: Hash): Output {
  const body = { type: kind, epoch, slot, round, value };
  const message = { type: "consensus", body, contents: [], reason: undefined } as const;
  return { type: "sign", to: turn.peers, message };
}
