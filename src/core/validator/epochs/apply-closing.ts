/** A decided closing: brings what is not applied here yet, shares the fees, and begins the next epoch (protocol 6.3). */
import { digits, type EpochSlot, type Listed, slotKey } from "../../base/slot.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import { listedRootOf } from "../../ledger/checkpoint-item.ts";
import { parametersFault } from "../../ledger/epoch.ts";
import type { Turn } from "../agenda.ts";
import { bringAll, settleAt } from "../checkpoints/apply-checkpoint.ts";
import { halt } from "../halt.ts";
import { linkKey } from "../output.ts";
import { type ClosingContent, isClosing } from "../slots/content.ts";
import { isNextHere } from "../slots/place.ts";
import { slotState } from "../slots/slots.ts";
import { mark } from "../speak.ts";
import { contentOfDecision } from "../sync/sync.ts";
import { catchUp } from "./closing.ts";
import { baseOf } from "./closing-base.ts";
import { enterEpoch } from "./enter-epoch.ts";
import { rivalFault, stateAfter } from "./judge-link.ts";

/** Applies the closing of this epoch if it is decided, its content is here, and so are the final checkpoints below it. */
export function applyClosing(turn: Turn, slot: EpochSlot): void {
  const { state } = turn;
  const certificate = slotState(state, slot).decided;
  if (certificate === undefined || !isNextHere(state, slot)) return;
  const content = contentOfDecision(turn, certificate);
  if (content === undefined) return;
  if (!isClosing(content)) {
    halt(turn, slot, `it decides a ${content.value.type}`);
    return;
  }
  const { closes, locked } = content.closing;
  const { settlementOf } = state.environment.rules.consensus;
  const found = baseOf(state, settlementOf(closes).checkpoints, locked);
  if (found.found === "behind") catchUp(turn, closes, found.number);
  if (found.found === "fault") refuse(turn, slot, found.reason);
  if (found.found !== "base") return;
  const links = [...found.above.map((one) => one.content), content];
  const listed = links.flatMap(({ value }) => value.listed);
  const after =
    parametersFault(content.value.next) ??
    rivalFault(state, listed) ??
    coverFault(turn, listed) ??
    stateAfter(state.environment, found.base.state, content);
  if (typeof after === "string") {
    refuse(turn, slot, after);
    return;
  }
  for (const { content: checkpoint, state: between } of found.above) {
    mark(turn, "locked checkpoint closed");
    if (!bringAll(turn, checkpoint, { certificate, content })) return;
    settleAt(turn, checkpoint, certificate, between);
  }
  if (content.value.listed.some(({ slot: one }) => slotState(state, one).decided === undefined))
    mark(turn, "closing brought a lock");
  if (!bringAll(turn, content, { certificate, content })) return;
  finish(turn, content, certificate, after);
}

/** No honest quorum decides a closing that contradicts what is final here. */
function refuse(turn: Turn, slot: EpochSlot, reason: string): void {
  mark(turn, "closing refused");
  halt(turn, slot, reason);
}

/** A slot that is applied here, listed nowhere before, and listed in none of these. */
function coverFault({ state }: Turn, listed: readonly Listed[]): string | undefined {
  const keys = new Set(listed.map(({ slot }) => slotKey(slot)));
  const missing = [...state.log.values()].find((slot) => !keys.has(slotKey(slot)));
  return missing === undefined ? undefined : `${slotKey(missing)} is applied here and not listed`;
}

/** The link is durable first, then the state; then the epoch is over. */
function finish(
  turn: Turn,
  content: ClosingContent,
  certificate: FinalityCertificate,
  after: Parameters<typeof settleAt>[3],
): void {
  const { state, outputs } = turn;
  const { epoch, header, next, warrant, listed } = content.value;
  const link = { certificate, head: { epoch, header, next, warrant }, listedRoot: listedRootOf(listed) };
  state.links = state.links.set(digits(epoch), link);
  outputs.push({ type: "persist", key: linkKey(epoch), record: { of: "link", link } });
  settleAt(turn, content, certificate, after);
  enterEpoch(turn, after);
}
