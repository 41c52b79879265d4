/** Strategies that propose or offer values that protocol 3 does not allow: by the table, a justification or the turn. */
import { BURN_OUTCOMES, type Slot, slotKey } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import { quorumOf } from "../../../core/consensus/committee.ts";
import type { RoundChange } from "../../../core/consensus/message.ts";
import type { Content } from "../../../core/validator/content.ts";
import type { PeerMessage } from "../../../core/validator/message.ts";
import type { Output } from "../../../core/validator/output.ts";
import { hashOf } from "../../network/message-content.ts";
import {
  afterStep,
  appliedIn,
  type CertifiedOperation,
  certifiedAfter,
  listOf,
  NO_SEQUENCES,
  nextSlotOf,
  type Sequences,
  skipBy,
} from "../known-operations.ts";
import {
  emptiedIfFull,
  type InterceptedStep,
  messagesIn,
  modeOf,
  offerContent,
  replaceFreeProposal,
  type Strategy,
  type StrategyRecord,
} from "../strategy.ts";

/** Defects of a free choice (protocol 3, table; 4.4). */
const CHOICE_MODES = {
  operation: "the operation of the owner in a round above 0.",
  "early-skip": "the skip is offered in round 0, in place of a round change.",
  "later-burn": "a later burn of the same authority first, in its offers of forced burns.",
  "hasty-burn": "every due burn of an account at once, with each outcome.",
  "long-list": "its lists with all other operations that wait for the token.",
  "other-token": "operations of another token in its lists.",
} as const;

type ChoiceMode = keyof typeof CHOICE_MODES;

interface ChoiceMemory {
  /** By slot: the first offered operation of the owner. */
  readonly offered: Trie<Content>;
  /** Operations that wait for their effect slot. */
  readonly authorised: readonly CertifiedOperation[];
  readonly sequences: Sequences;
}

export const falseChoices: StrategyRecord = {
  sentence: "Proposes or offers a value that the choice of a proposer does not include; `mode` says which.",
  weight: 4,
  modes: CHOICE_MODES,
  create: ({ mode }) => falseChoicesIn(modeOf(CHOICE_MODES, mode)),
};

function falseChoicesIn(mode: ChoiceMode): Strategy<ChoiceMemory> {
  return {
    memory: { offered: Trie.empty(), authorised: [], sequences: NO_SEQUENCES },
    intercept: (step, before) => {
      const memory = {
        offered: offeredAfter(before.offered, step),
        authorised: certifiedAfter(before.authorised, step),
        sequences: afterStep(before.sequences, appliedIn(step)),
      };
      const outputs = step.outputs.flatMap((output) => falsifyChoice(mode, step, memory, output) ?? []);
      return { outputs: mode === "hasty-burn" ? [...outputs, ...earlyBurns(step, memory)] : outputs, memory };
    },
  };
}

function offeredAfter(offered: ChoiceMemory["offered"], step: InterceptedStep): ChoiceMemory["offered"] {
  let known = emptiedIfFull(offered);
  for (const message of messagesIn(step)) {
    if (message.type !== "offer" || message.content.value.type !== "operation") continue;
    const key = slotKey(message.slot);
    if (!known.has(key)) known = known.set(key, message.content);
  }
  return known;
}

function falsifyChoice(
  mode: ChoiceMode,
  step: InterceptedStep,
  memory: ChoiceMemory,
  output: Output,
): Output | undefined {
  if (output.type === "send") return { ...output, message: replaceOffer(mode, memory, output.message) };
  if (output.type !== "sign") return output;
  if (mode === "early-skip") return earlySkip(step, output);
  return replaceFreeProposal(output, ({ slot }) => falseProposal(mode, memory, slot));
}

