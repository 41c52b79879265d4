/**
 * Strategy: sends, beside each of its own messages, mutants of it: round, sequence, epoch, value or lock replaced by a
 * neighbour or by another known one; well-formed, and signed with its own key. Small changes of real messages reach
 * states that invented ones do not (protocol 1.1: a Byzantine validator sends anything except signatures of others).
 */
import type { Epoch, Round } from "../../../core/base/ids.ts";
import { type Slot, slotAt, slotNumber } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import type { ConsensusMessage, LockCertificate, StatementContent } from "../../../core/consensus/message.ts";
import type { Content } from "../../../core/validator/content.ts";
import type { PeerMessage, UnsignedMessage } from "../../../core/validator/message.ts";
import type { Output } from "../../../core/validator/output.ts";
import { contentsOf, hashOf } from "../../network/message-content.ts";
import { STRATEGY_ADDED_MAX, STRATEGY_MESSAGES_MAX, STRATEGY_ROUNDS_MAX } from "../../settings.ts";
import type { InterceptedStep, Strategy, StrategyRecord } from "../strategy.ts";

interface Memory {
  /** Last received statements and certificates: the source of other slots and locks. */
  readonly received: readonly ConsensusMessage[];
  /** Contents by value hash: other values, each with its content. */
  readonly contents: Trie<Content>;
  /** Number of mutants so far: bounded. */
  readonly sent: number;
}

/** The program never receives the mutants, which it did not sign. */
export const mutate: StrategyRecord = {
  sentence:
    "Sends beside each of its own statements a signed copy in which one member is changed: a round, sequence, epoch, value or lock.",
  weight: 3,
  create: (): Strategy<Memory> => ({
    memory: { received: [], contents: Trie.empty(), sent: 0 },
    intercept: (step, before) => {
      const memory = withReceived(step, before);
      const more: Output[] = [];
      for (const output of step.outputs) {
        if (output.type !== "sign" || memory.sent + more.length >= STRATEGY_ADDED_MAX) continue;
        const mutants = mutationsOf(output.message, memory);
        const message = mutants[step.choose(mutants.length)];
        if (message !== undefined) more.push({ type: "sign", to: step.peers, message });
      }
      return { outputs: [...step.outputs, ...more], memory: { ...memory, sent: memory.sent + more.length } };
    },
  }),
};

function withReceived({ input }: InterceptedStep, memory: Memory): Memory {
  if (input.type !== "message") return memory;
  const { message } = input;
  let { contents } = memory;
  for (const content of contentsOf(message))
    contents = (contents.size >= STRATEGY_ROUNDS_MAX ? Trie.empty<Content>() : contents).set(hashOf(content), content);
  return { ...memory, contents, received: [...memory.received, ...bodiesIn(message)].slice(-STRATEGY_MESSAGES_MAX) };
}

function bodiesIn(message: PeerMessage): readonly ConsensusMessage[] {
  return message.type === "consensus" ? [message.body] : [];
}

/** Returns every mutant of a message; at least one. */
function mutationsOf(message: UnsignedMessage, memory: Memory): readonly UnsignedMessage[] {
  const { body } = message;
  const withBody = (changed: StatementContent): UnsignedMessage => ({ ...message, body: changed });
  return [
    ...beside(body.round).map((round) => withBody({ ...body, round: round as Round })),
    ...beside(body.epoch).map((epoch) => withBody({ ...body, epoch: epoch as Epoch })),
    ...slotsBeside(body.slot, memory).map((slot) => withBody({ ...body, slot })),
    ...ownParts(message, memory),
  ];
}

/** One more, and one less if positive. */
function beside(number: number): readonly number[] {
  return number > 0 ? [number + 1, number - 1] : [number + 1];
}

/** Neighbours in its sequence, and the last received slot of another sequence of this kind. */
function slotsBeside(slot: Slot, { received }: Memory): readonly Slot[] {
  const neighbours = beside(slotNumber(slot)).map((number) => slotAt(slot, number));
  const other = received.findLast((one) => one.slot.kind === slot.kind && !isSequenceOf(one.slot, slot));
  return other === undefined ? neighbours : [...neighbours, other.slot];
}

function isSequenceOf(one: Slot, slot: Slot): boolean {
  if (one.kind === "account" && slot.kind === "account") return one.address === slot.address;
  return one.kind === "token" && slot.kind === "token" ? one.token === slot.token : one.kind === slot.kind;
}

/** Mutants of the members of one type only: values, locks, claims. */
function ownParts(message: UnsignedMessage, memory: Memory): readonly UnsignedMessage[] {
  const { body } = message;
  switch (body.type) {
    case "vote":
    case "commit":
      return othersThan(body.value, memory).map((content) => ({
        ...message,
        body: { ...body, value: hashOf(content) },
      }));
    case "proposal":
      return [
        ...othersThan(body.value, memory).map((content) => ({
          ...message,
          body: { ...body, value: hashOf(content) },
          contents: [content],
        })),
        { ...message, body: { ...body, justification: body.justification.slice(1) } },
      ];
    case "roundChange":
      return locksBeside(body.lock, memory).map((lock) => ({ ...message, body: { ...body, lock } }));
    case "close":
      return body.claims.map((_, at) => ({
        ...message,
        body: { ...body, claims: body.claims.filter((_claim, slotRound) => slotRound !== at) },
      }));
    default:
      return body satisfies never;
  }
}

function othersThan(value: string, { contents }: Memory): readonly Content[] {
  return [...contents.entries()].flatMap(([hash, content]) => (hash === value ? [] : [content]));
}

/** No lock, the same of the next round or the one before, and every other known one. */
function locksBeside(
  lock: LockCertificate | undefined,
  { received }: Memory,
): readonly (LockCertificate | undefined)[] {
  const known = received.flatMap((one) => (one.type === "lock" && one !== lock ? [one] : []));
  if (lock === undefined) return known;
  return [undefined, ...beside(lock.round).map((round) => ({ ...lock, round: round as Round })), ...known];
}
