/** Durable statements of a validator after a restart, in the vocabulary of the oracles. */
import { slotKey } from "../core/base/slot.ts";
import type { DurableRecord } from "../core/validator/output.ts";
import type { Vow } from "../invariants/observation.ts";

/** The votes and the proposal in a durable record; empty for a record of another kind than `slot`. */
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
