/**
 * Oracle of protocol 7.2: a decision that any client or honest validator saw as final stays. A refusal is final for its
 * client too: the operation never takes effect after it, and one refused undisclosed leaves the nonce free for another
 * operation; the client of an operation that lost its nonce receives the winner (protocol 9.1). A void operation is
 * undecided in its epoch; a later one may decide it (protocol 6.3).
 */

import { entryOf } from "../../core/base/entry.ts";
import type { Hash } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import { type SlotKey, slotKey, type Value } from "../../core/base/slot.ts";
import { type Oracle, oracle, type ReportViolation } from "../fold.ts";
import {
  type BindingReply,
  bindingReply,
  type DisclosureTracker,
  emptyConflicts,
  emptyTracker,
  forgetDelivery,
  forgetRequest,
  type NonceConflicts,
  noteArrival,
  noteCrash,
  noteDecision,
  noteReply,
  noteRequest,
  noteWinner,
  undisclosedRefusers,
  type VoidReply,
  wrongReply,
} from "../history/binding-replies.ts";
import { type Chronicle, quorumOfCommits } from "../history/chronicle.ts";
import type { Application } from "../history/content.ts";
import type { ClientReply, EventOf, NodeName } from "../observation.ts";
import { joinNames, shortId, slotKeyName, slotName, valueText } from "../text.ts";

/** First observation of a final value in a slot, with its observer. Known by its hash or as a value. */
interface ResolvedNonce {
  readonly hash: Hash | undefined;
  readonly value: Value | undefined;
  readonly observer: string;
  readonly did: "decided" | "applied" | "received";
}

interface IrreversibilityState {
  readonly settled: Map<SlotKey, ResolvedNonce>;
  readonly replies: Map<OperationId, BindingReply>;
  /** Last epoch that clients were told has closed without an operation, and the validator that replied so. */
  readonly voided: Map<OperationId, VoidReply>;
  /** First honest node at which an operation took effect, by operation. */
  readonly effects: Map<OperationId, AppliedEffect>;
  /** Operations that ended at a node in its current incarnation, by node. */
  readonly ended: Map<NodeName, Map<OperationId, SlotKey>>;
  readonly disclosure: DisclosureTracker;
  readonly conflicts: NonceConflicts;
  /** Epoch of each node in its current incarnation; 0 if absent. */
  readonly epochs: Map<NodeName, number>;
}

interface AppliedEffect {
  readonly node: NodeName;
  readonly epoch: number;
}

/** Checks honest nodes and clients against the first observation of finality in each slot, across crashes. */
export function irreversibility(): Oracle {
  const start: IrreversibilityState = {
    settled: new Map(),
    replies: new Map(),
    voided: new Map(),
    effects: new Map(),
    ended: new Map(),
    disclosure: emptyTracker(),
    conflicts: emptyConflicts(),
    epochs: new Map(),
  };
  return oracle("irreversibility", start, {
    applied: checkAppliedSlot,
    closed: ({ epochs }, { node, value }) => {
      epochs.set(node, value.epoch + 1);
    },
    decided: (state, { node, honest, slot, value }, chronicle, report) => {
      if (!honest || chronicle.isForgotten(slotKey(slot))) return;
      const fresh = { hash: value, value: undefined, observer: node, did: "decided" } as const;
      checkSettled(state, chronicle, slotKey(slot), fresh, report);
    },
    crashed: (state, record) => {
      endIncarnation(state, record);
      noteCrash(state.disclosure, record.node);
    },
    restarted: endIncarnation,
    submitted: ({ conflicts }, record) => noteRequest(conflicts, record),
    submissionReceived: ({ disclosure }, record) => noteArrival(disclosure, record),
    replied: (state, record, _chronicle, report) => {
      const wrong = record.honest ? wrongReply(state.conflicts, record) : undefined;
      if (wrong !== undefined) report(wrong);
      noteReply(state.disclosure, record);
    },
    replyReceived: checkReceivedReply,
    forgotten: forget,
  });
}

function endIncarnation({ ended, epochs }: IrreversibilityState, { node }: EventOf<"crashed" | "restarted">): void {
  ended.delete(node);
  epochs.delete(node);
}

function forget(state: IrreversibilityState, { slots, operations }: EventOf<"forgotten">): void {
  const { settled, replies, voided, effects, ended, disclosure, conflicts } = state;
  for (const slot of slots) settled.delete(slot);
  for (const id of operations) {
    for (const table of [replies, voided, effects, ...ended.values()]) table.delete(id);
    forgetDelivery(disclosure, id);
    forgetRequest(conflicts, id);
  }
}

function checkAppliedSlot(
  state: IrreversibilityState,
  application: Application,
  chronicle: Chronicle,
  report: ReportViolation,
): void {
  const slot = slotKey(application.slot);
  if (!application.honest || chronicle.isForgotten(slot)) return;
  const epoch = state.epochs.get(application.node) ?? 0;
  const fresh = { hash: undefined, value: application.value, observer: application.node, did: "applied" } as const;
  checkSettled(state, chronicle, slot, fresh, report);
  noteWinner(state.conflicts, application);
  checkRefusers(state, application, epoch, report);
  if (application.receipts.length === 0) return;
  const outcomes = entryOf(state.ended, application.node, () => new Map<OperationId, SlotKey>());
  for (const receipt of application.receipts) {
    outcomes.set(receipt.id, slot);
    if (!receipt.success || state.effects.has(receipt.id)) continue;
    state.effects.set(receipt.id, { node: application.node, epoch });
    checkNotVoid(state, receipt.id, epoch, application, report);
    const reply = state.replies.get(receipt.id);
    if (reply !== undefined && reply.status !== "final") {
      report(`${shortId(receipt.id)} took effect at ${application.node} in ${slotKeyName(slot)}, but ${reply.words}`);
    }
  }
}

