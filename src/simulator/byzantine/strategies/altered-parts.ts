/**
 * Strategies that alter a part of any message, by the table of their fields: of its own statements, which it signs as
 * they are then; of its other messages, answers included; and of what others signed, under their signatures (protocol
 * 1.1). What a signature does not cover (seals, contents, reasons, justifications) is altered under a valid one. One
 * alters any part, the other a chosen field in a chosen way.
 */
import type { Address } from "../../../core/base/ids.ts";
import type { PeerMessage, UnsignedMessage } from "../../../core/validator/message.ts";
import type { Output } from "../../../core/validator/output.ts";
import { hashOf } from "../../network/message-content.ts";
import { type Alteration, altered, type Extent } from "../alterations.ts";
import { type MutationSource, mutated } from "../field-mutations.ts";
import {
  afterInput,
  afterSend,
  type Budget,
  FULL_BUDGET,
  type InterceptedStep,
  isWithinBudget,
  modeOf,
  type Strategy,
  type StrategyParameters,
  type StrategyRecord,
  withKnown,
  withReceived,
} from "../strategy.ts";

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

const SOURCES = {
  own: "It alters its own messages: answers, and statements before it signs them.",
  received: "It passes the messages of others on, altered under their signatures.",
  both: "It does both.",
} as const;

export const alteredField: StrategyRecord = {
  sentence: "Alters the field `field` of messages in the way that `mutation` says.",
  weight: 12,
  towards: "all",
  readsChance: true,
  readsField: true,
  modes: SOURCES,
  create: (parameters): Strategy<Memory> => ({
    memory: { known: [], budget: FULL_BUDGET },
    intercept: (step, before) => {
      const known = withKnown(step, before.known);
      const source = { known, choose: (bound: number) => step.choose(bound) };
      const from = modeOf(SOURCES, parameters.mode);
      const own = from === "received" ? [] : step.outputs;
      const outputs =
        from === "received" ? step.outputs : own.flatMap((output) => inPlace(output, step, parameters, source));
      const passed = from === "own" ? [] : passedOnBy(step, parameters, source);
      const { added, left } = afterSend(afterInput(before.budget, step), passed);
      return { outputs: [...outputs, ...added], memory: { known, budget: left } };
    },
  }),
};

/** The program itself receives its own statement as it made it. */
function inPlace(
  output: Output,
  step: InterceptedStep,
  { field, mutation, chance, towards }: StrategyParameters,
  source: MutationSource,
): readonly Output[] {
  if ((output.type !== "sign" && output.type !== "send") || field === undefined || mutation === undefined)
    return [output];
  const isVictim = (peer: Address): boolean => peer !== step.self && towards.has(peer);
  const victims = output.to.filter(isVictim);
  if (victims.length === 0 || step.choose(chance.in) >= chance.of) return [output];
  const message = mutated(output.message, field, mutation, source);
  if (message === undefined) return [output];
  const others = output.to.filter((peer) => !isVictim(peer));
  const unaltered = others.length === 0 ? [] : [{ ...output, to: others }];
  if (output.type === "send") return [...unaltered, { ...output, to: victims, message: message as PeerMessage }];
  // Nothing encodes a malformed part, so its own program cannot sign it: what is passed on may hold one.
  if (mutation === "malformed") return [output];
  const statement = withOwnHash(message as UnsignedMessage, output.message);
  if (!isWithinBudget(statement.body.epoch, step)) return [output];
  return [...unaltered, { ...output, to: victims, message: statement }];
}

function passedOnBy(
  { input, self, peers, choose }: InterceptedStep,
  { field, mutation, chance, towards }: StrategyParameters,
  source: MutationSource,
): readonly Output[] {
  if (input.type !== "message" || input.from === self || field === undefined || mutation === undefined) return [];
  if (choose(chance.in) >= chance.of) return [];
  const message = mutated(input.message, field, mutation, source);
  return message === undefined ? [] : [{ type: "send", to: peers.filter((peer) => towards.has(peer)), message }];
}
