/** Replay of each link of the checkpoint chain on its parent, with the faults found (protocol 6.1, 7.9). */
import { fromHex } from "../../../core/base/encoding.ts";
import type { Hash, Millis } from "../../../core/base/ids.ts";
import type { Receipt } from "../../../core/base/refusal.ts";
import { type LedgerSlot, paddedNumber, type SlotKey, slotKey } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import { listRoot } from "../../../core/crypto/merkle-list.ts";
import type { ReportViolation } from "../../fold.ts";
import { type ListedSlot, listedSlots } from "../../history/content.ts";
import type { EventOf, NodeName } from "../../observation.ts";
import { applyClosing, parametersText } from "../../reference/epoch.ts";
import { applySlot, type ModelReceipt } from "../../reference/ledger.ts";
import type { JudgedGenesis } from "../../reference/policy.ts";
import { type EpochState, genesisLedger, type LedgerState } from "../../reference/state.ts";
import { closingName, countText, joinNames, shortId, slotKeyName, slotName, valueText } from "../../text.ts";
import {
  type CodedReceipt,
  differingParts,
  partsAfter,
  partsOf,
  receiptsRootOf,
  type StateParts,
  stateRootOf,
} from "./chain-roots.ts";

/** Application of a chain link at a node. */
export type ReplayResult = EventOf<"checkpointed" | "closed">;

/** Chain link as the first honest node applied it. */
interface ReplayedChainLink {
  readonly hash: Hash;
  readonly timestamp: number;
  readonly by: NodeName;
}

export interface ReplayedChain {
  /** By digits of the number, without the forgotten ones. */
  links: Trie<ReplayedChainLink>;
  /** Number of the last link that is forgotten. */
  forgotten: number;
  /** Reference ledger after the last link. */
  readonly ledger: LedgerState;
  /** Its parts; `undefined` after the first link that does not lead to the state that it names. */
  parts: StateParts | undefined;
  /** Values that honest nodes applied or links list, as text by slot; and those among them that no link lists yet. */
  decided: Trie<string>;
  unlisted: Trie<UnlistedSlot>;
}

/** Decided slot that no link lists, with the receipts that the first honest node made. */
interface UnlistedSlot {
  readonly slot: LedgerSlot;
  readonly at: Millis;
  readonly receipts: readonly Receipt[];
}

/** Returns the chain before its first link. */
export function chainAtGenesis(genesis: JudgedGenesis): ReplayedChain {
  const ledger = genesisLedger(genesis);
  const [links, decided, unlisted] = [Trie.empty<never>(), Trie.empty<never>(), Trie.empty<never>()];
  return { links, forgotten: 0, ledger, parts: partsOf(ledger), decided, unlisted };
}

/**
 * Drops the links up to a number and the values of their slots. Only a validator that restarts applies them again: the
 * first link after them shows whether it came there by the same ones.
 */
export function dropOldLinks(chain: ReplayedChain, { slots, upTo }: EventOf<"forgotten">): void {
  for (let number = chain.forgotten + 1; number <= upTo; number++)
    chain.links = chain.links.delete(paddedNumber(number));
  for (const slot of slots) chain.decided = chain.decided.delete(slot);
  chain.forgotten = upTo;
}

/** Returns `checkpoint 3`, `checkpoint 4 (the closing of epoch 0)`. */
export function chainLinkName({ value }: ReplayResult): string {
  const { number } = value.header;
  return value.type === "closing" ? `checkpoint ${number} (${closingName(value.epoch)})` : `checkpoint ${number}`;
}

/** Adds a link that no honest node has applied before, checked by itself and against its parent. */
export function addChainLink(chain: ReplayedChain, record: ReplayResult, report: ReportViolation): void {
  const { hash, node, value, operations } = record;
  const { ledger, decided } = chain;
  const { number, timestamp, stateRoot } = value.header;
  checkPosition(chain, record, report);
  if (record.type === "checkpointed") checkEpochCheckpoints(ledger.epoch, record, report);
  const receipts: CodedReceipt[] = [];
  for (const part of listedSlots(value.listed, operations)) {
    const key = slotKey(part.slot);
    const outcome = replaySlot(ledger, decided.get(key), chainLinkName(record), part, report);
    chain.parts = outcome.problems.length > 0 ? undefined : chain.parts && partsAfter(chain.parts, ledger, part.slot);
    receipts.push(...outcome.receipts.map((receipt) => withCode(receipt, key, chain.unlisted.get(key)?.receipts)));
    chain.unlisted = chain.unlisted.delete(key);
    if (!chain.decided.has(key)) chain.decided = chain.decided.set(key, valueText(part.value));
  }
  listedRoots(record, receipts, chain.parts !== undefined, report);
  if (record.type === "closed") {
    checkClosingCause(ledger.epoch, record, report);
    for (const problem of applyClosing(ledger, record.value)) report(`${chainLinkName(record)} is invalid: ${problem}`);
    chain.parts = chain.parts && partsAfter(chain.parts, ledger, undefined);
    checkCompleteness(chain.unlisted, record, report);
    chain.unlisted = Trie.empty();
  }
  if (chain.parts !== undefined && stateRootOf(chain.parts, ledger) !== stateRoot) {
    // The node that applied it first has the state that it names.
    const isNamed = record.parts !== undefined && record.root === stateRoot;
    const where = isNamed ? `; different: ${joinNames(differingParts(chain.parts, record.parts))}` : "";
    report(`${chainLinkName(record)} has a state root that does not match the state after what it lists${where}`);
    chain.parts = undefined;
  }
  chain.links = chain.links.set(paddedNumber(number), { hash, timestamp, by: node });
}

