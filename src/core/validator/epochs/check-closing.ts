/**
 * Check that decides if this validator votes for a closing: it covers exactly what its closes show, and its roots are
 * recomputed (protocol 6.3).
 */
import type { Millis } from "../../base/ids.ts";
import type { CheckResult } from "../../base/refusal.ts";
import { type ClosingValue, type EpochSlot, slotKey } from "../../base/slot.ts";
import { ACCEPT } from "../../ledger/check-result.ts";
import { encodeParameters } from "../../ledger/epoch-item.ts";
import { isAheadOfClock } from "../checkpoints/check-checkpoint.ts";
import { type ClosingContent, type Content, isClosing } from "../slots/content.ts";
import type { DecisionView } from "../slots/decision-inputs.ts";
import {
  type ChainBase,
  chainHeaderFault,
  positionFault,
  refusedFor,
  rootsFault,
  waiting,
} from "./check-chain-value.ts";
import { baseOf } from "./closing-base.ts";
import { causeFault, type LedgerClaim, nextParameters, remaining } from "./closing-rules.ts";

/** Returns the check result for a closing of this epoch whose content proves itself. */
export function checkClosing(state: DecisionView, clock: Millis, slot: EpochSlot, content: Content): CheckResult {
  if (!isClosing(content) || content.value.epoch !== slot.epoch) return refusedFor("this slot decides no such value");
  const { closes, locked, cause } = content.closing;
  const { checkpoints, decided } = state.environment.rules.consensus.closingEvidenceOf(closes);
  const found = baseOf(state, checkpoints, locked);
  if (found.found === "behind") return waiting(`checkpoint ${found.number} is not here`);
  if (found.found === "fault") return refusedFor(found.reason);
  const { base } = found;
  const fault =
    causeFault(state, cause) ??
    headerFault(state, base, content) ??
    listedFault(state, content.value, remaining(base.state, decided)) ??
    rootsFault(state, base, content);
  if (fault !== undefined) return refusedFor(fault);
  return isAheadOfClock(clock, base, content.value) ? waiting("its timestamp is ahead of this clock") : ACCEPT;
}

function headerFault(state: DecisionView, base: ChainBase, content: ClosingContent): string | undefined {
  const { header, next } = content.value;
  const number = base.header.number + 1;
  if (header.number !== number) return `number ${header.number}, expected ${number}`;
  // The period between two checkpoints does not delay a closing: nothing else is decided until then.
  const fault = positionFault(base, base.header.timestamp, content) ?? chainHeaderFault(state, content);
  if (fault !== undefined) return fault;
  const expected = encodeParameters(nextParameters(state.ledger, content.closing.cause));
  return encodeParameters(next) === expected ? undefined : "the next epoch's parameters do not follow from its cause";
}

/** Requires every slot that the closes show decided or locked above the base, for that value, and no other. */
function listedFault(
  { environment }: DecisionView,
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
