/** Ledger knowledge of a strategy with false checkpoints, and the lists that it builds from it. */
import { type CheckpointHeader, type LedgerSlot, type Slot, sequencePrefix, slotKey } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import { impossible, waiting } from "../../core/ledger/applied.ts";
import { apply } from "../../core/ledger/apply.ts";
import { closingTransitionOf, replay } from "../../core/ledger/checkpoint.ts";
import { operationId } from "../../core/ledger/identity.ts";
import { accountOf, type LedgerState } from "../../core/ledger/state.ts";
import {
  type ChainContent,
  copiesOf,
  isLedgerContent,
  type LedgerContent,
  type ListedContent,
  listedSlots,
  sizeOf,
} from "../../core/validator/content.ts";
import { hashOf } from "../network/message-content.ts";
import { STRATEGY_ROUNDS_MAX } from "../settings.ts";
import type { InterceptedStep } from "./strategy.ts";

/** Defects of a proposed checkpoint (protocol 6.1). */
export const CHECKPOINT_MODES = {
  missing: "a slot in the middle of its sequence is absent.",
  repeated: "a slot stands twice.",
  reordered: "a slot stands before the one that it follows.",
  "listed-before": "a slot that the parent lists stands in it again.",
  "too-long": "it lists more slots than the limit.",
  "state-root": "another state root.",
  "transactions-root": "another root of the transactions.",
  "receipts-root": "another root of the receipts.",
  parent: "another parent.",
  number: "another number.",
  size: "another size.",
  "timestamp-late": "a timestamp one hour ahead of its own clock.",
  "timestamp-never": "the latest timestamp that a number can hold.",
  "timestamp-early": "a timestamp no later than that of the parent.",
  empty: "it lists no slots.",
  undecided: "it lists a slot that is open.",
  "other-value": "a slot has another value than was decided.",
  copies: "hashes of signed copies that it does not show.",
  "next-committee": "a closing whose next committee lacks one validator of those that its cause names.",
  withheld: "a valid checkpoint whose content only one half of its peers receives.",
} as const;

export type CheckpointMode = keyof typeof CHECKPOINT_MODES;

export interface KnownLedger {
  /** Last checkpoint that its program applied, the state after it, and its list. */
  readonly parent: CheckpointHeader | undefined;
  readonly state: LedgerState | undefined;
  readonly listed: readonly ListedContent[];
  /** Slots that its program applied since, in order. */
  readonly applied: readonly ListedContent[];
  /** Every operation offered for an account slot, by `<slot> <value>`. */
  readonly offered: Trie<{ readonly slot: LedgerSlot; readonly content: LedgerContent }>;
}

export const NO_KNOWN_LEDGER: KnownLedger = {
  parent: undefined,
  state: undefined,
  listed: [],
  applied: [],
  offered: Trie.empty(),
};

/** Adds the inputs, signatures, applications and lists of this step. */
export function afterStep(known: KnownLedger, { input, outputs }: InterceptedStep): KnownLedger {
  let ledger = known;
  const received = input.type === "message" ? [input.message] : [];
  const sent = outputs.flatMap((output) => (output.type === "send" ? [output.message] : []));
  for (const message of [...received, ...sent]) {
    if (message.type !== "offer" || !isLedgerSlot(message.slot) || !isLedgerContent(message.content)) continue;
    const { slot, content } = message;
    const offered = ledger.offered.size >= STRATEGY_ROUNDS_MAX ? NO_KNOWN_LEDGER.offered : ledger.offered;
    ledger = { ...ledger, offered: offered.set(`${slotKey(slot)} ${hashOf(content)}`, { slot, content }) };
  }
  for (const output of outputs) {
    if (output.type !== "event") continue;
    const { event } = output;
    if (event.type === "applied" && isLedgerContent(event.content)) {
      const applied = [...ledger.applied, listedSlot(event.slot, event.content)].slice(-STRATEGY_ROUNDS_MAX);
      ledger = { ...ledger, applied };
    } else if (event.type === "checkpointed" || event.type === "closed") {
      const { header, listed } = event.content.value;
      const keys = new Set(listed.map(({ slot }) => slotKey(slot)));
      const isOpen = ({ slot }: { readonly slot: LedgerSlot }): boolean => !keys.has(slotKey(slot));
      ledger = {
        parent: header,
        state: event.state,
        listed: listedSlots(listed, event.content.operations) ?? [],
        applied: ledger.applied.filter(isOpen),
        offered: Trie.of([...ledger.offered.entries()].filter(([, one]) => isOpen(one))),
      };
    }
  }
  return ledger;
}

function isLedgerSlot(slot: Slot): slot is LedgerSlot {
  return slot.kind === "account" || slot.kind === "token";
}

function listedSlot(slot: LedgerSlot, { value, operations }: LedgerContent): ListedContent {
  return { slot, value, copies: copiesOf(operations), operations };
}

