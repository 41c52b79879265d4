/** Strategy: proposes and offers values outside the table of protocol 3, or with a wrong fee. */
import { unreachable } from "../../../core/base/assert.ts";
import { BURN_OUTCOMES, type Slot, slotKey } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import type { Proposal } from "../../../core/consensus/message.ts";
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

interface Memory {
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

function falseChoicesIn(mode: ChoiceMode): Strategy<Memory> {
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

function offeredAfter(offered: Memory["offered"], step: InterceptedStep): Memory["offered"] {
  let known = emptiedIfFull(offered);
  for (const message of messagesIn(step)) {
    if (message.type !== "offer" || message.content.value.type !== "operation") continue;
    const key = slotKey(message.slot);
    if (!known.has(key)) known = known.set(key, message.content);
  }
  return known;
}

function falsifyChoice(mode: ChoiceMode, step: InterceptedStep, memory: Memory, output: Output): Output | undefined {
  if (output.type === "send") return { ...output, message: replaceOffer(mode, memory, output.message) };
  if (output.type !== "sign") return output;
  if (mode === "early-skip") return earlySkip(step, output);
  const { body } = output.message;
  if (body.type !== "proposal" || !isFree(body)) return output;
  const other = falseProposal(mode, memory, body.slot);
  return other === undefined
    ? output
    : { ...output, message: { ...output.message, body: { ...body, value: hashOf(other) }, contents: [other] } };
}

/** Returns true if no lock forces a value. */
function isFree({ justification }: Pick<Proposal, "justification">): boolean {
  return justification.every(({ lock }) => lock === undefined);
}

/** Returns its proposal in place of an honest choice; `undefined` if the mode alters something else. */
function falseProposal(mode: ChoiceMode, memory: Memory, slot: Slot): Content | undefined {
  switch (mode) {
    case "operation":
      return memory.offered.get(slotKey(slot));
    case "long-list":
      return listContent(waitingOperations(memory, slot, true));
    case "other-token":
      return listContent(waitingOperations(memory, slot, false));
    case "early-skip":
    case "later-burn":
    case "hasty-burn":
      return undefined;
    default:
      return unreachable(mode);
  }
}

/** Operations that wait for the slot's token, or for others. */
function waitingOperations({ authorised }: Memory, slot: Slot, isIts: boolean): readonly CertifiedOperation[] {
  if (slot.kind !== "token") return [];
  return authorised.filter(({ target }) => target.kind === "token" && (target.token === slot.token) === isIts);
}

function listContent(entries: readonly CertifiedOperation[]): Content | undefined {
  return entries.length === 0 ? undefined : listOf(entries);
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
function replaceOffer(mode: ChoiceMode, { authorised }: Memory, message: PeerMessage): PeerMessage {
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
function earlyBurns(step: InterceptedStep, { authorised, sequences }: Memory): readonly Output[] {
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
