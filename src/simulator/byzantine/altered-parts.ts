/**
 * Strategy: alters one part of any message, by the table of their fields: of its own statements, which it signs as they
 * are then; of its other messages, answers included; and of what others signed, under their signatures (protocol 1.1).
 * What a signature does not cover (seals, contents, reasons, justifications) is altered under a valid one.
 */
import type { PeerMessage, UnsignedMessage } from "../../core/validator/message.ts";
import type { Output } from "../../core/validator/output.ts";
import { hashOf } from "../network/message-content.ts";
import { type Alteration, altered, type Extent } from "./alterations.ts";
import {
  afterInput,
  afterSend,
  type Budget,
  FULL_BUDGET,
  type InterceptedStep,
  isWithinBudget,
  modeOf,
  type Strategy,
  type StrategyRecord,
  withReceived,
} from "./strategy.ts";

interface Memory {
  /** Last messages received: the source of other parts. */
  readonly known: readonly PeerMessage[];
  readonly budget: Budget;
}

const MODES: Readonly<Record<Extent, string>> = {
  all: "It alters any part.",
  lists: "It alters lists: entries are dropped, doubled, moved, added or cut off.",
  members: "It alters single texts, numbers and flags.",
};

export const alteredParts: StrategyRecord = {
  sentence:
    "Alters one part of its messages, at any depth, and of what it received: under its own signature, and under that of others.",
  weight: 12,
  modes: MODES,
  create: ({ mode }): Strategy<Memory> => ({
    memory: { known: [], budget: FULL_BUDGET },
    intercept: (step, before) => {
      const known = withReceived(step, before.known);
      const how: Alteration = { extent: modeOf(MODES, mode), known, choose: (bound) => step.choose(bound) };
      const beside = step.outputs.flatMap((output) => signedBeside(output, step, how));
      const { added, left } = afterSend(afterInput(before.budget, step), [...beside, ...passedOn(step, how)]);
      const outputs = step.outputs.map((output) => answeredOtherwise(output, how));
      return { outputs: [...outputs, ...added], memory: { known, budget: left } };
    },
  }),
};

/** An altered statement under its own signature. An altered content mostly comes under its own hash. */
function signedBeside(output: Output, step: InterceptedStep, how: Alteration): readonly Output[] {
  if (output.type !== "sign") return [];
  const message = altered(output.message, how);
  if (message === undefined || !isWithinBudget(message.body.epoch, step)) return [];
  return [
    { type: "sign", to: step.peers, message: how.choose(4) === 0 ? message : withOwnHash(message, output.message) },
  ];
}

function withOwnHash(message: UnsignedMessage, before: UnsignedMessage): UnsignedMessage {
  const { body, contents } = message;
  const [content] = contents;
  if (content === undefined || content === before.contents[0] || !("value" in body)) return message;
  return { ...message, body: { ...body, value: hashOf(content) } };
}

/** Alters every other message that carries no signature of its own. */
function answeredOtherwise(output: Output, how: Alteration): Output {
  if (output.type !== "send" || how.choose(2) === 0) return output;
  return { ...output, message: altered(output.message, how) ?? output.message };
}

/** Passes on an altered copy of a received message. */
function passedOn({ input, self, peers }: InterceptedStep, how: Alteration): readonly Output[] {
  if (input.type !== "message" || input.from === self || how.choose(3) > 0) return [];
  const message = altered(input.message, how);
  return message === undefined ? [] : [{ type: "send", to: peers, message }];
}
