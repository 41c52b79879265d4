/**
 * Strategy: proposes in a round >= 1 a value that its justification does not allow, or without one (protocol 3.2, 3.3).
 */
import { unreachable } from "../../../core/base/assert.ts";
import type { Round } from "../../../core/base/ids.ts";
import { slotKey } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import { quorumOf } from "../../../core/consensus/committee.ts";
import type { Proposal, RoundChange, StatementContent } from "../../../core/consensus/message.ts";
import type { Content } from "../../../core/validator/content.ts";
import type { UnsignedMessage } from "../../../core/validator/message.ts";
import type { Output } from "../../../core/validator/output.ts";
import { hashOf } from "../../network/message-content.ts";
import { STRATEGY_ROUNDS_MAX } from "../../settings.ts";

import { skipBy } from "../known-operations.ts";
import { type InterceptedStep, modeOf, type Strategy, type StrategyRecord } from "../strategy.ts";

/** Defects of a justification, or of the value proposed with it. */
const JUSTIFICATION_MODES = {
  none: "no round changes.",
  "too-few": "one round change fewer than a quorum.",
  repeated: "a quorum of round changes with one of them twice.",
  "other-round": "a quorum of round changes for another round.",
  "other-slot": "a quorum of round changes for another slot.",
  "no-lock": "the locks of the round changes are removed, and a skip is proposed.",
  "other-value": "the round changes carry locks, and a skip is proposed.",
  "out-of-turn": "a valid proposal by a validator that is not the proposer of the round.",
} as const;

type JustificationMode = keyof typeof JUSTIFICATION_MODES;

interface Memory {
  /** Round changes of others by `<round> <slot>`, one per signer. */
  readonly changes: Trie<readonly RoundChange[]>;
  /** By slot: a skip of its nonce, the value that the strategy prefers. */
  readonly skips: Trie<Content>;
}

type UnsignedProposal = Extract<StatementContent, { type: "proposal" }>;

export const falseJustification: StrategyRecord = {
  sentence: "Proposes in rounds above 0 with a justification that does not allow it; `mode` says how.",
  weight: 2,
  modes: JUSTIFICATION_MODES,
  create: ({ mode }) => falseJustificationIn(modeOf(JUSTIFICATION_MODES, mode)),
};

function falseJustificationIn(mode: JustificationMode): Strategy<Memory> {
  return {
    memory: { changes: Trie.empty(), skips: Trie.empty() },
    intercept: (step, before) => {
      const memory = remembered(step, before);
      if (mode === "out-of-turn") return { outputs: [...step.outputs, ...outOfTurn(step, memory)], memory };
      return { outputs: step.outputs.map((output) => forged(mode, step, memory, output)), memory };
    },
  };
}

function remembered({ input }: InterceptedStep, memory: Memory): Memory {
  if (input.type !== "message" || input.message.type !== "consensus") return memory;
  const { body, reason } = input.message;
  if (body.type !== "roundChange") return memory;
  const key = `${body.round} ${slotKey(body.slot)}`;
  const changes = memory.changes.size >= STRATEGY_ROUNDS_MAX ? Trie.empty<readonly RoundChange[]>() : memory.changes;
  const others = (changes.get(key) ?? []).filter(({ signer }) => signer !== body.signer);
  const skips = memory.skips.size >= STRATEGY_ROUNDS_MAX ? Trie.empty<Content>() : memory.skips;
  const skip = reason?.kind === "cancellation" ? skipBy(reason.cancellation, reason.displaced) : undefined;
  return {
    changes: changes.set(key, [...others, body]),
    skips: skip === undefined ? skips : skips.set(slotKey(body.slot), skip),
  };
}

/** A proposal of its own, out of turn, as soon as the round is justified. */
function outOfTurn({ input, peers }: InterceptedStep, { changes, skips }: Memory): readonly Output[] {
  if (input.type !== "message" || input.message.type !== "consensus") return [];
  const { body } = input.message;
  if (body.type !== "roundChange") return [];
  const { epoch, slot, round } = body;
  const justification = changes.get(`${round} ${slotKey(slot)}`) ?? [];
  const content = skips.get(slotKey(slot));
  if (content === undefined || justification.length !== quorumOf(peers.length + 1)) return [];
  const proposal = { type: "proposal", epoch, slot, round, value: hashOf(content), justification } as const;
  const message = { type: "consensus", body: proposal, contents: [content], reason: undefined } as const;
  return [{ type: "sign", to: peers, message }];
}

type ForgedMode = Exclude<JustificationMode, "out-of-turn">;

function forged(mode: ForgedMode, step: InterceptedStep, memory: Memory, output: Output): Output {
  if (output.type !== "sign") return output;
  const { body } = output.message;
  if (body.type !== "proposal" || body.round === 0) return output;
  return { ...output, message: { ...output.message, ...falsified(mode, step, memory, body) } };
}

function falsified(
  mode: ForgedMode,
  { peers }: InterceptedStep,
  memory: Memory,
  body: UnsignedProposal,
): Partial<Pick<UnsignedMessage, "body" | "contents">> {
  const { justification } = body;
  switch (mode) {
    case "none":
      return { body: { ...body, justification: [] } };
    case "too-few":
      return { body: { ...body, justification: justification.slice(1) } };
    case "repeated":
      return { body: { ...body, justification: [...justification.slice(1), ...justification.slice(-1)] } };
    case "other-round":
      // After as many rounds as there are validators it is the proposer again.
      return { body: { ...body, round: (body.round + peers.length + 1) as Round } };
    case "other-slot":
      return { body: { ...body, justification: elsewhere(memory, body) } };
    case "no-lock":
      return rather(memory, { ...body, justification: justification.map((one) => ({ ...one, lock: undefined })) });
    case "other-value":
      return rather(memory, body);
    default:
      return unreachable(mode);
  }
}

/** As many round changes for this round as required, of another slot; of this slot if it knows no other. */
function elsewhere({ changes }: Memory, { slot, round, justification }: UnsignedProposal): Proposal["justification"] {
  for (const [key, found] of changes.within(`${round} `)) {
    if (key !== `${round} ${slotKey(slot)}` && found.length >= justification.length)
      return found.slice(0, justification.length);
  }
  return justification;
}

/** The skip in place of the value that the genuine justification forces. */
function rather({ skips }: Memory, body: UnsignedProposal): Partial<Pick<UnsignedMessage, "body" | "contents">> {
  const content = skips.get(slotKey(body.slot));
  return content === undefined ? { body } : { body: { ...body, value: hashOf(content) }, contents: [content] };
}
