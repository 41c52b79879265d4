/** Strategy: proposes checkpoints and closings of epochs that contradict the decided slots (protocol 6.1, 6.3). */
import { isChainSlot, type LedgerSlot, slotKey } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import type { LedgerState } from "../../../core/ledger/state.ts";
import {
  type ChainContent,
  copiesOf,
  isChainContent,
  isLedgerContent,
  type LedgerContent,
  type ListedContent,
  listedSlots,
} from "../../../core/validator/content.ts";
import { hashOf } from "../../network/message-content.ts";
import { STRATEGY_ROUNDS_MAX } from "../../settings.ts";
import { chainStateAfter, withList } from "../checkpoint-lists.ts";
import {
  emptiedIfFull,
  type InterceptedStep,
  messagesIn,
  modeOf,
  replaceFreeProposal,
  type Strategy,
  type StrategyRecord,
} from "../strategy.ts";

/** Defects of the list of a proposed checkpoint or closing that no mutation of one field makes (protocol 6.1). */
const CHECKPOINT_MODES = {
  undecided: "it lists a slot that is open.",
  "other-value": "a slot has another value than was decided.",
  "too-long": "it lists more slots than the limit.",
} as const;

type CheckpointMode = keyof typeof CHECKPOINT_MODES;

interface KnownLedger {
  /** State after the last checkpoint that its program applied. */
  readonly state: LedgerState | undefined;
  /** Slots that its program applied since, in order. */
  readonly applied: readonly ListedContent[];
  /** Every operation offered for an account slot, by `<slot> <value>`. */
  readonly offered: Trie<{ readonly slot: LedgerSlot; readonly content: LedgerContent }>;
}

const NO_KNOWN_LEDGER: KnownLedger = { state: undefined, applied: [], offered: Trie.empty() };

interface Memory {
  readonly ledger: KnownLedger;
  /** Proposals by round and slot, to repeat when asked again. */
  readonly sent: Trie<ChainContent>;
}

export const falseCheckpoint: StrategyRecord = {
  sentence: "Proposes checkpoints and closings that list what was not decided, or too much; `mode` says which.",
  weight: 2,
  needs: "chain links",
  modes: CHECKPOINT_MODES,
  create: ({ mode }) => falseCheckpointIn(modeOf(CHECKPOINT_MODES, mode)),
};

function falseCheckpointIn(mode: CheckpointMode): Strategy<Memory> {
  return {
    memory: { ledger: NO_KNOWN_LEDGER, sent: Trie.empty() },
    intercept: (step, before) => {
      let memory: Memory = { ...before, ledger: afterStep(before.ledger, step) };
      const outputs = step.outputs.map((output) =>
        replaceFreeProposal(output, ({ round, slot }, honest) => {
          if (honest === undefined || !isChainContent(honest)) return undefined;
          const key = `${round} ${slotKey(slot)}`;
          const content = memory.sent.get(key) ?? falsifyContent(mode, memory.ledger, honest);
          if (content !== undefined) memory = { ...memory, sent: emptiedIfFull(memory.sent).set(key, content) };
          return content;
        }),
      );
      return { outputs, memory };
    },
  };
}

function falsifyContent(mode: CheckpointMode, ledger: KnownLedger, honest: ChainContent): ChainContent | undefined {
  const parts = listedIn(mode, ledger, honest);
  return parts && withList(ledger.state, honest, parts);
}

/** Adds the inputs, signatures, applications and lists of this step. */
function afterStep(known: KnownLedger, step: InterceptedStep): KnownLedger {
  let ledger = { ...known, state: chainStateAfter(known.state, step) };
  for (const message of messagesIn(step)) {
    if (message.type !== "offer" || isChainSlot(message.slot) || !isLedgerContent(message.content)) continue;
    const { slot, content } = message;
    const offered = emptiedIfFull(ledger.offered);
    ledger = { ...ledger, offered: offered.set(`${slotKey(slot)} ${hashOf(content)}`, { slot, content }) };
  }
  for (const output of step.outputs) {
    if (output.type !== "event") continue;
    const { event } = output;
    if (event.type === "applied" && isLedgerContent(event.content)) {
      const applied = [...ledger.applied, listedSlot(event.slot, event.content)].slice(-STRATEGY_ROUNDS_MAX);
      ledger = { ...ledger, applied };
    } else if (event.type === "checkpointed" || event.type === "closed") {
      const keys = new Set(event.content.value.listed.map(({ slot }) => slotKey(slot)));
      const isOpen = ({ slot }: { readonly slot: LedgerSlot }): boolean => !keys.has(slotKey(slot));
      ledger = {
        ...ledger,
        applied: ledger.applied.filter(isOpen),
        offered: Trie.of([...ledger.offered.entries()].filter(([, one]) => isOpen(one))),
      };
    }
  }
  return ledger;
}

function listedSlot(slot: LedgerSlot, { value, operations }: LedgerContent): ListedContent {
  return { slot, value, copies: copiesOf(operations), operations };
}

/** Returns the list for a mode, derived from an honest list; `undefined` if the mode needs a slot that is missing. */
function listedIn(
  mode: CheckpointMode,
  ledger: KnownLedger,
  { value, operations }: ChainContent,
): readonly ListedContent[] | undefined {
  const parts = listedSlots(value.listed, operations) ?? [];
  if (mode === "undecided") return withUndecided(ledger, parts);
  if (mode === "other-value") return withOtherValue(ledger, parts);
  return ledger.applied.length > parts.length ? ledger.applied : undefined;
}

function withUndecided({ applied, offered }: KnownLedger, parts: readonly ListedContent[]): typeof parts | undefined {
  const known = new Set([...applied, ...parts].map(({ slot }) => slotKey(slot)));
  const open = [...offered.values()].find(({ slot }) => !known.has(slotKey(slot)));
  return open === undefined ? undefined : [...parts, listedSlot(open.slot, open.content)];
}

function withOtherValue({ offered }: KnownLedger, parts: readonly ListedContent[]): typeof parts | undefined {
  const otherValueOf = ({ slot, value }: ListedContent): ListedContent | undefined => {
    const decided = hashOf({ value, operations: [], certificates: [] });
    const [other] = [...offered.entriesWithPrefix(`${slotKey(slot)} `)]
      .map(([, one]) => one)
      .filter(({ content }) => hashOf(content) !== decided);
    return other === undefined ? undefined : listedSlot(slot, other.content);
  };
  const index = parts.findIndex((part) => otherValueOf(part) !== undefined);
  return index < 0 ? undefined : parts.map((part, at) => (at === index ? (otherValueOf(part) ?? part) : part));
}