/** Returns its proposal in place of an honest choice; `undefined` if the mode alters something else. */
function falseProposal(mode: ChoiceMode, memory: ChoiceMemory, slot: Slot): Content | undefined {
  if (mode === "operation") return memory.offered.get(slotKey(slot));
  if (mode !== "long-list" && mode !== "other-token") return undefined;
  const entries = waitingOperations(memory, slot, mode === "long-list");
  return entries.length === 0 ? undefined : listOf(entries);
}

/** Operations that wait for the slot's token, or for others. */
function waitingOperations({ authorised }: ChoiceMemory, slot: Slot, isIts: boolean): readonly CertifiedOperation[] {
  if (slot.kind !== "token") return [];
  return authorised.filter(({ target }) => target.kind === "token" && (target.token === slot.token) === isIts);
}

/**
 * A skip in place of the round change with the owner's cancellation. Not sent in answer to an offer, or two Byzantine
 * validators would answer each other for ever.
 */
function earlySkip(step: InterceptedStep, output: Extract<Output, { type: "sign" }>): Output | undefined {
  const { body, reason } = output.message;
  if (body.type !== "roundChange" || reason?.kind !== "cancellation") return output;
  if (output.to.length === 1) return undefined;
  return offerContent(step, body.slot, skipBy(reason.cancellation, reason.displaced));
}

/** Its offer in place of a due burn. */
function replaceOffer(mode: ChoiceMode, { authorised }: ChoiceMemory, message: PeerMessage): PeerMessage {
  if (message.type !== "offer" || message.slot.kind !== "account") return message;
  const { address } = message.slot;
  const { value } = message.content;
  if (value.type !== "burn") return message;
  const later = authorised.filter(({ target }) => target.kind === "account" && target.address === address).at(-1);
  if (mode !== "later-burn" || later === undefined) return message;
  const { id, signed, certificate } = later;
  return { ...message, content: { value: { ...value, id }, operations: [signed], certificates: [certificate] } };
}

/** Once a slot is applied, the first due burn of each account whose turn may have come, with both outcomes. */
function earlyBurns(step: InterceptedStep, { authorised, sequences }: ChoiceMemory): readonly Output[] {
  const applied = new Set(appliedIn(step).map(({ address }) => address));
  const outputs: Output[] = [];
  for (const { id, signed, certificate, target } of authorised) {
    if (target.kind !== "account" || !(applied.has(target.address) || applied.has(signed.sender))) continue;
    const slot = nextSlotOf(sequences, target.address);
    for (const outcome of BURN_OUTCOMES) {
      const value = { type: "burn", id, outcome } as const;
      outputs.push(offerContent(step, slot, { value, operations: [signed], certificates: [certificate] }));
    }
  }
  return outputs;
}

/** Defects of a justification, or of the value proposed with it. */
const JUSTIFICATION_MODES = {
  "no-lock": "the locks of the round changes are removed, and a skip is proposed.",
  "other-value": "the round changes carry locks, and a skip is proposed.",
  "out-of-turn": "a valid proposal by a validator that is not the proposer of the round.",
} as const;

type JustificationMode = keyof typeof JUSTIFICATION_MODES;

interface JustificationMemory {
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

function falseJustificationIn(mode: JustificationMode): Strategy<JustificationMemory> {
  return {
    memory: { changes: Trie.empty(), skips: Trie.empty() },
    intercept: (step, before) => {
      const memory = rememberRoundChanges(step, before);
      if (mode === "out-of-turn") return { outputs: [...step.outputs, ...proposeOutOfTurn(step, memory)], memory };
      return { outputs: step.outputs.map((output) => skipProposed(mode, memory, output)), memory };
    },
  };
}

function rememberRoundChanges({ input }: InterceptedStep, memory: JustificationMemory): JustificationMemory {
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
function proposeOutOfTurn(
  { input, peers }: InterceptedStep,
  { changes, skips }: JustificationMemory,
): readonly Output[] {
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
function skipProposed(mode: JustificationMode, { skips }: JustificationMemory, output: Output): Output {
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
