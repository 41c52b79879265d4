/** Each link of the checkpoint chain, replayed on the one before it (protocol 6.1): what an oracle says of it. */
import { fromHex } from "../../core/base/encoding.ts";
import type { Hash, Millis } from "../../core/base/ids.ts";
import { digits, type LedgerSlot, slotKey } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import { listRoot } from "../../core/crypto/merkle-list.ts";
import type { Report } from "../fold.ts";
import { type Part, partsOf } from "../history/listed-parts.ts";
import type { NodeName, RecordOf } from "../observation.ts";
import { applyClosing } from "../reference/closing.ts";
import { applySlot } from "../reference/ledger.ts";
import { parametersText } from "../reference/parameters.ts";
import type { Constants, EpochState, LedgerState } from "../reference/state.ts";
import { closingName, counted, listed, short, slotKeyName, slotName, valueText } from "../words.ts";

/** A node applied a link of the chain. */
export type Chained = RecordOf<"checkpointed"> | RecordOf<"closed">;

/** A link as it was first applied by an honest node. */
interface Link {
  readonly hash: Hash;
  readonly timestamp: number;
  readonly by: NodeName;
}

export interface LinkChain {
  /** By digits of the number. */
  readonly links: Trie<Link>;
  /** The reference ledger after the last of them. */
  readonly ledger: LedgerState;
  /** What honest nodes applied or links list, by slot, as text of its value; and what of it no link lists yet. */
  readonly decided: Trie<string>;
  readonly unlisted: Trie<{ readonly slot: LedgerSlot; readonly at: Millis }>;
}

/** What it is called: `checkpoint 3`, `checkpoint 4 (the closing of epoch 0)`. */
export function linkName({ value }: Chained): string {
  const { number } = value.header;
  return value.type === "closing" ? `checkpoint ${number} (${closingName(value.epoch)})` : `checkpoint ${number}`;
}

/** With a link that no honest node has applied before, judged by itself and against its parent. */
export function withLink(before: LinkChain, record: Chained, constants: Constants, report: Report): LinkChain {
  const { value, operations } = record;
  placed(before, record, report);
  if (record.type === "checkpointed") inEpoch(before.ledger.epoch, record, report);
  let { ledger, decided, unlisted } = before;
  const ids: Hash[] = [];
  for (const part of partsOf(value.listed, operations)) {
    const key = slotKey(part.slot);
    const outcome = replayed(before, ledger, linkName(record), part, constants, report);
    ledger = outcome.state;
    ids.push(...outcome.receipts.map(({ id }) => id));
    unlisted = unlisted.delete(key);
    if (!decided.has(key)) decided = decided.set(key, valueText(part.value));
  }
  if (listRoot(ids.map((id) => fromHex(id))) !== value.header.transactionsRoot) {
    report(`${linkName(record)} has a transactions root that is not of the ${counted(ids.length, "effect")} it lists`);
  }
  if (record.type === "closed") {
    warranted(ledger.epoch, record, report);
    const outcome = applyClosing(ledger, record.value);
    for (const problem of outcome.problems) report(`${linkName(record)} does not follow: ${problem}`);
    ledger = outcome.state;
    complete(unlisted, record, report);
    unlisted = Trie.empty();
  }
  const { hash, node } = record;
  const { number, timestamp } = value.header;
  return { links: before.links.set(digits(number), { hash, timestamp, by: node }), ledger, decided, unlisted };
}

/**
 * Its parent is the link before it, and time does not go back. Between two checkpoints the period of their epoch passes; a
 * closing waits for none, since nothing goes on meanwhile.
 */
function placed({ links, ledger }: LinkChain, record: Chained, report: Report): void {
  const { number, parentHash, timestamp } = record.value.header;
  const parent = links.get(digits(number - 1));
  if (parent === undefined ? number !== 1 : parent.hash !== parentHash) {
    report(`${linkName(record)} of ${record.node} does not follow from its parent: it names ${short(parentHash)}`);
  }
  const period = record.type === "closed" ? 0 : (ledger.epoch.parameters.checkpoints?.periodSeconds ?? 0);
  const earliest = (parent?.timestamp ?? 0) + period;
  if (timestamp < earliest) report(`${linkName(record)} has timestamp ${timestamp}, expected at least ${earliest}`);
}

/** What its epoch allows an ordinary checkpoint: that there are any, and none past the one that makes the closing due. */
function inEpoch({ number: epoch, opened, parameters }: EpochState, record: Chained, report: Report): void {
  const { number } = record.value.header;
  if (parameters.checkpoints === undefined)
    report(`${linkName(record)} was formed in epoch ${epoch}, which forms none`);
  if (parameters.epochLength === undefined || number <= opened + parameters.epochLength) return;
  report(
    `${linkName(record)} stands past ${opened + parameters.epochLength}, after which epoch ${epoch} is due to close`,
  );
}

/** An epoch closes after its last checkpoint and keeps its parameters, or the operator says otherwise (protocol 6.3). */
function warranted({ opened, parameters }: EpochState, record: RecordOf<"closed">, report: Report): void {
  const { cause, value } = record;
  if (cause.kind === "proposal") return;
  const last = parameters.epochLength === undefined ? undefined : opened + parameters.epochLength;
  if (cause.number !== last || value.header.number !== last + 1)
    report(`${linkName(record)} follows checkpoint ${cause.number}, where ${dueWords(last)}`);
  if (parametersText(value.next) !== parametersText(parameters))
    report(`${linkName(record)} changes the parameters, and no proposal asked for that`);
}

function dueWords(last: number | undefined): string {
  return last === undefined ? "no checkpoint makes it due" : `it is due after ${last}`;
}

function replayed(
  { decided }: LinkChain,
  ledger: LedgerState,
  name: string,
  { slot, value, operations }: Part,
  constants: Constants,
  report: Report,
): ReturnType<typeof applySlot> {
  const outcome = applySlot(ledger, slot, value, operations, constants);
  if (outcome.problems.length > 0) {
    report(`${name} lists ${slotName(slot)}, which does not follow: ${outcome.problems.join("; ")}`);
  }
  const known = decided.get(slotKey(slot));
  if (known !== undefined && known !== valueText(value)) {
    report(`${name} lists another value for ${slotName(slot)} than was decided`);
  }
  return outcome;
}

/** What was decided in an epoch stands in its closing or before it (protocol 6.3). */
function complete(unlisted: LinkChain["unlisted"], record: Chained, report: Report): void {
  if (unlisted.size === 0) return;
  const left = [...unlisted.values()].map(({ slot }) => slotKeyName(slotKey(slot)));
  report(`${linkName(record)} leaves out ${counted(left.length, "decided slot")} of its epoch: ${listed(left)}`);
}
