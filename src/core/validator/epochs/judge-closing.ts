/** May this validator vote for this closing? It covers exactly what its closes show, and its roots are found again (protocol 6.3). */
import type { Millis } from "../../base/ids.ts";
import type { Verdict } from "../../base/refusal.ts";
import { type ClosingValue, type EpochSlot, slotKey } from "../../base/slot.ts";
import { encodeParameters } from "../../ledger/epoch-item.ts";
import { ACCEPT } from "../../ledger/verdict.ts";
import { isAheadOfClock } from "../checkpoints/judge-checkpoint.ts";
import { type ClosingContent, type Content, isClosing } from "../slots/content.ts";
import type { View } from "../slots/grounds.ts";
import { baseOf } from "./closing-base.ts";
import { causeFault, type LedgerClaim, nextParameters, remaining } from "./closing-rules.ts";
import { type LinkBase, placeFault, plainFault, refused, rootsFault, waitFor } from "./judge-link.ts";

/** The verdict on a closing of this epoch, its content proved. */
export function judgeClosing(state: View, clock: Millis, slot: EpochSlot, content: Content): Verdict {
  if (!isClosing(content) || content.value.epoch !== slot.epoch) return refused("this slot decides no such value");
  const { closes, locked, cause } = content.closing;
  const { checkpoints, decided } = state.environment.rules.consensus.settlementOf(closes);
  const found = baseOf(state, checkpoints, locked);
  if (found.found === "behind") return waitFor(`checkpoint ${found.number} is not here`);
  if (found.found === "fault") return refused(found.reason);
  const { base } = found;
  const fault =
    causeFault(state, cause) ??
    headerFault(state, base, content) ??
    listedFault(state, content.value, remaining(base.state, decided)) ??
    rootsFault(state, base, content);
  if (fault !== undefined) return refused(fault);
  return isAheadOfClock(clock, base, content.value) ? waitFor("its timestamp is ahead of this clock") : ACCEPT;
}

function headerFault(state: View, base: LinkBase, content: ClosingContent): string | undefined {
  const { header, next } = content.value;
  const number = base.header.number + 1;
  if (header.number !== number) return `number ${header.number}, expected ${number}`;
  // Nothing goes on while an epoch closes: the period between two checkpoints does not delay it.
  const fault = placeFault(base, base.header.timestamp, content) ?? plainFault(state, content);
  if (fault !== undefined) return fault;
  const expected = encodeParameters(nextParameters(state.ledger, content.closing.cause));
  return encodeParameters(next) === expected ? undefined : "the next epoch's parameters do not follow from its cause";
}

/** Every slot that the closes show decided or locked above the base, for that value, and no other. */
function listedFault(
  { environment }: View,
  { listed }: ClosingValue,
  expected: readonly LedgerClaim[],
): string | undefined {
  const values = new Map(listed.map(({ slot, value }) => [slotKey(slot), environment.hashes.value(value)]));
  for (const { slot, claim } of expected) {
    const value = values.get(slotKey(slot));
    if (value === undefined) return `${slotKey(slot)} is missing`;
    if (value !== claim.value) return `${slotKey(slot)} is listed for another value`;
  }
  if (values.size === listed.length && listed.length === expected.length) return undefined;
  return "it lists slots that its closes do not show";
}
