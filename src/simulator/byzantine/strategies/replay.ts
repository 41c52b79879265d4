/** Strategies that send received messages again, unchanged or with one member changed. */
import type { Address, Hash, Round } from "../../../core/base/ids.ts";
import { slotAt, slotNumber } from "../../../core/base/slot.ts";
import type { ConsensusMessage } from "../../../core/consensus/message.ts";
import type { PeerMessage } from "../../../core/validator/message.ts";
import type { Output } from "../../../core/validator/output.ts";
import { bodyValues } from "../../network/message-content.ts";
import { STRATEGY_ADDED_MAX, STRATEGY_MESSAGES_MAX } from "../../settings.ts";
import {
  afterInput,
  afterSend,
  type Budget,
  FULL_BUDGET,
  type InterceptedStep,
  type Strategy,
  type StrategyRecord,
  withReceived,
} from "../strategy.ts";

interface StaleMemory {
  /** Last received messages. */
  readonly received: readonly PeerMessage[];
  readonly budget: Budget;
}

/** `chance`: of one old message with each input. */
export const replayStale: StrategyRecord = {
  sentence: "Sends a message that it received earlier again to all validators, in a share `chance` of its steps.",
  weight: 1,
  readsChance: true,
  create: ({ chance }): Strategy<StaleMemory> => ({
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

interface ChangedMemory {
  /** Last received statements and certificates: the source of other slots, values and locks. */
  readonly received: readonly ConsensusMessage[];
  /** Number of forwarded messages: each one uses the next change. */
  readonly sent: number;
}

export const replayChanged: StrategyRecord = {
  sentence: "Sends the statements of others with one member changed and the old signature.",
  weight: 2,
  create: (): Strategy<ChangedMemory> => ({
    memory: { received: [], sent: 0 },
    intercept: (step, memory) => {
      const { input, self } = step;
      if (input.type !== "message" || input.from === self || input.message.type !== "consensus") {
        return { outputs: step.outputs, memory };
      }
      if (memory.sent >= STRATEGY_ADDED_MAX) return { outputs: step.outputs, memory };
      const received = [...memory.received, input.message.body].slice(-STRATEGY_MESSAGES_MAX);
      const changed = changedCopy(step, received, memory.sent, input.message);
      return { outputs: [...step.outputs, ...changed], memory: { received, sent: memory.sent + 1 } };
    },
  }),
};

function changedCopy(
  { peers }: InterceptedStep,
  received: ChangedMemory["received"],
  sent: number,
  message: Extract<PeerMessage, { type: "consensus" }>,
): readonly Output[] {
  const changes = changesOf(message.body, received, peers);
  const body = changes[sent % changes.length];
  return body === undefined ? [] : [{ type: "send", to: peers, message: { ...message, body } }];
}

/** Every change of one member. Signatures and seals stay as they were. */
function changesOf(
  body: ConsensusMessage,
  received: ChangedMemory["received"],
  peers: readonly Address[],
): readonly ConsensusMessage[] {
  const found: ConsensusMessage[] = [
    { ...body, round: (body.round + 1) as Round },
    { ...body, slot: slotAt(body.slot, slotNumber(body.slot) + 1) },
    ...received
      .filter(({ slot }) => slot.kind !== body.slot.kind)
      .map(({ slot }) => ({ ...body, slot }))
      .slice(-1),
  ];
  if ("signer" in body) {
    for (const signer of peers) if (signer !== body.signer) found.push({ ...body, signer });
  }
  if (body.type === "roundChange") {
    found.push({ ...body, lock: undefined });
    for (const lock of received) if (lock.type === "lock" && lock !== body.lock) found.push({ ...body, lock });
    return found;
  }
  if (body.type === "close") {
    for (const index of body.claims.keys())
      found.push({ ...body, claims: body.claims.filter((_, at) => at !== index) });
    return found;
  }
  const value = otherValue(body.value, received);
  if (value !== undefined) found.push({ ...body, value });
  if (body.type === "vote") found.push({ ...body, type: "commit" });
  if (body.type === "commit") found.push({ ...body, type: "vote" });
  if (body.type === "lock") found.push({ ...body, type: "finality" });
  if (body.type === "finality") found.push({ ...body, type: "lock" });
  return found;
}

function otherValue(value: Hash, received: ChangedMemory["received"]): Hash | undefined {
  return received.flatMap((body) => (body.type === "roundChange" ? [] : bodyValues(body))).find((one) => one !== value);
}
