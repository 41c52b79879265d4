/** Sends again, to everybody, what it heard earlier. */
import type { PeerMessage } from "../../core/validator/message.ts";
import { STRATEGY_MESSAGES_MAX } from "../limits.ts";
import type { Ratio } from "../plan.ts";
import type { Strategy } from "./strategy.ts";

/** `chance`: of one old message with each input. Its memory is the last messages that it heard. */
export function replayStale(chance: Ratio): Strategy<readonly PeerMessage[]> {
  return {
    memory: [],
    act: (turn, memory) => {
      const { input } = turn;
      const heard = input.type === "message" ? [...memory, input.message].slice(-STRATEGY_MESSAGES_MAX) : memory;
      if (heard.length === 0 || turn.choose(chance.in) >= chance.of) return { outputs: turn.outputs, memory: heard };
      const message = heard[turn.choose(heard.length)] as PeerMessage;
      return { outputs: [...turn.outputs, { type: "send", to: turn.peers, message }], memory: heard };
    },
  };
}
