/**
 * Values that could be final: those with q commits of one round, and those that closings of epochs decide, with the
 * checkpoints that lead to them. Conflicting ones violate agreement (protocol 6.3, 7.1), even if no node has seen them.
 */
import type { Epoch, Hash, Round } from "../../core/base/ids.ts";
import {
  type CheckpointValue,
  type ClosingValue,
  type LedgerValue,
  paddedNumber,
  type SlotKey,
  slotKey,
} from "../../core/base/slot.ts";
import { valueText } from "../text.ts";
import type { Contents } from "./content.ts";

/** Value with q commits of one epoch and round, with their signers. */
export interface FinalValue {
  readonly slot: SlotKey;
  readonly value: Hash;
  readonly epoch: Epoch;
  readonly round: Round;
  /** By index in the roster. */
  readonly signers: readonly number[];
}

/**
 * Decision of a closing about a slot: a ledger value that it or its chain lists, or the chain link of a number,
 * including itself.
 */
export interface ClosingDecision {
  readonly epoch: Epoch;
  readonly decides: { readonly value: LedgerValue } | { readonly link: Hash };
}

/** First closing of an epoch with q commits, and the checkpoints of its epoch that it follows. */
export interface DecidedClosing extends ChainLinks {
  readonly epoch: Epoch;
  readonly hash: Hash;
  /** `undefined` while its content is unknown. */
  readonly value: ClosingValue | undefined;
}

/** Two conflicting decisions. */
export type FinalityConflict =
  /** Two values with q commits in one slot. */
  | { readonly kind: "rivals"; readonly first: FinalValue; readonly second: FinalValue }
  /** A closing of the same or a later epoch that decides another value. */
  | {
      readonly kind: "overruled";
      readonly final: FinalValue;
      readonly closing: DecidedClosing;
      readonly settled: ClosingDecision;
    }
  /** Final in an epoch whose closing neither lists it nor follows a checkpoint that does. */
  | { readonly kind: "left out"; readonly final: FinalValue; readonly closing: DecidedClosing };

/** Conflict with a closing. */
export type ClosingConflict = Exclude<FinalityConflict, { readonly kind: "rivals" }>;

export interface Finality {
  /** Final values by slot, across epochs. */
  readonly finals: Map<SlotKey, readonly FinalValue[]>;
  /** Decisions of closings by slot. */
  readonly settled: Map<SlotKey, ClosingDecision>;
  readonly closings: Map<Epoch, DecidedClosing>;
}

/** Facts about the run that the check of a decision needs. */
interface FinalityContext {
  readonly contents: Contents;
  /** Number of the chain link that opened the epoch. */
  readonly opened: number;
  /** Signatures of the epoch by slot. */
  readonly signed: ReadonlyMap<SlotKey, unknown>;
}

/** Returns the state before any signature. */
export function emptyFinality(): Finality {
  return { finals: new Map(), settled: new Map(), closings: new Map() };
}

/** Adds a final value and returns its conflicts. */
export function addFinal(finality: Finality, final: FinalValue, context: FinalityContext): readonly FinalityConflict[] {
  const { slot, epoch } = final;
  const earlier = finality.finals.get(slot);
  finality.finals.set(slot, earlier === undefined ? [final] : [...earlier, final]);
  const rival = earlier?.find((value) => value.value !== final.value);
  if (rival !== undefined) return [{ kind: "rivals", first: rival, second: final }];
  if (slot === epochSlot(epoch)) return earlier === undefined ? addClosing(finality, final, context) : NO_CONFLICTS;
  const conflict = finalityConflict(finality, final, context.contents);
  return conflict === undefined ? NO_CONFLICTS : [conflict];
}

const NO_CONFLICTS: readonly FinalityConflict[] = [];

/** Returns the key of the slot that decides the closing of an epoch. */
export function epochSlot(epoch: Epoch): SlotKey {
  return `epoch/${paddedNumber(epoch)}`;
}

