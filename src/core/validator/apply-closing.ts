/** A decided closing: brings what is not applied here yet, shares the fees, and begins the next epoch (design 6). */
import { present } from "../base/assert.ts";
import { digits, type EpochSlot, slotKey } from "../base/slot.ts";
import type { FinalityCertificate } from "../consensus/message.ts";
import { closingOf } from "../ledger/checkpoint.ts";
import { listedRootOf } from "../ledger/checkpoint-item.ts";
import type { Turn } from "./agenda.ts";
import { bringAbout, settleAt } from "./apply-checkpoint.ts";
import { partsOf } from "./checkpoint-content.ts";
import { catchUp } from "./closing.ts";
import { baseOf } from "./closing-base.ts";
import { type ClosingContent, isClosing } from "./content.ts";
import { enterEpoch } from "./enter-epoch.ts";
import { linkKey } from "./output.ts";
import { isNextHere } from "./place.ts";
import { slotState } from "./slots.ts";
import { mark } from "./speak.ts";
import { contentOfDecision } from "./sync.ts";

/** Applies the closing of this epoch if it is decided, its content is here, and so are the final checkpoints below it. */
export function applyClosing(turn: Turn, slot: EpochSlot): void {
  const { state } = turn;
  const certificate = slotState(state, slot).decided;
  if (certificate === undefined || !isNextHere(state, slot)) return;
  const content = contentOfDecision(turn, certificate);
  if (content === undefined || !isClosing(content)) return;
  const { closes, locked } = content.closing;
  const { settlementOf } = state.environment.rules.consensus;
  const found = baseOf(state, settlementOf(closes).checkpoints, locked);
  if (found.found === "behind") catchUp(turn, closes, found.number);
  if (found.found === "fault") mark(turn, "closing refused");
  if (found.found !== "base") return;
  const { hashes } = state.environment;
  const replayed = hashes.replay(found.base.state, content.value.listed, content.operations, closingOf(content.value));
  const isSound = replayed.outcome === "replayed" && replayed.roots.stateRoot === content.value.header.stateRoot;
  if (!isSound || !coversLog(turn, [...found.above.map((one) => one.content), content])) {
    // Only more than f liars can decide such a one: nothing may be built on it.
    mark(turn, "closing refused");
    return;
  }
  for (const { content: checkpoint, state: after } of found.above) {
    mark(turn, "locked checkpoint closed");
    bringAll(turn, checkpoint, { certificate, content });
    settleAt(turn, checkpoint, certificate, after);
  }
  if (content.value.listed.some(({ slot: one }) => slotState(state, one).decided === undefined))
    mark(turn, "closing brought a lock");
  bringAll(turn, content, { certificate, content });
  finish(turn, content, certificate, replayed.state);
}

type Brought = Parameters<typeof bringAbout>[2];

function bringAll(
  turn: Turn,
  { value, operations }: Pick<ClosingContent, "operations"> & { value: Pick<ClosingContent["value"], "listed"> },
  proof: Brought,
): void {
  const parts = present(partsOf(value.listed, operations), "operations of a link that has proved itself");
  for (const part of parts) bringAbout(turn, part, proof);
}

/** Whether all that is applied here and listed nowhere is listed in these. */
function coversLog(
  { state }: Turn,
  links: readonly { readonly value: Pick<ClosingContent["value"], "listed"> }[],
): boolean {
  const listed = new Set(links.flatMap(({ value }) => value.listed.map(({ slot }) => slotKey(slot))));
  return [...state.log.values()].every((slot) => listed.has(slotKey(slot)));
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
