/**
 * Start of the next epoch: its committee and fees apply, and nothing left open in the last one counts (protocol 6.3).
 */

import { required } from "../../base/assert.ts";
import type { Epoch } from "../../base/ids.ts";
import { isChainSlot } from "../../base/slot.ts";
import { Trie } from "../../base/trie.ts";
import type { LedgerState } from "../../ledger/state.ts";
import { drop } from "../checkpoints/prune.ts";
import { inEpoch } from "../environment.ts";
import { SYNC_MS } from "../limits.ts";
import { noteVoid } from "../mempool/pending.ts";
import { CLOSE_RECORD_KEY } from "../output.ts";
import { coverage } from "../outputs.ts";
import { isLedgerContent } from "../slots/content.ts";
import { openDueSlots } from "../slots/due.ts";
import { finishVoid } from "../slots/outcomes.ts";
import { cancelAllTimers } from "../slots/slots.ts";
import { openingClosing, type ValidatorState } from "../state.ts";
import type { StepContext } from "../step-context.ts";
import { scheduleSync } from "../sync/sync.ts";

/** Leaves the last epoch, whose close is durable already. */
export function enterEpoch(context: StepContext, ledger: LedgerState): void {
  const { state, agenda } = context;
  coverage(context, "epoch entered");
  state.ledger = ledger;
  state.environment = inEpoch(state.environment, ledger, openingClosing(state, ledger.epoch));
  clearEpochState(context);
  voidPending(context, (ledger.epoch - 1) as Epoch);
  openDueSlots(context);
  agenda.push({ do: "checkpoint" });
  scheduleSync(context, SYNC_MS);
}

/**
 * Voids every pending submission that is not even authorised: it was not decided. Replies in the order of the nonces,
 * so that clients can submit again in that order (protocol 6.3).
 */
export function voidPending(context: StepContext, epoch: Epoch): void {
  const { state } = context;
  for (const id of state.pendingByNonce.values()) {
    if (state.ledger.authorisedKeys.has(id)) continue;
    coverage(context, "operation void");
    noteVoid(context, id, required(state.pending.get(id), `pending operation ${id}`));
    finishVoid(context, id, epoch);
  }
}

/** Clears what belongs to one epoch: votes, locks, rounds, reasons and barriers. Decisions of the chain stay. */
export function clearEpochState(context: StepContext): void {
  const { state, outputs } = context;
  for (const [key, { slot, decided }] of state.slots.entries())
    if (!isChainSlot(slot) || decided === undefined) drop(context, key);
  cancelAllTimers(context);
  for (const [key] of state.waiting.entries()) outputs.push({ type: "cancelTimer", name: `wait ${key}` });
  outputs.push({ type: "erase", key: CLOSE_RECORD_KEY });
  const blank: Partial<ValidatorState> = {
    closed: undefined,
    closes: Trie.empty(),
    epochAnswers: Trie.empty(),
    waiting: Trie.empty(),
    reasons: Trie.empty(),
    evidence: Trie.empty(),
    barriers: Trie.empty(),
    stalled: Trie.empty(),
    missingContents: Trie.empty(),
  };
  Object.assign(state, blank);
  for (const [hash, content] of state.contents.entries())
    if (isLedgerContent(content)) state.contents = state.contents.delete(hash);
}
