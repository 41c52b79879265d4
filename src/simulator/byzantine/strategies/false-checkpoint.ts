/**
 * Strategy: proposes checkpoints and closings of epochs that contradict the decided slots, or sends their contents to
 * some peers only (protocol 6.1, 6.3).
 */
import type { Address, CheckpointNumber, Hash } from "../../../core/base/ids.ts";
import { type CheckpointHeader, slotKey } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import {
  type ChainContent,
  type ClosingContent,
  type Content,
  isChainContent,
  isClosing,
  listedSlots,
} from "../../../core/validator/content.ts";
import type { PeerMessage, UnsignedMessage } from "../../../core/validator/message.ts";
import type { Output } from "../../../core/validator/output.ts";
import { hashOf } from "../../network/message-content.ts";
import { STRATEGY_ROUNDS_MAX } from "../../settings.ts";
import {
  afterStep,
  CHECKPOINT_MODES,
  type CheckpointMode,
  type KnownLedger,
  listedIn,
  NO_KNOWN_LEDGER,
  withList,
} from "../checkpoint-lists.ts";
import { type InterceptedStep, modeOf, type Strategy, type StrategyRecord } from "../strategy.ts";

interface Memory {
  readonly ledger: KnownLedger;
  /** Proposals by round and slot, to repeat when asked again. */
  readonly sent: Trie<ChainContent>;
}

export const falseCheckpoint: StrategyRecord = {
  sentence:
    "Proposes checkpoints that do not follow from the decisions, and closings with false headers; `mode` says how.",
  weight: 4,
  needs: "chain links",
  modes: CHECKPOINT_MODES,
  create: ({ mode }) => falseCheckpointIn(modeOf(CHECKPOINT_MODES, mode)),
};

function falseCheckpointIn(mode: CheckpointMode): Strategy<Memory> {
  return {
    memory: { ledger: NO_KNOWN_LEDGER, sent: Trie.empty() },
    intercept: (step, before) => {
      if (mode === "withheld")
        return { outputs: step.outputs.flatMap((one) => withheldContent(step, one)), memory: before };
      let memory: Memory = { ...before, ledger: afterStep(before.ledger, step) };
      const outputs = step.outputs.map((output): Output => {
        const honest = proposedIn(output);
        if (output.type !== "sign" || honest === undefined) return output;
        const { body } = output.message;
        const key = `${body.round} ${slotKey(body.slot)}`;
        const content = memory.sent.get(key) ?? falsified(mode, step, memory.ledger, honest);
        if (content === undefined || body.type !== "proposal") return output;
        const sent = memory.sent.size >= STRATEGY_ROUNDS_MAX ? Trie.empty<ChainContent>() : memory.sent;
        memory = { ...memory, sent: sent.set(key, content) };
        return {
          ...output,
          message: { ...output.message, body: { ...body, value: hashOf(content) }, contents: [content] },
        };
      });
      return { outputs, memory };
    },
  };
}

/** Returns the checkpoint or closing that it proposes without a forcing lock. */
function proposedIn(output: Output): ChainContent | undefined {
  if (output.type !== "sign" || output.message.body.type !== "proposal") return undefined;
  const [content]: readonly Content[] = output.message.contents;
  const isFree = output.message.body.justification.every(({ lock }) => lock === undefined);
  return isFree && content !== undefined && isChainContent(content) ? content : undefined;
}

function falsified(
  mode: CheckpointMode,
  step: InterceptedStep,
  ledger: KnownLedger,
  honest: ChainContent,
): ChainContent | undefined {
  const { header } = honest.value;
  const untrue = headed(mode, step, ledger, header);
  if (untrue !== undefined) return { ...honest, value: { ...honest.value, header: { ...header, ...untrue } } };
  if (mode === "next-committee") return isClosing(honest) ? withNext(ledger, honest) : undefined;
  const parts = listedIn(mode, ledger, honest);
  return parts && withList(ledger, honest, parts);
}

/** Returns the same closing with one validator fewer in the next committee. */
function withNext(ledger: KnownLedger, honest: ClosingContent): ChainContent {
  const { next } = honest.value;
  const value = { ...honest.value, next: { ...next, validators: next.validators.slice(0, -1) } };
  return withList(ledger, { ...honest, value }, listedSlots(value.listed, honest.operations) ?? []);
}

/** Returns the false header of a mode; `undefined` if the mode alters the list. */
function headed(
  mode: CheckpointMode,
  { now }: InterceptedStep,
  { parent }: KnownLedger,
  header: CheckpointHeader,
): Partial<CheckpointHeader> | undefined {
  switch (mode) {
    case "state-root":
      return { stateRoot: otherThan(header.stateRoot) };
    case "transactions-root":
      return { transactionsRoot: otherThan(header.transactionsRoot) };
    case "receipts-root":
      return { receiptsRoot: otherThan(header.receiptsRoot) };
    case "parent":
      return { parentHash: otherThan(header.parentHash) };
    case "number":
      return { number: (header.number + 1) as CheckpointNumber };
    case "size":
      return { size: header.size + 1 };
    case "timestamp-late":
      return { timestamp: Math.floor(now / 1_000) + 3_600 };
    case "timestamp-never":
      return { timestamp: Number.MAX_SAFE_INTEGER };
    case "timestamp-early":
      return { timestamp: parent?.timestamp ?? 0 };
    default:
      return undefined;
  }
}

/** Returns the hash with its last digit changed. */
function otherThan(hash: Hash): Hash {
  return `${hash.slice(0, -1)}${hash.endsWith("0") ? "1" : "0"}` as Hash;
}

/**
 * Returns the output unchanged for the first half of its peers and for itself, and without chain links for the others.
 */
function withheldContent({ self, peers }: InterceptedStep, output: Output): readonly Output[] {
  if (output.type !== "sign" && output.type !== "send") return [output];
  const recipients = [self, ...peers.slice(0, (peers.length + 1) >> 1)];
  const [to, blind] = [
    output.to.filter((one) => recipients.includes(one)),
    output.to.filter((one) => !recipients.includes(one)),
  ];
  return [{ ...output, to }, ...(blind.length === 0 ? [] : [blindly(output, blind)])];
}

function blindly(output: Extract<Output, { type: "sign" | "send" }>, to: readonly Address[]): Output {
  if (output.type === "sign") return { ...output, to, message: { ...output.message, contents: bare(output.message) } };
  const { message } = output;
  if (message.type === "consensus") return { ...output, to, message: { ...message, contents: bare(message) } };
  if (message.type !== "decisions") return { ...output, to };
  const decided = message.decided.filter(({ content }) => !isChainContent(content));
  return { ...output, to, message: { ...message, decided, contents: bare(message) } };
}

function bare({
  contents,
}: UnsignedMessage | Extract<PeerMessage, { type: "consensus" | "decisions" }>): readonly Content[] {
  return contents.filter((content) => !isChainContent(content));
}
