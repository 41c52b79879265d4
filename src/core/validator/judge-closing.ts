/** May this validator vote for this closing? It covers exactly what its closes show, and its roots are found again (design 6). */
import type { Millis } from "../base/ids.ts";
import type { Verdict } from "../base/refusal.ts";
import { type ClosingValue, type EpochSlot, slotKey } from "../base/slot.ts";
import { closingOf } from "../ledger/checkpoint.ts";
import { encodeParameters } from "../ledger/epoch-item.ts";
import { EXTRA_DATA_BYTES } from "../ledger/limits.ts";
import { longText } from "../ledger/texts.ts";
import { ACCEPT, refuse, wait } from "../ledger/verdict.ts";
import { sizeOf } from "./checkpoint-content.ts";
import { baseOf, type ClosingBase } from "./closing-base.ts";
import { causeFault, type LedgerClaim, nextParameters, remaining } from "./closing-rules.ts";
import { type ClosingContent, type Content, isClosing } from "./content.ts";
import type { View } from "./grounds.ts";
import { clockWait } from "./judge-checkpoint.ts";

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
  return clockWait(clock, content.value) > 0 ? waitFor("its timestamp is ahead of this clock") : ACCEPT;
}

function headerFault(state: View, base: ClosingBase, content: ClosingContent): string | undefined {
  const { header, next } = content.value;
  const number = base.header.number + 1;
  if (header.number !== number) return `number ${header.number}, expected ${number}`;
  if (header.parentHash !== base.hash) return `parent ${header.parentHash}, expected ${base.hash}`;
  // Nothing goes on while an epoch closes: the period between two checkpoints does not delay it.
  const earliest = base.header.timestamp;
  if (header.timestamp < earliest) return `timestamp ${header.timestamp}, expected at least ${earliest}`;
  const extra = longText("extra data", header.extraData, EXTRA_DATA_BYTES);
  if (extra !== undefined && "reason" in extra) return `extra data ${extra.reason}`;
  const size = sizeOf(content.operations, state.environment.hashes.copy);
  if (header.size !== size) return `size ${header.size}, expected ${size}`;
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

function rootsFault(state: View, base: ClosingBase, { value, operations }: ClosingContent): string | undefined {
  const replayed = state.environment.hashes.replay(base.state, value.listed, operations, closingOf(value));
  if (replayed.outcome === "broken") return replayed.reason;
  for (const name of ["stateRoot", "transactionsRoot", "receiptsRoot"] as const) {
    const [claimed, found] = [value.header[name], replayed.roots[name]];
    if (claimed !== found) return `${name} ${claimed}, expected ${found}`;
  }
  return undefined;
}

function refused(reason: string): Verdict {
  return refuse({ code: "validation_proposal", reason });
}

function waitFor(reason: string): Verdict {
  return wait({ code: "validation_proposal", reason });
}
