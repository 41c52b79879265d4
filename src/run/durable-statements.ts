/** What a validator's disk binds it to when it starts again, as the oracles read it. */
import { slotKey } from "../core/base/slot.ts";
import type { DurableRecord } from "../core/validator/output.ts";
import type { Vow } from "../invariants/observation.ts";

/** The votes and the proposal that a durable record binds its validator to. */
export function vowsIn(record: DurableRecord): readonly Vow[] {
  if (record.of !== "slot") return [];
  const { epoch, slot, votes, proposed } = record;
  const vow = (kind: Vow["kind"], { round, value }: Pick<Vow, "round" | "value">): Vow => ({
    kind,
    epoch,
    slot: slotKey(slot),
    round,
    value,
  });
  return [...votes.map((vote) => vow("vote", vote)), ...(proposed === undefined ? [] : [vow("proposal", proposed)])];
}
