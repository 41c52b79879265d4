/**
 * Application of a decided closing: applies its missing slots, shares the fees, and begins the next epoch, in which its
 * committee and fees apply and nothing left open in the last one counts (protocol 6.3).
 */

import type { Epoch } from "../../base/ids.ts";
import { type EpochSlot, type ListedDecision, slotKey } from "../../base/slot.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import { parametersFault } from "../../ledger/epoch.ts";
import type { LedgerState } from "../../ledger/state.ts";
import { listedRootOf } from "../../ledger/value.ts";
import { applyAllListed, settleAtLink } from "../checkpoints/apply-checkpoint.ts";
import { conflictFault, stateAfter, successionFault } from "../checkpoints/check-checkpoint.ts";
import { type ClosingContent, isClosing } from "../content.ts";
import { environmentInEpoch } from "../environment.ts";
import { SYNC_MS } from "../limits.ts";
import { finishVoid } from "../mempool/outcomes.ts";
import type { EpochLink } from "../message.ts";
import { CLOSE_RECORD_KEY, epochLinkKey } from "../output.ts";
import { openDueSlots } from "../slots/derived-state.ts";
import { clearEpochSlots } from "../slots/prune.ts";
import { decisionToApply } from "../slots/slots.ts";
import { slotState, type ValidatorState } from "../state.ts";
import { coverage, halt, type StepContext } from "../step-context.ts";
import { forgetMissingContents } from "../sync/requests.ts";
import { scheduleSync } from "../sync/status.ts";
import { baseOf, evidenceIn } from "./check-closing.ts";
import { catchUp } from "./closing.ts";

/**
 * Applies the closing of this epoch if it is decided, its content is here, and so are the final checkpoints below it.
 */
export function applyClosing(context: StepContext, slot: EpochSlot): void {
  const { state } = context;
  const decision = decisionToApply(context, slot, isClosing);
  if (decision === undefined) return;
  const { certificate, content } = decision;
  const { closes, locked } = content.closing;
  const found = baseOf(state, evidenceIn(state, content).checkpoints, locked);
  if (found.found === "behind") catchUp(context, closes, found.number);
  if (found.found === "fault") haltOnClosing(context, slot, found.reason);
  if (found.found !== "base") return;
  const links = [...found.above.map((one) => one.content), content];
  const listed = links.flatMap(({ value }) => value.listed);
  const after =
    successionFault(slot, found.base, content) ??
    parametersFault(content.value.next) ??
    conflictFault(state, listed) ??
    coverFault(context, listed) ??
    stateAfter(state.environment, found.base.state, content);
  if (typeof after === "string") {
    haltOnClosing(context, slot, after);
    return;
  }
  for (const { content: checkpoint, state: between } of found.above) {
    coverage(context, "locked checkpoint closed");
    if (!applyAllListed(context, checkpoint, decision)) return;
    settleAtLink(context, checkpoint, certificate, between);
  }
  if (content.value.listed.some(({ slot: one }) => slotState(state, one).decided === undefined))
    coverage(context, "closing brought a lock");
  if (!applyAllListed(context, content, decision)) return;
  finishClosing(context, content, certificate, after);
}

/** Halts, since no honest quorum decides a closing that contradicts what is final here. */
function haltOnClosing(context: StepContext, slot: EpochSlot, reason: string): void {
  coverage(context, "closing refused");
  halt(context, slot, reason);
}

/** Rejects a closing that omits a slot that is applied here and listed nowhere before. */
function coverFault({ state }: StepContext, listed: readonly ListedDecision[]): string | undefined {
  const keys = new Set(listed.map(({ slot }) => slotKey(slot)));
  const missing = [...state.sync.log.values()].find((slot) => !keys.has(slotKey(slot)));
  return missing === undefined ? undefined : `${slotKey(missing)} is applied here and not listed`;
}

/** Makes the epoch link durable, then the state, then leaves the epoch. */
function finishClosing(
  context: StepContext,
  content: ClosingContent,
  certificate: FinalityCertificate,
  after: LedgerState,
): void {
  const { state, outputs } = context;
  const { epoch, header, next, warrant, listed } = content.value;
  const link = { certificate, head: { epoch, header, next, warrant }, listedRoot: listedRootOf(listed) };
  addLink(state, link);
  outputs.push({ type: "persist", key: epochLinkKey(epoch), record: { of: "link", link } });
  settleAtLink(context, content, certificate, after);
  enterEpoch(context, after);
}

/** Leaves the last epoch, whose close is durable already. */
export function enterEpoch(context: StepContext, ledger: LedgerState): void {
  const { state, agenda } = context;
  coverage(context, "epoch entered");
  state.ledger = ledger;
  state.environment = environmentInEpoch(state.environment, ledger);
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
  for (const pending of state.mempool.pendingByAccount.values().flat()) {
    if (state.ledger.authorisedKeys.has(pending.id)) continue;
    coverage(context, "operation void");
    finishVoid(context, pending, epoch);
  }
}

/** Adds a closing to those that are applied here. */
export function addLink({ epochs }: ValidatorState, link: EpochLink): void {
  epochs.links.set(link.head.epoch, link);
}

/** Clears what belongs to one epoch: votes, locks, rounds, reasons, closes. Decisions of the chain stay. */
export function clearEpochState(context: StepContext): void {
  const { state, outputs } = context;
  clearEpochSlots(context);
  outputs.push({ type: "erase", key: CLOSE_RECORD_KEY });
  state.epochs.closed = undefined;
  state.epochs.closes.clear();
  state.epochs.claimed.clear();
  forgetMissingContents(state);
}
