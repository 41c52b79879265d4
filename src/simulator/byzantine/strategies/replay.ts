/** Strategy that sends received messages again. */
import type { PeerMessage } from "../../../core/validator/message.ts";
import {
  afterInput,
  afterSend,
  FULL_BUDGET,
  type MessageBudget,
  type Strategy,
  type StrategyRecord,
  withReceived,
} from "../strategy.ts";

interface Memory {
  /** Last received messages. */
  readonly received: readonly PeerMessage[];
  readonly budget: MessageBudget;
}

/** `chance`: of one old message with each input. */
export const replayStale: StrategyRecord = {
  sentence: "Sends a message that it received earlier again to all validators, in a share `chance` of its steps.",
  weight: 1,
  readsChance: true,
  create: ({ chance }): Strategy<Memory> => ({
    memory: { received: [], budget: FULL_BUDGET },
    intercept: (step, memory) => {
      const received = withReceived(step, memory.received);
      const budget = afterInput(memory.budget, step);
      if (received.length === 0 || step.choose(chance.in) >= chance.of)
        return { outputs: step.outputs, memory: { received, budget } };
      const message = received[step.choose(received.length)] as PeerMessage;
      const { added, left } = afterSend(budget, [{ type: "send", to: step.peers, message }]);
      return { outputs: [...step.outputs, ...added], memory: { received, budget: left } };
    },
  }),
};
