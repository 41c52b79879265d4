/** Strategies that sign two statements where an honest validator signs one: votes, commits, proposals, closes. */
import { requireDefined } from "../../../core/base/assert.ts";
import type { Address, Epoch, Hash, Round } from "../../../core/base/ids.ts";
import type { OperationId } from "../../../core/base/operation.ts";
import { type Slot, slotKey } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import type { ConsensusMessage, StatementContent } from "../../../core/consensus/message.ts";
import { valueHash } from "../../../core/ledger/value.ts";
import type { Content } from "../../../core/validator/content.ts";
import type { PeerMessage } from "../../../core/validator/message.ts";
import type { Output } from "../../../core/validator/output.ts";
import { hashOf } from "../../network/message-content.ts";
import { STRATEGY_ROUNDS_MAX, STRATEGY_VALUES_MAX } from "../../settings.ts";
import {
  afterInput,
  afterSend,
  emptiedIfFull,
  FULL_BUDGET,
  type InterceptedStep,
  isWithinBudget,
  type MessageBudget,
  replaceEach,
  type Strategy,
  type StrategyRecord,
  signStatement,
  withoutClaims,
} from "../strategy.ts";

interface DoubleMemory {
  readonly seen: SeenValues;
  /** Signed values by position and value, of the program and the strategy. */
  readonly signed: Trie<true>;
  readonly budget: MessageBudget;
}

export const doubleVote: StrategyRecord = {
  sentence: "Votes for every value of a round that it receives.",
  weight: 5,
  create: () => equivocate("vote"),
};

export const doubleCommit: StrategyRecord = {
  sentence: "Commits to every value of a round that it receives, with or without a lock certificate.",
  weight: 5,
  create: () => equivocate("commit"),
};

/** The program never receives these signatures, which it did not make. */
function equivocate(kind: "vote" | "commit"): Strategy<DoubleMemory> {
  return {
    memory: { seen: NO_SEEN_VALUES, signed: Trie.empty(), budget: FULL_BUDGET },
    intercept: (step, memory) => {
      const received = valuesIn(step).filter(({ epoch }) => isWithinBudget(epoch, step));
      const seen = withSeen(memory.seen, received);
      const own = step.outputs.flatMap((output) => ownSignatures(kind, output));
      let signed = memory.signed.size > STRATEGY_ROUNDS_MAX ? Trie.empty<true>() : memory.signed;
      for (const value of own) signed = signed.set(`${slotRoundKey(value)} ${value.value}`, true);
      const extra: Output[] = [];
      for (const slotRound of received) {
        for (const value of seen.get(slotRoundKey(slotRound)) ?? []) {
          const key = `${slotRoundKey(slotRound)} ${value}`;
          if (signed.has(key)) continue;
          signed = signed.set(key, true);
          extra.push(signBallot(kind, step, slotRound, value));
        }
      }
      const { added, left } = afterSend(afterInput(memory.budget, step), extra);
      return { outputs: [...step.outputs, ...added], memory: { seen, signed, budget: left } };
    },
  };
}

function ownSignatures(kind: "vote" | "commit", output: Output): SeenValue[] {
  return output.type === "sign" && output.message.body.type === kind ? bodyValue(output.message.body) : [];
}

function signBallot(
  type: "vote" | "commit",
  { peers }: InterceptedStep,
  { epoch, slot, round }: SlotRound,
  value: Hash,
): Output {
  return signStatement(peers, { type, epoch, slot, round, value });
}

interface VoteForMemory {
  /** Positions of its votes: one vote each. */
  readonly voted: Trie<true>;
  readonly budget: MessageBudget;
}

export const voteFor: StrategyRecord = {
  sentence: "Votes for the operation `of` in every round of its account's slots that it receives.",
  weight: 0,
  readsOperation: true,
  create: ({ account, operation }) =>
    voteForOperation(
      requireDefined(account, "account of vote-for"),
      requireDefined(operation, "operation of vote-for"),
    ),
};

/** `account`: the signer of the operation. */
function voteForOperation(account: Address, operation: OperationId): Strategy<VoteForMemory> {
  const value: Hash = valueHash({ type: "operation", id: operation });
  return {
    memory: { voted: Trie.empty(), budget: FULL_BUDGET },
    intercept: (step, before) => {
      const memory = { ...before, budget: afterInput(before.budget, step) };
      const slotRound = step.input.type === "message" ? slotRoundIn(step, step.input.message) : undefined;
      if (slotRound?.slot.kind !== "account" || slotRound.slot.address !== account)
        return { outputs: step.outputs, memory };
      const key = slotRoundKey(slotRound);
      if (memory.voted.has(key) || !isWithinBudget(slotRound.epoch, step)) return { outputs: step.outputs, memory };
      const { added, left } = afterSend(memory.budget, [signBallot("vote", step, slotRound, value)]);
      const voted = emptiedIfFull(memory.voted).set(key, true);
      return { outputs: [...step.outputs, ...added], memory: { voted, budget: left } };
    },
  };
}

