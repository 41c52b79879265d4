/** The next epoch begins: its committee and fees hold, and nothing that was left open in the last one counts (protocol 6.3). */

import { present } from "../../base/assert.ts";
import type { Epoch } from "../../base/ids.ts";
import { isChainSlot } from "../../base/slot.ts";
import { Trie } from "../../base/trie.ts";
import type { LedgerState } from "../../ledger/state.ts";
import type { Turn } from "../agenda.ts";
import { drop } from "../checkpoints/prune.ts";
import { inEpoch } from "../environment.ts";
import { SYNC_MS } from "../limits.ts";
import { noteVoid } from "../mempool/pending.ts";
import { CLOSED_KEY } from "../output.ts";
import { isLedgerContent } from "../slots/content.ts";
import { openDue } from "../slots/due.ts";
import { endVoid } from "../slots/endings.ts";
import { silence } from "../slots/slots.ts";
import { mark } from "../speak.ts";
import { openingOf, type ValidatorState } from "../state.ts";
import { scheduleSync } from "../sync/sync.ts";

/** Leaves the last epoch behind: durable already is that it closed, and with what. */
export function enterEpoch(turn: Turn, ledger: LedgerState): void {
  const { state, agenda } = turn;
  mark(turn, "epoch entered");
  state.ledger = ledger;
  state.environment = inEpoch(state.environment, ledger, openingOf(state, ledger.epoch));
  forgetEpoch(turn);
  voidPending(turn, (ledger.epoch - 1) as Epoch);
  openDue(turn);
  agenda.push({ do: "checkpoint" });
  scheduleSync(turn, SYNC_MS);
}

/**
 * Whatever is pending and not even authorised was not decided: its clients hear so (protocol 6.3), in the order of the nonces,
 * so that they can submit it again in that order.
 */
export function voidPending(turn: Turn, epoch: Epoch): void {
  const { state } = turn;
  for (const id of state.pendingByNonce.values()) {
    if (state.ledger.authorisedKeys.has(id)) continue;
    mark(turn, "operation void");
    noteVoid(turn, id, present(state.pending.get(id), `pending operation ${id}`));
    endVoid(turn, id, epoch);
  }
}

/** Votes, locks, rounds, reasons and barriers are of one epoch; what the chain decided stays. */
export function forgetEpoch(turn: Turn): void {
  const { state, outputs } = turn;
  for (const [key, { slot, decided }] of state.slots.entries())
    if (!isChainSlot(slot) || decided === undefined) drop(turn, key);
  silence(turn);
  for (const [key] of state.waiting.entries()) outputs.push({ type: "cancelTimer", name: `wait ${key}` });
  outputs.push({ type: "erase", key: CLOSED_KEY });
  const blank: Partial<ValidatorState> = {
    closed: undefined,
    closes: Trie.empty(),
    epochAnswers: Trie.empty(),
    waiting: Trie.empty(),
    reasons: Trie.empty(),
    evidence: Trie.empty(),
    barriers: Trie.empty(),
    stalled: Trie.empty(),
    wanted: Trie.empty(),
  };
  Object.assign(state, blank);
  for (const [hash, content] of state.contents.entries())
    if (isLedgerContent(content)) state.contents = state.contents.delete(hash);
}
