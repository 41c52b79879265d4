/** Back from durable records: everything signed is remembered, everything decided is applied again (design 3.1). */
import { slotKey } from "../base/slot.ts";
import { newSlot, settled } from "../consensus/slot-state.ts";
import type { Turn } from "./agenda.ts";
import { SYNC_MS } from "./limits.ts";
import type { DurableRecord } from "./output.ts";
import { keep } from "./pending.ts";
import { keepTrying, raiseBarrier } from "./slots.ts";
import { mark } from "./speak.ts";
import { scheduleSync } from "./sync.ts";

/** Rebuilds a fresh state from its records, in any order of them. */
export function restart(turn: Turn, records: readonly (readonly [string, DurableRecord])[]): void {
  const { state } = turn;
  state.incarnation = turn.at;
  mark(turn, "restarted");
  for (const [, record] of records) remember(turn, record);
  for (const [, { slot, decided }] of records) {
    if (decided !== undefined) turn.agenda.push({ do: "apply", slot });
  }
  for (const [, record] of records) {
    if (record.decided === undefined) resume(turn, record);
  }
  scheduleSync(turn, SYNC_MS);
}

function remember(turn: Turn, record: DurableRecord): void {
  const { state } = turn;
  const { slot, round, votes, commits, proposed, lock, carried, decided, contents, reason } = record;
  const { hashes, committee } = state.environment;
  for (const content of contents) state.contents = state.contents.set(hashes.value(content.value), content);
  const fresh = { ...newSlot(slot, committee.epoch), round, votes, commits, proposed, lock, carried, decided };
  state.slots = state.slots.set(slotKey(slot), decided === undefined ? fresh : settled(fresh));
  if (reason !== undefined && decided === undefined) state.reasons = state.reasons.set(slotKey(slot), reason);
}

/**
 * An open slot: its restrictions bind again, its operations are pending again, a proposal of its own is sent again
 * before the round is over, and its relay is taken over in time.
 */
function resume(turn: Turn, { slot, commits, contents }: DurableRecord): void {
  for (const { value } of commits) raiseBarrier(turn, slot, value);
  if (slot.kind === "account") {
    for (const { value, operations } of contents) {
      const [signed] = operations;
      if (value.type === "operation" && signed !== undefined) keep(turn, signed, { shown: true, asked: false });
    }
  }
  turn.agenda.push({ do: "proposeAgain", slot });
  keepTrying(turn, slotKey(slot), false);
}
