/**
 * What could be final: every value for which q commits of one round exist, and what the closings of epochs decide
 * besides. Two that do not go together break agreement (protocol 6.3, 7.1), whatever anybody has seen of them.
 */
import type { Epoch, Hash, Round } from "../../core/base/ids.ts";
import { type ClosingValue, digits, type LedgerValue, type SlotKey, slotKey } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import { UndoMap } from "../../core/base/undo-map.ts";
import { valueText } from "../words.ts";
import type { Contents } from "./content.ts";
import { type Linked, linksDown } from "./links.ts";

/** A value for which q commits of one epoch and round exist, and who made them. */
export interface Final {
  readonly slot: SlotKey;
  readonly value: Hash;
  readonly epoch: Epoch;
  readonly round: Round;
  /** By place in the roster. */
  readonly signers: readonly number[];
}

/** What a closing decides in a slot: a ledger's value that it or its chain lists, or the link of a number, itself included. */
export interface Settled {
  readonly epoch: Epoch;
  readonly decides: { readonly value: LedgerValue } | { readonly link: Hash };
}

/** The first closing of an epoch for which q commits exist. */
export interface Closing {
  readonly epoch: Epoch;
  readonly hash: Hash;
  /** `undefined` while nothing says what it is. */
  readonly value: ClosingValue | undefined;
  /** Its checkpoints of this epoch, the highest first. */
  readonly links: readonly Linked[];
  /** Whether all of these are known: else nothing can be said of what it leaves out. */
  readonly isWhole: boolean;
}

/** Two decisions that do not go together. */
export type Break =
  /** One slot, two values with q commits. */
  | { readonly kind: "rivals"; readonly first: Final; readonly second: Final }
  /** A closing decides another value, of its own epoch or of a later one. */
  | { readonly kind: "overruled"; readonly final: Final; readonly closing: Closing; readonly settled: Settled }
  /** Final in an epoch whose closing neither lists it nor follows what does. */
  | { readonly kind: "left out"; readonly final: Final; readonly closing: Closing };

/** A break across a closing. */
export type ClosingBreak = Exclude<Break, { readonly kind: "rivals" }>;

export interface Finality {
  /** By slot, whatever the epoch. */
  readonly finals: UndoMap<readonly Final[]>;
  /** By slot, what closings decide. */
  readonly settled: UndoMap<Settled>;
  /** By digits of the epoch. */
  readonly closings: Trie<Closing>;
}

/** What has to be known of the run in order to weigh a decision. */
export interface Knowledge {
  readonly contents: Contents;
  /** The number of the link that opened the epoch. */
  readonly opened: number;
  /** The slots of the epoch for which anybody signed; asked for a closing only. */
  slotsSigned(): readonly SlotKey[];
}

/** Before any signature. */
export function nothingFinal(): Finality {
  return { finals: UndoMap.empty(), settled: UndoMap.empty(), closings: Trie.empty() };
}

/** The closing of an epoch for which q commits exist. */
export function closingOf({ closings }: Finality, epoch: Epoch): Closing | undefined {
  return closings.get(digits(epoch));
}

/** With one more value that q commits make final, and what it contradicts. */
export function withFinal(
  before: Finality,
  made: Final,
  known: Knowledge,
): { readonly finality: Finality; readonly breaks: readonly Break[] } {
  const { slot, epoch } = made;
  const earlier = before.finals.get(slot) ?? [];
  const rival = earlier.find((one) => one.value !== made.value);
  const finality = { ...before, finals: before.finals.set(slot, [...earlier, made]) };
  if (rival !== undefined) return { finality, breaks: [{ kind: "rivals", first: rival, second: made }] };
  const isClosing = slot === epochSlot(epoch);
  if (isClosing) return earlier.length > 0 ? { finality, breaks: [] } : withClosing(finality, made, known);
  const found = contradiction(finality, made, known.contents);
  return { finality, breaks: found === undefined ? [] : [found] };
}

/** The key of the slot that decides the closing of an epoch. */
export function epochSlot(epoch: Epoch): SlotKey {
  return `epoch/${digits(epoch)}`;
}

/** What a final value of a slot contradicts of the closings so far. */
export function contradiction(finality: Finality, final: Final, contents: Contents): ClosingBreak | undefined {
  if (finality.closings.size === 0) return undefined;
  const settled = finality.settled.get(final.slot);
  const own = closingOf(finality, final.epoch);
  // What its own epoch made void a later one may have decided otherwise: it is the first that left it out.
  if (settled === undefined || settled.epoch > final.epoch) {
    return own?.isWhole === true ? { kind: "left out", final, closing: own } : undefined;
  }
  const closing = closingOf(finality, settled.epoch);
  if (closing === undefined || isSame(settled, final, contents)) return undefined;
  return { kind: "overruled", final, closing, settled };
}

/** Where nothing says what a hash stands for, it is taken for the same. */
function isSame({ decides }: Settled, { value }: Final, contents: Contents): boolean {
  if ("link" in decides) return decides.link === value;
  const content = contents.get(value);
  return content === undefined || valueText(content.value) === valueText(decides.value);
}

/** A closing decides what it lists and every link below it: each is weighed against what is final already. */
function withClosing(
  before: Finality,
  made: Final,
  known: Knowledge,
): { readonly finality: Finality; readonly breaks: readonly Break[] } {
  const { epoch } = made;
  const closing = closingFrom(made, known);
  let { settled } = before;
  const settle = (slot: SlotKey, decides: Settled["decides"]): void => {
    if (!settled.has(slot)) settled = settled.set(slot, { epoch, decides });
  };
  for (const { hash, value } of [...closing.links].reverse()) {
    settle(slotKey({ kind: "checkpoint", number: value.header.number }), { link: hash });
    for (const one of value.listed) settle(slotKey(one.slot), { value: one.value });
  }
  if (closing.value !== undefined) {
    const { header, listed } = closing.value;
    for (const one of listed) settle(slotKey(one.slot), { value: one.value });
    settle(slotKey({ kind: "checkpoint", number: header.number }), { link: closing.hash });
  }
  const finality = { ...before, settled, closings: before.closings.set(digits(epoch), closing) };
  const breaks: Break[] = [];
  for (const slot of known.slotsSigned()) {
    if (slot.startsWith("epoch/")) continue;
    for (const final of finality.finals.get(slot) ?? []) {
      const found = final.epoch === epoch ? contradiction(finality, final, known.contents) : undefined;
      if (found !== undefined) breaks.push(found);
    }
  }
  return { finality, breaks };
}

function closingFrom({ epoch, value: hash }: Final, { contents, opened }: Knowledge): Closing {
  const value = contents.get(hash)?.value;
  if (value?.type !== "closing") return { epoch, hash, value: undefined, links: [], isWhole: false };
  const { number, parentHash } = value.header;
  return { epoch, hash, value, ...linksDown(contents, parentHash, number - 1, opened) };
}
