/** Durable statements of a validator after a restart, in the vocabulary of the oracles. */
import { slotKey } from "../core/base/slot.ts";
import type { DurableRecord } from "../core/validator/output.ts";
import type { DurableStatement } from "../invariants/observation.ts";

/** The votes and the proposal in a durable record; empty for a record of another kind than `slot`. */
export function durableStatementsIn(record: DurableRecord): readonly DurableStatement[] {
  if (record.of !== "slot") return [];
  const { epoch, slot, votes, proposed } = record;
  const vow = (
    kind: DurableStatement["kind"],
    { round, value }: Pick<DurableStatement, "round" | "value">,
  ): DurableStatement => ({
    kind,
    epoch,
    slot: slotKey(slot),
    round,
    value,
  });
  return [...votes.map((vote) => vow("vote", vote)), ...(proposed === undefined ? [] : [vow("proposal", proposed)])];
}
