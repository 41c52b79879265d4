/** Back from durable records: everything signed is remembered, everything decided is applied again (protocol 11.2). */
import { assert } from "../../base/assert.ts";
import { digits, isChainSlot, slotKey } from "../../base/slot.ts";
import { newSlot } from "../../consensus/slot-state.ts";
import type { Turn } from "../agenda.ts";
import { goOnClosing } from "../epochs/close-epoch.ts";
import { SYNC_MS } from "../limits.ts";
import { BIRTH_KEY, CLOSED_KEY, type Closed, type DurableRecord, type SlotRecord, type Snapshot } from "../output.ts";
import { isChainContent } from "../slots/content.ts";
import { openDue } from "../slots/due.ts";
import { isSettled, isWarrant } from "../slots/place.ts";
import { keepTrying } from "../slots/slots.ts";
import { mark } from "../speak.ts";
import { standAt } from "../state.ts";
import { recall } from "./recall.ts";
import { scheduleSync } from "./sync.ts";

/** Rebuilds a fresh state from its records, in any order of them. */
export function restart(turn: Turn, records: readonly (readonly [string, DurableRecord])[]): void {
  const { state } = turn;
  state.incarnation = turn.at;
  mark(turn, "restarted");
  if (records.length === 0) {
    turn.outputs.push({ type: "persist", key: BIRTH_KEY, record: { of: "birth", signsFrom: undefined } });
    state.signsFrom = undefined;
  }
  // Links first: they say who opened the epoch of the snapshot.
  for (const [, record] of records) {
    if (record.of === "link") state.links = state.links.set(digits(record.link.head.epoch), record.link);
    if (record.of === "birth") state.signsFrom = record.signsFrom;
  }
  for (const [, record] of records) if (record.of === "snapshot") resumeAt(turn, record);
  const slots = records.flatMap(([, record]) => (record.of === "slot" ? [record] : []));
  const isNeeded = ({ slot, epoch, decided }: SlotRecord): boolean =>
    epoch === state.ledger.epoch
      ? isChainSlot(slot) || !isSettled(state, slot) || isWarrant(state.ledger, slot)
      : isChainSlot(slot) && decided !== undefined;
  const open = slots.filter(isNeeded);
  // A crash between a snapshot and the erasing of what it stands for leaves records that nobody needs.
  for (const record of slots) if (!isNeeded(record)) turn.outputs.push({ type: "erase", key: slotKey(record.slot) });
  for (const record of open) remember(turn, record);
  recall(turn);
  for (const { slot, decided } of open) if (decided !== undefined) turn.agenda.push({ do: "apply", slot });
  for (const record of open) if (record.decided === undefined) resume(turn, record);
  for (const [, record] of records) if (record.of === "closed") resumeClosing(turn, record);
  openDue(turn);
  if (state.ledger.parameters.checkpoints !== undefined) turn.agenda.push({ do: "checkpoint" });
  scheduleSync(turn, SYNC_MS);
}

/** The state after the last final checkpoint, and the checkpoint itself for those that come after it. */
function resumeAt({ state, at }: Turn, { content, state: base }: Snapshot): void {
  assert(isChainContent(content), "a snapshot is of a link of the chain");
  standAt(state, at, content.value, base);
}

/** An epoch that it has closed and not left: nothing else is said in it, and the same is said again. */
function resumeClosing(turn: Turn, { close, cause }: Closed): void {
  const { state } = turn;
  if (close.epoch !== state.ledger.epoch) {
    turn.outputs.push({ type: "erase", key: CLOSED_KEY });
    return;
  }
  state.closed = { close, cause };
  goOnClosing(turn);
}

function remember(turn: Turn, record: SlotRecord): void {
  const { state } = turn;
  const { epoch, slot, round, votes, commits, proposed, lock, carried, decided, contents, reasons } = record;
  const { hashes } = state.environment;
  for (const content of contents) state.contents = state.contents.set(hashes.value(content.value), content);
  const known = { ...newSlot(slot, epoch), round, votes, commits, proposed, lock, carried, decided };
  state.slots = state.slots.set(slotKey(slot), known);
  if (reasons.length > 0) state.reasons = state.reasons.set(slotKey(slot), reasons);
}

/** An open slot: a proposal of its own is sent again before the round is over, and its relay is taken over in time. */
function resume(turn: Turn, { slot }: SlotRecord): void {
  turn.agenda.push({ do: "proposeAgain", slot });
  keepTrying(turn, slotKey(slot), false);
}
