/** Strategy: proposes in a round >= 1 a value that its justification does not allow, or out of turn (protocol 3.2, 3.3). */
import { slotKey } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import { quorumOf } from "../../../core/consensus/committee.ts";
import type { RoundChange } from "../../../core/consensus/message.ts";
import type { Content } from "../../../core/validator/content.ts";
import type { Output } from "../../../core/validator/output.ts";
import { hashOf } from "../../network/message-content.ts";
import { skipBy } from "../known-operations.ts";
import { emptiedIfFull, type InterceptedStep, modeOf, type Strategy, type StrategyRecord } from "../strategy.ts";

/** Defects of a justification, or of the value proposed with it. */
const JUSTIFICATION_MODES = {
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

export const falseJustification: StrategyRecord = {
  sentence: "Proposes a skip in rounds above 0 that its justification does not allow; `mode` says how.",
  weight: 2,
  modes: JUSTIFICATION_MODES,
  create: ({ mode }) => falseJustificationIn(modeOf(JUSTIFICATION_MODES, mode)),
};

function falseJustificationIn(mode: JustificationMode): Strategy<Memory> {
  return {
    memory: { changes: Trie.empty(), skips: Trie.empty() },
    intercept: (step, before) => {
      const memory = rememberRoundChanges(step, before);
      if (mode === "out-of-turn") return { outputs: [...step.outputs, ...proposeOutOfTurn(step, memory)], memory };
      return { outputs: step.outputs.map((output) => skipProposed(mode, memory, output)), memory };
    },
  };
}

function rememberRoundChanges({ input }: InterceptedStep, memory: Memory): Memory {
  if (input.type !== "message" || input.message.type !== "consensus") return memory;
  const { body, reason } = input.message;
  if (body.type !== "roundChange") return memory;
  const key = `${body.round} ${slotKey(body.slot)}`;
  const changes = emptiedIfFull(memory.changes);
  const others = (changes.get(key) ?? []).filter(({ signer }) => signer !== body.signer);
  const skips = emptiedIfFull(memory.skips);
  const skip = reason?.kind === "cancellation" ? skipBy(reason.cancellation, reason.displaced) : undefined;
  return {
    changes: changes.set(key, [...others, body]),
    skips: skip === undefined ? skips : skips.set(slotKey(body.slot), skip),
  };
}

/** A proposal of its own, out of turn, as soon as the round is justified. */
function proposeOutOfTurn({ input, peers }: InterceptedStep, { changes, skips }: Memory): readonly Output[] {
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

/** The skip in place of the value that the justification forces, with its locks or without them. */
function skipProposed(mode: JustificationMode, { skips }: Memory, output: Output): Output {
  if (output.type !== "sign" || output.message.body.type !== "proposal" || output.message.body.round === 0)
    return output;
  const { body } = output.message;
  const content = skips.get(slotKey(body.slot));
  const value = content === undefined ? body.value : hashOf(content);
  const contents = content === undefined ? output.message.contents : [content];
  const justification =
    mode === "no-lock" ? body.justification.map((change) => ({ ...change, lock: undefined })) : body.justification;
  return { ...output, message: { ...output.message, body: { ...body, value, justification }, contents } };
}
