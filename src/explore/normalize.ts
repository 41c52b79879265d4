/**
 * Normal form of a validator's memory: without anything that can be delivered again.
 *
 * The network of an exploration keeps all messages, so each can be delivered again. A memory without incomplete votes,
 * round changes, reasons and offers therefore does at least what the same memory with them does, and states that differ
 * in nothing else are equal. Removed inputs come back complete: q round changes, or a reason with the round changes
 * that it justifies (alphabet-*.ts). Normalization is an over-approximation: what a real validator remembers may
 * prevent a step (a Byzantine validator's second proposal of a round, say), and never enables one. Counterexamples are
 * therefore validated without it (confirm.ts).
 */
import type { Millis } from "../core/base/ids.ts";
import { slotKey } from "../core/base/slot.ts";
import { Trie } from "../core/base/trie.ts";
import { UndoMap } from "../core/base/undo-map.ts";
import { newSlot, type SlotState, withChanges } from "../core/consensus/slot-state.ts";
import { SYNC_MS } from "../core/validator/limits.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { NOW_MS } from "./limits.ts";

/** The other round timers start again with their round changes. */
const KEPT_TIMERS = ["token ", "closing "];

/** Returns the validator without all memory that can be delivered to it again. */
export function normalize(state: ValidatorState): ValidatorState {
  const slots = UndoMap.of(state.slots.entries().map(([key, slot]) => [key, bare(slot)] as const));
  return {
    ...state,
    slots,
    contents: contentsKept(state),
    pending: Trie.empty(),
    pendingByNonce: Trie.empty(),
    entryCount: 0,
    pendingCounts: Trie.empty(),
    evictable: Trie.empty(),
    queueKeys: 0,
    evicted: Trie.empty(),
    digests: UndoMap.empty(),
    voided: Trie.empty(),
    outcomes: UndoMap.empty(),
    subscribers: Trie.empty(),
    waiting: Trie.empty(),
    evidence: Trie.empty(),
    reasons: Trie.empty(),
    dueSince: Trie.of([...state.dueSince.entries()].map(([id]) => [id, NOW_MS as Millis] as const)),
    // The content of a decided value is waited for; the content of a lock is delivered with the lock.
    missingContents: Trie.of(
      [...state.missingContents.entries()].filter(([, slot]) => isDecided(state, slotKey(slot))),
    ),
    retries: Trie.of([...state.retries.entries()].map(([key]) => [key, 0] as const)),
    roundTimers: Trie.of(
      [...state.roundTimers.entries()].filter(([name]) => KEPT_TIMERS.some((kind) => name.startsWith(kind))),
    ),
    fetched: Trie.empty(),
    closes: Trie.empty(),
    epochAnswers: Trie.empty(),
    incarnation: 0,
    cursors: Trie.empty(),
    syncPause: SYNC_MS,
    syncIndex: 0,
  };
}

/** Keeps the validator's own statements; of a decided slot only the decision, since it signs nothing more there. */
function bare(slot: SlotState): SlotState {
  if (slot.decided !== undefined) return withChanges(newSlot(slot.slot, slot.epoch), { decided: slot.decided });
  return withChanges(slot, {
    ballots: Trie.empty(),
    tallies: Trie.empty(),
    claims: Trie.empty(),
    changes: Trie.empty(),
    highest: Trie.empty(),
    proposals: Trie.empty(),
  });
}

/** Keeps the contents of the validator's own statements: only those are certain to be in its memory. */
function contentsKept(state: ValidatorState): ValidatorState["contents"] {
  const named = new Set<string>();
  for (const { votes, commits, proposed, decided } of state.slots.values())
    for (const one of [...votes, ...commits, proposed, decided]) if (one !== undefined) named.add(one.value);
  return UndoMap.of(state.contents.entries().filter(([hash]) => named.has(hash)));
}

function isDecided(state: ValidatorState, key: string): boolean {
  return state.slots.get(key)?.decided !== undefined;
}