/** Returns the epoch, slot and round of a message. */
function slotRoundIn({ epoch }: InterceptedStep, message: PeerMessage): SlotRound | undefined {
  if (message.type === "consensus") return message.body;
  return message.type === "offer" ? { epoch, slot: message.slot, round: 0 as Round } : undefined;
}

/** The first half receives the honest proposal, the second one another value for the same round. */
export const doubleProposal: StrategyRecord = {
  sentence: "Proposes one list, checkpoint or closing to one half of its peers, and another one to the other half.",
  weight: 3,
  create: () => replaceEach(proposeTwice),
};

function proposeTwice(step: InterceptedStep, output: Output): readonly Output[] {
  if (output.type !== "sign" || output.message.body.type !== "proposal") return [output];
  const other = otherValidContent(output.message.contents[0]);
  if (other === undefined) return [output];
  const [first, second] = halvesOf(step, output.to);
  const body = { ...output.message.body, value: hashOf(other) };
  return [
    { ...output, to: first },
    { ...output, to: second, message: { ...output.message, body, contents: [other] } },
  ];
}

/** Returns the receivers in the first half of the peers, the validator itself included, and the others. */
function halvesOf({ self, peers }: InterceptedStep, to: readonly Address[]): readonly [Address[], Address[]] {
  const half = peers.slice(0, (peers.length + 1) >> 1);
  const isFirst = (peer: Address): boolean => peer === self || half.includes(peer);
  return [to.filter(isFirst), to.filter((peer) => !isFirst(peer))];
}

/**
 * Returns an equally valid value: a shorter list, if it has two operations, or a checkpoint or closing with a timestamp
 * one second later, or earlier at the largest one.
 */
function otherValidContent(content: Content | undefined): Content | undefined {
  if (content?.value.type === "checkpoint" || content?.value.type === "closing") {
    const { header } = content.value;
    const timestamp = header.timestamp + (header.timestamp < Number.MAX_SAFE_INTEGER ? 1 : -1);
    return { ...content, value: { ...content.value, header: { ...header, timestamp } } };
  }
  if (content?.value.type !== "list") return undefined;
  const { value, operations, certificates } = content;
  return {
    value: { ...value, ids: value.ids.slice(0, -1) },
    operations: operations.slice(0, -1),
    certificates: certificates.slice(0, -1),
  };
}

export const doubleClose: StrategyRecord = {
  sentence: "Signs two different EpochCloses, one for each half of its peers; the second one shows no claims.",
  weight: 2,
  create: () => replaceEach(closeTwice),
};

function closeTwice(step: InterceptedStep, output: Output): readonly Output[] {
  if (output.type !== "sign" || output.message.body.type !== "close") return [output];
  const [first, second] = halvesOf(step, output.to);
  return [{ ...output, to: first }, withoutClaims({ ...output, to: second })];
}

interface SlotRound {
  readonly epoch: Epoch;
  readonly slot: Slot;
  readonly round: Round;
}

interface SeenValue extends SlotRound {
  readonly value: Hash;
}

/** Values by epoch, slot and round, in order of receipt. */
type SeenValues = Trie<readonly Hash[]>;

const NO_SEEN_VALUES: SeenValues = Trie.empty();

function slotRoundKey({ epoch, slot, round }: SlotRound): string {
  return `${epoch} ${slotKey(slot)} ${round}`;
}

/** Returns the values that the input or the node's own outputs name. */
function valuesIn(step: InterceptedStep): readonly SeenValue[] {
  const values: SeenValue[] = [];
  if (step.input.type === "message") {
    const { message } = step.input;
    if (message.type === "consensus") values.push(...bodyValue(message.body));
    else if (message.type === "offer")
      values.push({ epoch: step.epoch, slot: message.slot, round: 0 as Round, value: hashOf(message.content) });
  }
  for (const output of step.outputs) if (output.type === "sign") values.push(...bodyValue(output.message.body));
  return values;
}

/** Adds received values. Rounds and values are bounded: the oldest are dropped. */
function withSeen(seen: SeenValues, received: readonly SeenValue[]): SeenValues {
  let known = seen;
  for (const value of received) {
    const key = slotRoundKey(value);
    const values = known.get(key) ?? [];
    if (values.includes(value.value) || values.length >= STRATEGY_VALUES_MAX) continue;
    if (known.size >= STRATEGY_ROUNDS_MAX && values.length === 0) known = NO_SEEN_VALUES;
    known = known.set(key, [...values, value.value]);
  }
  return known;
}

function bodyValue(body: StatementContent | ConsensusMessage): SeenValue[] {
  if (body.type === "roundChange" || body.type === "close") return [];
  return [{ epoch: body.epoch, slot: body.slot, round: body.round, value: body.value }];
}