/** Returns the conflict of a final value with the closings so far. */
export function finalityConflict(
  finality: Finality,
  final: FinalValue,
  contents: Contents,
): ClosingConflict | undefined {
  if (finality.closings.size === 0) return undefined;
  const settled = finality.settled.get(final.slot);
  const epochClosing = finality.closings.get(final.epoch);
  // A later epoch may decide otherwise what this one left void, so the conflict is with the first closing that omits
  // it.
  if (settled === undefined || settled.epoch > final.epoch) {
    return epochClosing?.isComplete === true ? { kind: "left out", final, closing: epochClosing } : undefined;
  }
  const closing = finality.closings.get(settled.epoch);
  if (closing === undefined || isSameDecision(settled, final, contents)) return undefined;
  return { kind: "overruled", final, closing, settled };
}

/** Contents that are unknown count as equal. */
function isSameDecision({ decides }: ClosingDecision, { value }: FinalValue, contents: Contents): boolean {
  if ("link" in decides) return decides.link === value;
  const content = contents.get(value);
  return content === undefined || valueText(content.value) === valueText(decides.value);
}

/**
 * A closing decides the slots that it lists and every chain link below it; each one is compared with earlier final
 * values.
 */
function addClosing(finality: Finality, final: FinalValue, context: FinalityContext): readonly FinalityConflict[] {
  const { epoch } = final;
  const { settled } = finality;
  const closing = decidedClosing(final, context);
  const settle = (slot: SlotKey, decides: ClosingDecision["decides"]): void => {
    if (!settled.has(slot)) settled.set(slot, { epoch, decides });
  };
  for (const { hash, value } of [...closing.links].reverse()) {
    settle(slotKey({ kind: "checkpoint", number: value.header.number }), { link: hash });
    for (const decision of value.listed) settle(slotKey(decision.slot), { value: decision.value });
  }
  if (closing.value !== undefined) {
    const { header, listed } = closing.value;
    for (const decision of listed) settle(slotKey(decision.slot), { value: decision.value });
    settle(slotKey({ kind: "checkpoint", number: header.number }), { link: closing.hash });
  }
  finality.closings.set(epoch, closing);
  const breaks: FinalityConflict[] = [];
  for (const slot of context.signed.keys()) {
    if (slot.startsWith("epoch/")) continue;
    for (const final of finality.finals.get(slot) ?? []) {
      const conflict = final.epoch === epoch ? finalityConflict(finality, final, context.contents) : undefined;
      if (conflict !== undefined) breaks.push(conflict);
    }
  }
  return breaks;
}

function decidedClosing({ epoch, value: hash }: FinalValue, { contents, opened }: FinalityContext): DecidedClosing {
  const value = contents.get(hash)?.value;
  if (value?.type !== "closing") return { epoch, hash, value: undefined, links: [], isComplete: false };
  const { number, parentHash } = value.header;
  return { epoch, hash, value, ...ancestors(contents, parentHash, number - 1, opened) };
}

/** Checkpoint with its hash. */
interface ChainLink {
  readonly hash: Hash;
  readonly value: CheckpointValue;
}

export interface ChainLinks {
  /** Highest first. */
  readonly links: readonly ChainLink[];
  /** True if they lead to the link that opened the epoch; otherwise an ancestor is unknown, and what it lists. */
  readonly isComplete: boolean;
}

/**
 * Returns the checkpoints of one epoch from checkpoint `number` down to the first one after the link that opened it.
 */
export function ancestors(contents: Contents, hash: Hash, number: number, opened: number): ChainLinks {
  const links: ChainLink[] = [];
  let next = hash;
  for (let at = number; at > opened; at--) {
    const value = contents.get(next)?.value;
    if (value?.type !== "checkpoint" || value.header.number !== at) return { links, isComplete: false };
    links.push({ hash: next, value });
    next = value.header.parentHash;
  }
  return { links, isComplete: true };
}

/** Returns the slots that these checkpoints list. */
export function slotsListed({ links }: ChainLinks): ReadonlySet<SlotKey> {
  return new Set(links.flatMap(({ value }) => value.listed.map(({ slot }) => slotKey(slot))));
}
