/**
 * Strategy that mutates fields of messages by the table of their fields: of the validator's own messages, whose statements
 * it signs as they then are; and of the messages of others, under their signatures (protocol 1.1). What a signature does
 * not cover (seals, contents, reasons, justifications) is mutated under a valid one. The hash of a mutated content, and
 * the header of a mutated list of a checkpoint or closing, are computed again: nothing else is wrong then.
 */
import type { Address } from "../../../core/base/ids.ts";
import type { LedgerState } from "../../../core/ledger/state.ts";
import {
  type ChainContent,
  type Content,
  copiesOf,
  isChainContent,
  type ListedContent,
  listedSlots,
} from "../../../core/validator/content.ts";
import type { PeerMessage, UnsignedMessage } from "../../../core/validator/message.ts";
import { isWellFormed } from "../../../core/validator/message-form.ts";
import type { Output } from "../../../core/validator/output.ts";
import { contentsOf, hashOf } from "../../network/message-content.ts";
import { chainStateAfter, withList } from "../checkpoint-lists.ts";
import { isUnsigned, mutateMessage } from "../field-mutations.ts";
import type { Message } from "../field-places.ts";
import {
  afterInput,
  afterSend,
  FULL_BUDGET,
  type InterceptedStep,
  isWithinBudget,
  type MessageBudget,
  modeOf,
  type Strategy,
  type StrategyParameters,
  type StrategyRecord,
  withKnown,
} from "../strategy.ts";

const MODES = {
  own: "It mutates its own messages: answers, and statements before it signs them.",
  received: "It passes the messages of others on, mutated under their signatures.",
  both: "It does both.",
  beside: "It does both, and signs each mutated statement beside the unmutated one.",
} as const;

interface Memory {
  /** Last messages received or sent: the source of other parts. */
  readonly known: readonly PeerMessage[];
  readonly budget: MessageBudget;
  /** State after the last checkpoint or closing that its program applied. */
  readonly state: LedgerState | undefined;
}

type SentOutput = Extract<Output, { type: "sign" | "send" }>;

export const mutate: StrategyRecord = {
  sentence: "Mutates the field `field` of messages, or any field, in the way that `mutation` says, or in any way.",
  weight: 34,
  towards: "all",
  readsChance: true,
  readsField: true,
  modes: MODES,
  create: (parameters): Strategy<Memory> => ({
    memory: { known: [], budget: FULL_BUDGET, state: undefined },
    intercept: (step, { budget, ...before }) => {
      const knowledge = { known: withKnown(step, before.known), state: chainStateAfter(before.state, step) };
      const context = { step, parameters, knowledge };
      const mode = modeOf(MODES, parameters.mode);
      const outputs: Output[] = [];
      const wanted: Output[] = [];
      for (const output of step.outputs) {
        const mutant = mode === "received" ? undefined : mutantOf(output, context);
        const isBeside = mode === "beside" && mutant?.type === "sign";
        if (mutant === undefined || isBeside) outputs.push(output);
        else outputs.push(...withoutVictims(output as SentOutput, mutant.to), mutant);
        if (mutant !== undefined && isBeside) wanted.push(mutant);
      }
      if (mode !== "own") wanted.push(...forwardMutated(context));
      const { added, left } = afterSend(afterInput(budget, step), wanted);
      return { outputs: [...outputs, ...added], memory: { ...knowledge, budget: left } };
    },
  }),
};

type Knowledge = Omit<Memory, "budget">;

/** Step whose messages are mutated, by which parameters, and from what is known. */
type Context = Readonly<{ step: InterceptedStep; parameters: StrategyParameters; knowledge: Knowledge }>;

function withoutVictims(output: SentOutput, victims: readonly Address[]): readonly Output[] {
  const to = output.to.filter((peer) => !victims.includes(peer));
  return to.length === 0 ? [] : [{ ...output, to }];
}

