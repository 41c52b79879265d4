/** Strategy: sends earlier received messages again, to all validators. */
import type { PeerMessage } from "../../core/validator/message.ts";
import { STRATEGY_MESSAGES_MAX } from "../limits.ts";
import type { Ratio } from "../plan.ts";
import { afterInput, afterSend, type Budget, FULL_BUDGET } from "./budget.ts";
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
    intercept: (step, memory) => {
      const { input } = step;
      const before = memory.heard;
      const heard = input.type === "message" ? [...before, input.message].slice(-STRATEGY_MESSAGES_MAX) : before;
      const budget = afterInput(memory.budget, step);
      if (heard.length === 0 || step.choose(chance.in) >= chance.of)
        return { outputs: step.outputs, memory: { heard, budget } };
      const message = heard[step.choose(heard.length)] as PeerMessage;
      const { added, left } = afterSend(budget, [{ type: "send", to: step.peers, message }]);
      return { outputs: [...step.outputs, ...added], memory: { heard, budget: left } };
    },
  };
}