/** Returns the list for a mode, derived from an honest list; `undefined` if the mode needs a slot that is missing. */
export function listedIn(
  mode: CheckpointMode,
  ledger: KnownLedger,
  { value, operations }: ChainContent,
): readonly ListedContent[] | undefined {
  const parts = listedSlots(value.listed, operations) ?? [];
  switch (mode) {
    case "missing":
      return without(parts, middleOf(parts));
    case "repeated":
      return parts.length === 0 ? undefined : [...parts, ...parts.slice(-1)];
    case "reordered":
      return swapped(parts);
    case "listed-before":
      return ledger.listed.length === 0 ? undefined : [...ledger.listed.slice(-1), ...parts];
    case "too-long":
      return ledger.applied.length > parts.length ? ledger.applied : undefined;
    case "empty":
      return parts.length === 0 ? undefined : [];
    case "undecided":
      return withUndecided(ledger, parts);
    case "other-value":
      return withOtherValue(ledger, parts);
    case "copies":
      return parts.length === 0 ? undefined : parts.map((part, at) => (at > 0 ? part : withOtherCopies(part)));
    default:
      return undefined;
  }
}

/**
 * Returns the same chain link with another list: roots and size are correct if the state before it is known and the
 * list replays.
 */
export function withList({ state }: KnownLedger, honest: ChainContent, parts: readonly ListedContent[]): ChainContent {
  const { value } = honest;
  const operations = parts.flatMap((part) => part.operations);
  const listed = parts.map(({ slot, value: decided, copies }) => ({ slot, value: decided, copies }));
  const slots = parts.map((part) => ({ slot: part.slot, value: part.value, operation: part.operations[0] }));
  const replayed = state === undefined ? undefined : replay(state, slots, applyWhatFits, closingTransitionOf(value));
  const roots = replayed?.outcome === "replayed" ? replayed.roots : {};
  const header = { ...value.header, ...roots, size: sizeOf(operations) };
  return { ...honest, value: { ...value, header, listed }, operations };
}

/**
 * The listed slots are not decided: an operation in another account's slot has no nonce to use there, and content that a
 * validator offers may lack its value's operation or hold another.
 */
const applyWhatFits: typeof apply = (state, slot, value, operation) => {
  if (value.type !== "operation" || slot.kind !== "account") return apply(state, slot, value, operation);
  if (operation === undefined || operationId(operation) !== value.id)
    return impossible(`no content of operation ${value.id}`);
  const expected = accountOf(state, slot.address).nonce;
  const got = operation.operation.nonce;
  const isOwn = operation.sender === slot.address && got === expected;
  return isOwn ? apply(state, slot, value, operation) : waiting({ code: "business_nonce_gap", expected, got });
};

/** Returns the index of the first slot with an earlier and a later one of its sequence in the list. */
function middleOf(parts: readonly ListedContent[]): number {
  const sequences = parts.map(({ slot }) => sequencePrefix(slot));
  return sequences.findIndex((one, at) => sequences.indexOf(one) < at && sequences.lastIndexOf(one) > at);
}

function without(parts: readonly ListedContent[], index: number): readonly ListedContent[] | undefined {
  return index < 0 ? undefined : parts.filter((_, at) => at !== index);
}

/** Swaps the first two slots of one sequence. */
function swapped(parts: readonly ListedContent[]): readonly ListedContent[] | undefined {
  const sequences = parts.map(({ slot }) => sequencePrefix(slot));
  const second = sequences.findIndex((one, at) => sequences.indexOf(one) < at);
  const first = sequences.indexOf(sequences[second] ?? "");
  const [early, late] = [parts[first], parts[second]];
  if (early === undefined || late === undefined) return undefined;
  return parts.map((part, at) => (at === first ? late : at === second ? early : part));
}

function withUndecided({ applied, offered }: KnownLedger, parts: readonly ListedContent[]): typeof parts | undefined {
  const known = new Set([...applied, ...parts].map(({ slot }) => slotKey(slot)));
  const open = [...offered.values()].find(({ slot }) => !known.has(slotKey(slot)));
  return open === undefined ? undefined : [...parts, listedSlot(open.slot, open.content)];
}

function withOtherValue({ offered }: KnownLedger, parts: readonly ListedContent[]): typeof parts | undefined {
  const otherValueOf = ({ slot, value }: ListedContent): ListedContent | undefined => {
    const decided = hashOf({ value, operations: [], certificates: [] });
    const [other] = [...offered.within(`${slotKey(slot)} `)]
      .map(([, one]) => one)
      .filter(({ content }) => hashOf(content) !== decided);
    return other === undefined ? undefined : listedSlot(slot, other.content);
  };
  const index = parts.findIndex((part) => otherValueOf(part) !== undefined);
  return index < 0 ? undefined : parts.map((part, at) => (at === index ? (otherValueOf(part) ?? part) : part));
}

function withOtherCopies(part: ListedContent): ListedContent {
  const bare = hashOf({ value: part.value, operations: [], certificates: [] });
  return { ...part, copies: part.copies.map(() => bare) };
}
