/** Strategy: sends earlier received messages again, to all validators. */
import type { PeerMessage } from "../../core/validator/message.ts";
import { STRATEGY_MESSAGES_MAX } from "../limits.ts";
import type { Ratio } from "../plan.ts";
import { type Budget, earned, FULL_BUDGET, spent } from "./budget.ts";
import type { Strategy } from "./strategy.ts";

interface Memory {
  /** Last received messages. */
  readonly heard: readonly PeerMessage[];
  readonly budget: Budget;
}

/** `chance`: of one old message with each input. */
export function replayStale(chance: Ratio): Strategy<Memory> {
  return {
    memory: { heard: [], budget: FULL_BUDGET },
    act: (turn, memory) => {
      const { input } = turn;
      const before = memory.heard;
      const heard = input.type === "message" ? [...before, input.message].slice(-STRATEGY_MESSAGES_MAX) : before;
      const budget = earned(memory.budget, turn);
      if (heard.length === 0 || turn.choose(chance.in) >= chance.of)
        return { outputs: turn.outputs, memory: { heard, budget } };
      const message = heard[turn.choose(heard.length)] as PeerMessage;
      const { added, left } = spent(budget, [{ type: "send", to: turn.peers, message }]);
      return { outputs: [...turn.outputs, ...added], memory: { heard, budget: left } };
    },
  };
}
