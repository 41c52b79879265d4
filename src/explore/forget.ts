/**
 * The normal form of a validator's memory: without what it could be told again.
 *
 * The network of an exploration keeps everything: whatever a validator was told once it can be told again. So a memory
 * without half-collected votes, round changes, reasons and offers does at least what the same memory with them does, and
 * states that differ in nothing else are one state. What others could tell comes again whole: q round changes, a reason
 * with the round changes that it justifies (alphabet-*.ts). Forgetting errs on the safe side: a real validator may be kept from
 * something by what it remembers (a liar's second proposal of a round, say), never the other way round. A violation that
 * is found is therefore run again without forgetting (confirm.ts).
 */
import type { Millis } from "../core/base/ids.ts";
import { slotKey } from "../core/base/slot.ts";
import { Trie } from "../core/base/trie.ts";
import { UndoMap } from "../core/base/undo-map.ts";
import { changed, newSlot, type SlotState } from "../core/consensus/slot-state.ts";
import { SYNC_MS } from "../core/validator/limits.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { NOW_MS } from "./limits.ts";

/** Timers of rounds come again with the round changes that start them. */
const KEPT_TIMERS = ["token ", "closing "];

/** The same validator, with nothing in its memory but what nobody can tell it. */
export function forget(state: ValidatorState): ValidatorState {
  const slots = UndoMap.of(state.slots.entries().map(([key, slot]) => [key, bare(slot)] as const));
  return {
    ...state,
    slots,
    contents: contentsKept(state),
    pending: Trie.empty(),
    pendingByNonce: Trie.empty(),
    asked: 0,
    tallies: Trie.empty(),
    seen: Trie.empty(),
    places: 0,
    evicted: Trie.empty(),
    digests: UndoMap.empty(),
    voided: Trie.empty(),
    endings: UndoMap.empty(),
    listeners: Trie.empty(),
    waiting: Trie.empty(),
    evidence: Trie.empty(),
    reasons: Trie.empty(),
    dueSince: Trie.of([...state.dueSince.entries()].map(([id]) => [id, NOW_MS as Millis] as const)),
    // Of a decision it must know that it waits for its content; of a lock it is told again together with it.
    wanted: Trie.of([...state.wanted.entries()].filter(([, slot]) => isDecided(state, slotKey(slot)))),
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
    syncTurn: 0,
  };
}

/** What a validator has done itself; of a decided slot only the decision, since nothing else is ever said in it. */
function bare(slot: SlotState): SlotState {
  if (slot.decided !== undefined) return changed(newSlot(slot.slot, slot.epoch), { decided: slot.decided });
  return changed(slot, {
    ballots: Trie.empty(),
    tallies: Trie.empty(),
    claims: Trie.empty(),
    changes: Trie.empty(),
    highest: Trie.empty(),
    proposals: Trie.empty(),
  });
}

/** Contents of what it has done itself: only those are bound to be in its memory. */
function contentsKept(state: ValidatorState): ValidatorState["contents"] {
  const named = new Set<string>();
  for (const { votes, commits, proposed, decided } of state.slots.values())
    for (const one of [...votes, ...commits, proposed, decided]) if (one !== undefined) named.add(one.value);
  return UndoMap.of(state.contents.entries().filter(([hash]) => named.has(hash)));
}

function isDecided(state: ValidatorState, key: string): boolean {
  return state.slots.get(key)?.decided !== undefined;
}