/** Returns the mutant of an output for its victims, never for the program itself; `undefined` if there is none. */
function mutantOf(output: Output, context: Context): SentOutput | undefined {
  const { step, parameters } = context;
  if (output.type !== "sign" && output.type !== "send") return undefined;
  const to = output.to.filter((peer) => peer !== step.self && parameters.towards.has(peer));
  if (to.length === 0) return undefined;
  const message = mutation(withoutOwnSignature(output.message, step.self), context);
  if (message === undefined) return undefined;
  if (!isUnsigned(message)) return { type: "send", to, message };
  return isWithinBudget(message.body.epoch, step) ? { type: "sign", to, message } : undefined;
}

function forwardMutated(context: Context): readonly Output[] {
  const { input, self, peers } = context.step;
  if (input.type !== "message" || input.from === self) return [];
  const message = mutation(input.message, context) as PeerMessage | undefined;
  const to = peers.filter((peer) => context.parameters.towards.has(peer));
  return message === undefined ? [] : [{ type: "send", to, message }];
}

/** Returns a mutant of a message, as consistent as the mutation leaves it; `undefined` for a share of all messages. */
function mutation(message: Message, { step, parameters, knowledge }: Context): Message | undefined {
  const { chance, field, mutation: way } = parameters;
  if (step.choose(chance.in) >= chance.of) return undefined;
  const members = step.peers.length + 1;
  const mutant = mutateMessage(message, field, way, { ...knowledge, members, choose: (bound) => step.choose(bound) });
  return mutant && isUnsigned(mutant) ? consistent(mutant, message as UnsignedMessage, knowledge) : mutant;
}

/** Returns an own statement as it is before it is signed; any other message unchanged. */
function withoutOwnSignature(message: Message, self: Address): Message {
  if (message.type !== "consensus" || !("signer" in message.body) || message.body.signer !== self) return message;
  const { signer: _, signature: __, ...body } = message.body;
  return { ...message, body };
}

/**
 * Returns the mutant with what its sender derives from the mutated part: the header of a list of slots, of which each has
 * its own copies, and the hash of a content.
 */
function consistent(mutant: UnsignedMessage, honest: UnsignedMessage, knowledge: Knowledge): UnsignedMessage {
  const [before, after] = [honest.contents[0], mutant.contents[0]];
  if (after === undefined || after === before || !("value" in mutant.body)) return mutant;
  // Nothing follows from what is malformed.
  const content = isWellFormed(mutant) ? withOwnHeader(after, before, knowledge) : after;
  const contents = [content, ...mutant.contents.slice(1)];
  return { ...mutant, body: { ...mutant.body, value: hashOf(content) }, contents };
}

function withOwnHeader(after: Content, before: Content | undefined, { known, state }: Knowledge): Content {
  if (before === undefined || !isChainContent(after) || !isChainContent(before)) return after;
  const isSame = after.value.header !== before.value.header || isSameList(after, before);
  return isSame ? after : withList(state, after, listedWithCopies(after, before, known));
}

function isSameList({ value: after }: ChainContent, { value: before }: ChainContent): boolean {
  return after.listed === before.listed && ("next" in after ? after.next : 0) === ("next" in before ? before.next : 0);
}

/** Returns the entries of a list with the copies that the honest list or a known message shows, as far as one does. */
function listedWithCopies(
  { value }: ChainContent,
  before: ChainContent,
  known: readonly PeerMessage[],
): readonly ListedContent[] {
  const shown = [before, ...known.flatMap(contentsOf)].flatMap(({ operations }) => operations);
  const copies = new Map(shown.map((signed) => [copiesOf([signed])[0], signed]));
  const parts = listedSlots(before.value.listed, before.operations) ?? [];
  return value.listed.map((entry, at) => {
    const operations = entry.copies.flatMap((copy, index) => copies.get(copy) ?? parts[at]?.operations[index] ?? []);
    return { ...entry, operations };
  });
}