/** Of several reasons for a refusal the order of checks picks one: that of the node, which `validity` judges. */
function withCode(receipt: ModelReceipt, slot: SlotKey, receipts: readonly Receipt[] = []): CodedReceipt {
  const [reason] = receipt.reasons;
  const code = receipt.reasons.length > 1 ? receipts.find(({ id }) => id === receipt.id)?.error?.code : reason;
  return { ...receipt, code, slot };
}

/** Checks the roots over what a link lists; `isSound`: it replays. */
function listedRoots(
  record: ReplayResult,
  receipts: readonly CodedReceipt[],
  isSound: boolean,
  report: ReportViolation,
): void {
  const { transactionsRoot, receiptsRoot } = record.value.header;
  const effects = (): string => `does not match the ${countText(receipts.length, "effect")} it lists`;
  if (listRoot(receipts.map(({ id }) => fromHex(id))) !== transactionsRoot)
    report(`${chainLinkName(record)} has a transactions root that ${effects()}`);
  else if (isSound && receipts.every(hasCode) && receiptsRootOf(receipts) !== receiptsRoot)
    report(`${chainLinkName(record)} has a receipts root that ${effects()}`);
}

/** False if no honest node has told yet which reason it names. */
function hasCode({ success, code }: CodedReceipt): boolean {
  return success || code !== undefined;
}

/**
 * The parent is the previous link, and time does not go back. Between two checkpoints the period of their epoch passes;
 * a closing need not wait.
 */
function checkPosition({ links, ledger }: ReplayedChain, record: ReplayResult, report: ReportViolation): void {
  const { number, parentHash, timestamp } = record.value.header;
  const parent = links.get(paddedNumber(number - 1));
  if (parent === undefined ? number !== 1 : parent.hash !== parentHash) {
    report(
      `${chainLinkName(record)} of ${record.node} names parent ${shortId(parentHash)}, which is not the previous link`,
    );
  }
  const period = record.type === "closed" ? 0 : (ledger.epoch.parameters.checkpoints?.periodSeconds ?? 0);
  const earliest = (parent?.timestamp ?? 0) + period;
  if (timestamp < earliest)
    report(`${chainLinkName(record)} has timestamp ${timestamp}, expected at least ${earliest}`);
}

/** Checks that the epoch forms checkpoints, and none after the one that makes its closing due. */
function checkEpochCheckpoints(
  { number: epoch, opened, parameters }: EpochState,
  record: ReplayResult,
  report: ReportViolation,
): void {
  const { number } = record.value.header;
  const { checkpoints } = parameters;
  const { length } = record.value.listed;
  if (checkpoints === undefined)
    report(`${chainLinkName(record)} was formed in epoch ${epoch}, which has no checkpoints`);
  else if (length > checkpoints.limit || (length === 0 && !checkpoints.empty))
    report(`${chainLinkName(record)} lists ${countText(length, "slot")}, which epoch ${epoch} does not allow`);
  if (parameters.epochLength === undefined || number <= opened + parameters.epochLength) return;
  report(
    `${chainLinkName(record)} is past ${opened + parameters.epochLength}, after which epoch ${epoch} is due to close`,
  );
}

/**
 * An epoch closes after its last checkpoint with unchanged parameters, or by a proposal of the operator (protocol 6.3).
 */
function checkClosingCause(
  { opened, parameters }: EpochState,
  record: EventOf<"closed">,
  report: ReportViolation,
): void {
  const { cause, value } = record;
  if (cause.kind === "proposal") return;
  const last = parameters.epochLength === undefined ? undefined : opened + parameters.epochLength;
  if (cause.number !== last || value.header.number !== last + 1)
    report(`${chainLinkName(record)} follows checkpoint ${cause.number}, where ${dueWords(last)}`);
  if (parametersText(value.next) !== parametersText(parameters))
    report(`${chainLinkName(record)} changes the parameters without a proposal`);
}

function dueWords(last: number | undefined): string {
  return last === undefined ? "no checkpoint makes it due" : `it is due after ${last}`;
}

/** `known`: what was decided there before the link. */
function replaySlot(
  ledger: LedgerState,
  known: string | undefined,
  name: string,
  { slot, value, operations }: ListedSlot,
  report: ReportViolation,
): ReturnType<typeof applySlot> {
  const outcome = applySlot(ledger, slot, value, operations);
  if (outcome.problems.length > 0) {
    report(`${name} lists ${slotName(slot)}, which does not replay: ${outcome.problems.join("; ")}`);
  }
  if (known !== undefined && known !== valueText(value)) {
    report(`${name} lists another value for ${slotName(slot)} than was decided`);
  }
  return outcome;
}

/** The closing of an epoch or a checkpoint before it lists every decision of the epoch (protocol 6.3). */
function checkCompleteness(unlisted: ReplayedChain["unlisted"], record: ReplayResult, report: ReportViolation): void {
  if (unlisted.size === 0) return;
  const left = unlisted.values().map(({ slot }) => slotKeyName(slotKey(slot)));
  report(`${chainLinkName(record)} omits ${countText(left.length, "decided slot")} of its epoch: ${joinNames(left)}`);
}