/**
 * Compares the operation that an account slot decides with the replies about it. Recoveries are exempt: others may have
 * disclosed the same proof.
 */
function checkRefusers(
  state: IrreversibilityState,
  application: Application,
  epoch: number,
  report: ReportViolation,
): void {
  const { value } = application;
  const isOwners = value.type === "operation" || (value.type === "skip" && value.by === "cancellation");
  if (!isOwners) return;
  const refusers = undisclosedRefusers(state.disclosure, value.id);
  if (refusers.length > 0) {
    report(
      `${shortId(value.id)} was decided in ${slotName(application.slot)}, but ${joinNames(refusers)} refused it undisclosed`,
    );
  }
  checkNotVoid(state, value.id, epoch, application, report);
  noteDecision(state.disclosure, value.id, epoch);
}

/** An operation that is void in an epoch is not decided first in that epoch or an earlier one. */
function checkNotVoid(
  { voided, disclosure }: IrreversibilityState,
  id: OperationId,
  epoch: number,
  application: Application,
  report: ReportViolation,
): void {
  const voidReply = voided.get(id);
  if (voidReply === undefined || voidReply.epoch < epoch || disclosure.past.has(id)) return;
  report(`${shortId(id)} was decided in ${slotName(application.slot)} in epoch ${epoch}, but ${voidReply.words}`);
}

function checkSettled(
  { settled }: IrreversibilityState,
  chronicle: Chronicle,
  slot: SlotKey,
  fresh: ResolvedNonce,
  report: ReportViolation,
): void {
  const resolved = settled.get(slot);
  if (resolved === undefined) {
    settled.set(slot, fresh);
    return;
  }
  report.judged();
  if (isSameValue(chronicle, resolved, fresh)) return;
  report(
    `${slotKeyName(slot)} was final and changed: ${observedText(chronicle, resolved)}, then ${observedText(chronicle, fresh)}`,
  );
}

/** Observations that cannot be compared because the content of a hash is unknown count as equal. */
function isSameValue(chronicle: Chronicle, a: ResolvedNonce, b: ResolvedNonce): boolean {
  if (a.hash !== undefined && b.hash !== undefined) return a.hash === b.hash;
  const first = valueIn(chronicle, a);
  const second = valueIn(chronicle, b);
  // Most nodes apply the very value of the message that all of them received.
  if (first === undefined || second === undefined || first === second) return true;
  return valueText(first) === valueText(second);
}

function valueIn(chronicle: Chronicle, { hash, value }: ResolvedNonce): Value | undefined {
  return value ?? (hash === undefined ? undefined : chronicle.contents.get(hash)?.value);
}

function observedText(chronicle: Chronicle, nonce: ResolvedNonce): string {
  const value = valueIn(chronicle, nonce);
  const words =
    value === undefined ? `value ${shortId(nonce.hash ?? "")}` : valueText(value).split("/").map(shortId).join(" ");
  return `${nonce.observer} ${nonce.did} ${words}`;
}

function checkReceivedReply(
  state: IrreversibilityState,
  record: EventOf<"replyReceived">,
  chronicle: Chronicle,
  report: ReportViolation,
): void {
  const { answer, slot, value } = record;
  if (answer.status === "pending" || (slot !== undefined && chronicle.isForgotten(slot))) return;
  const isHonest = chronicle.directory.isHonestNode(record.from);
  const isProven = record.quorum >= quorumOfCommits(chronicle, slot, value);
  if (answer.status === "final" && slot !== undefined && value !== undefined && isProven) {
    const fresh = { hash: value, value: undefined, observer: `client ${record.client}`, did: "received" } as const;
    checkSettled(state, chronicle, slot, fresh, report);
  }
  if (answer.status === "void") {
    if (isHonest) noteVoidReply(state, record, answer, report);
    return;
  }
  const reply = bindingReply(record, isProven || isHonest);
  if (reply === undefined) return;
  reportContradiction(state, record, reply, report);
  if (!state.replies.has(record.id)) state.replies.set(record.id, reply);
}

function noteVoidReply(
  state: IrreversibilityState,
  { id, client, from }: EventOf<"replyReceived">,
  { epoch }: Extract<ClientReply, { readonly status: "void" }>,
  report: ReportViolation,
): void {
  const text = `client ${client} received void in epoch ${epoch} from ${from}`;
  const effect = state.effects.get(id);
  const decidedIn = state.disclosure.past.get(id) ?? effect?.epoch;
  if (decidedIn !== undefined && decidedIn <= epoch)
    report(`${text}, but it was decided in epoch ${decidedIn}: ${shortId(id)}`);
  const reply = state.voided.get(id);
  if (reply === undefined || reply.epoch < epoch) state.voided.set(id, { epoch, words: text });
}

function reportContradiction(
  state: IrreversibilityState,
  record: EventOf<"replyReceived">,
  reply: BindingReply,
  report: ReportViolation,
): void {
  const earlierReply = state.replies.get(record.id);
  if (earlierReply !== undefined && (earlierReply.status !== reply.status || earlierReply.by !== reply.by)) {
    report(`contradictory replies for ${shortId(record.id)}: ${earlierReply.words}, then ${reply.words}`);
    return;
  }
  if (reply.status === "final") return;
  const effect = state.effects.get(record.id);
  const end = state.ended.get(record.from)?.get(record.id);
  if (effect !== undefined) report(`${reply.words}, but it took effect at ${effect.node}: ${shortId(record.id)}`);
  else if (end !== undefined)
    report(`${reply.words}, but it ended there in ${slotKeyName(end)}: ${shortId(record.id)}`);
}
