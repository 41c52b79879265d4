/** Strategies that sign for others, or for rounds and slots that no honest validator has reached, or that repeat messages. */
import type { Address, Round, Signature } from "../../../core/base/ids.ts";
import { slotAt, slotNumber } from "../../../core/base/slot.ts";
import type { SignedMessage, StatementContent } from "../../../core/consensus/message.ts";
import type { PeerMessage } from "../../../core/validator/message.ts";
import type { Output } from "../../../core/validator/output.ts";
import { STRATEGY_ROUNDS_MAX } from "../../settings.ts";
import {
  afterInput,
  afterSend,
  FULL_BUDGET,
  type InterceptedStep,
  type MessageBudget,
  replaceEach,
  type Strategy,
  type StrategyRecord,
  signStatement,
  withReceived,
} from "../strategy.ts";

/** Signature that no key makes: s is zero. */
const BROKEN = `0x${"0".repeat(63)}1${"0".repeat(64)}00` as Signature;

/** `chance`: of each statement. Half of them name a peer as their signer. */
export const invalidSignatures: StrategyRecord = {
  sentence: "Sends statements with broken signatures, or in the name of another validator, at a share of `chance`.",
  weight: 1,
  readsChance: true,
  create: ({ chance }) =>
    replaceEach((step, output) => {
      if (output.type !== "sign" || step.choose(chance.in) >= chance.of) return output;
      const named = [step.self, ...step.peers];
      return forgeStatement(output, step.choose(2) === 0 ? step.self : (named[step.choose(named.length)] as Address));
    }),
};

function forgeStatement(output: Extract<Output, { type: "sign" }>, signer: Address): Output {
  const body = { ...(output.message.body as StatementContent), signer, signature: BROKEN } as SignedMessage;
  return { type: "send", to: output.to, message: { ...output.message, body } };
}

/** Distances above its own round: the next one, one that a validator still keeps, one far out of reach. */
const ROUNDS_UP: readonly number[] = [1, 10, 1_000];
/** Distances after a received slot: the next one, and one far away. */
const SLOTS_ON: readonly number[] = [1, 1_000];

/** Numbers of invented slots and round changes: both are bounded. */
interface RoundMemory {
  readonly slots: number;
  readonly rounds: number;
}

/**
 * Round changes of the program do not raise the budget here: more than f such validators pull each other's programs
 * along, and would inflate each reached round again.
 */
export const inflatedRounds: StrategyRecord = {
  sentence: "Sends round changes for rounds far above its own, and for slots that nobody has opened.",
  weight: 2,
  create: (): Strategy<RoundMemory> => ({
    memory: { slots: 0, rounds: 0 },
    intercept: (step, { slots, rounds }) => {
      const wanted = step.outputs.flatMap((output) => inflateRounds(step, output));
      const higher = wanted.slice(0, STRATEGY_ROUNDS_MAX - rounds);
      const unopened = slots < STRATEGY_ROUNDS_MAX ? laterSlotChanges(step, slots) : [];
      return {
        outputs: [...step.outputs, ...higher, ...unopened],
        memory: { slots: slots + unopened.length, rounds: rounds + higher.length },
      };
    },
  }),
};

function inflateRounds(step: InterceptedStep, output: Output): readonly Output[] {
  if (output.type !== "sign" || output.message.body.type !== "roundChange") return [];
  const { body } = output.message;
  return ROUNDS_UP.map((by) => signStatement(step.peers, { ...body, round: (body.round + by) as Round }));
}

/** Round changes for slots after the input's one, each time for others. */
function laterSlotChanges(step: InterceptedStep, madeUp: number): readonly Output[] {
  const { input } = step;
  if (input.type !== "message" || input.message.type !== "consensus" || input.from === step.self) return [];
  const { epoch, slot } = input.message.body;
  return SLOTS_ON.map((by) => {
    const later = slotAt(slot, by + madeUp + slotNumber(slot));
    return signStatement(step.peers, { type: "roundChange", epoch, slot: later, round: 1 as Round, lock: undefined });
  });
}

interface ReplayMemory {
  /** Last received messages. */
  readonly received: readonly PeerMessage[];
  readonly budget: MessageBudget;
}

/** `chance`: of one old message with each input. */
export const replayStale: StrategyRecord = {
  sentence: "Sends a message that it received earlier again to all validators, in a share `chance` of its steps.",
  weight: 1,
  readsChance: true,
  create: ({ chance }): Strategy<ReplayMemory> => ({
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
