/**
 * Application of a decided closing: applies its missing slots, shares the fees, and begins the next epoch (protocol
 * 6.3).
 */
import { type EpochSlot, type Listed, paddedNumber, slotKey } from "../../base/slot.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import { listedRootOf } from "../../ledger/checkpoint-item.ts";
import { parametersFault } from "../../ledger/epoch.ts";
import { applyAllListed, settleAt } from "../checkpoints/apply-checkpoint.ts";
import { halt } from "../halt.ts";
import { epochLinkKey } from "../output.ts";
import { coverage } from "../outputs.ts";
import { type ClosingContent, isClosing } from "../slots/content.ts";
import { isNext } from "../slots/slot-position.ts";
import { slotState } from "../slots/slots.ts";
import type { StepContext } from "../step-context.ts";
import { contentOfDecision } from "../sync/sync.ts";
import { conflictFault, stateAfter, successionFault } from "./check-chain-value.ts";
import { catchUp } from "./closing.ts";
import { baseOf } from "./closing-base.ts";
import { enterEpoch } from "./enter-epoch.ts";

/**
 * Applies the closing of this epoch if it is decided, its content is here, and so are the final checkpoints below it.
 */
export function applyClosing(context: StepContext, slot: EpochSlot): void {
  const { state } = context;
  const certificate = slotState(state, slot).decided;
  if (certificate === undefined || !isNext(state, slot)) return;
  const content = contentOfDecision(context, certificate);
  if (content === undefined) return;
  if (!isClosing(content)) {
    halt(context, slot, `it decides a ${content.value.type}`);
    return;
  }
  const { closes, locked } = content.closing;
  const { closingEvidenceOf: settlementOf } = state.environment.rules.consensus;
  const found = baseOf(state, settlementOf(closes).checkpoints, locked);
  if (found.found === "behind") catchUp(context, closes, found.number);
  if (found.found === "fault") refuse(context, slot, found.reason);
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
    refuse(context, slot, after);
    return;
  }
  for (const { content: checkpoint, state: between } of found.above) {
    coverage(context, "locked checkpoint closed");
    if (!applyAllListed(context, checkpoint, { certificate, content })) return;
    settleAt(context, checkpoint, certificate, between);
  }
  if (content.value.listed.some(({ slot: one }) => slotState(state, one).decided === undefined))
    coverage(context, "closing brought a lock");
  if (!applyAllListed(context, content, { certificate, content })) return;
  finish(context, content, certificate, after);
}

/** Halts, since no honest quorum decides a closing that contradicts what is final here. */
function refuse(context: StepContext, slot: EpochSlot, reason: string): void {
  coverage(context, "closing refused");
  halt(context, slot, reason);
}

/** Rejects a closing that omits a slot that is applied here and listed nowhere before. */
function coverFault({ state }: StepContext, listed: readonly Listed[]): string | undefined {
  const keys = new Set(listed.map(({ slot }) => slotKey(slot)));
  const missing = [...state.log.values()].find((slot) => !keys.has(slotKey(slot)));
  return missing === undefined ? undefined : `${slotKey(missing)} is applied here and not listed`;
}

/** Makes the epoch link durable, then the state, then leaves the epoch. */
function finish(
  context: StepContext,
  content: ClosingContent,
  certificate: FinalityCertificate,
  after: Parameters<typeof settleAt>[3],
): void {
  const { state, outputs } = context;
  const { epoch, header, next, warrant, listed } = content.value;
  const link = { certificate, head: { epoch, header, next, warrant }, listedRoot: listedRootOf(listed) };
  state.links = state.links.set(paddedNumber(epoch), link);
  outputs.push({ type: "persist", key: epochLinkKey(epoch), record: { of: "link", link } });
  settleAt(context, content, certificate, after);
  enterEpoch(context, after);
}
