/**
 * Oracle of protocol 7.2: a decision that any client or honest validator saw as final stays. A refusal is final for its
 * client too: the operation never takes effect after it, and one refused undisclosed leaves the nonce free for another
 * operation; the client of an operation that lost its nonce receives the winner (protocol 9.1). A void operation is
 * undecided in its epoch; a later one may decide it (protocol 6.3).
 */
import { unreachable } from "../../core/base/assert.ts";
import type { Hash } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import { type SlotKey, slotKey } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import { UndoMap } from "../../core/base/undo-map.ts";
import { type EventPosition, type Oracle, oracle, type ReportViolation } from "../fold.ts";
import { type Chronicle, contentOf, quorumOfCommits } from "../history/chronicle.ts";
import type { Application } from "../history/content.ts";
import { type CommitteeDirectory, committeeDirectory } from "../history/epochs.ts";
import type { ClientReply, EventOf, NodeName, RunSetting } from "../observation.ts";
import { joinNames, shortId, slotKeyName, slotName, valueText } from "../text.ts";
import {
  type BindingReply,
  bindingReply,
  type DisclosureTracker,
  emptyConflicts,
  emptyTracker,
  type NonceConflicts,
  refusedUndisclosed,
  type VoidReply,
  withArrival,
  withCrash,
  withDecision,
  withReply,
  withRequest,
  withWinner,
  wrongReply,
} from "./binding-replies.ts";

/** First observation of a final value in a slot, with its observer. Known by hash, by content, or both. */
interface ResolvedNonce {
  readonly hash: Hash | undefined;
  readonly text: string | undefined;
  readonly by: string;
}

interface State {
  readonly settled: UndoMap<ResolvedNonce>;
  readonly replies: UndoMap<BindingReply>;
  /** Last epoch that clients were told has closed without an operation, and the validator that replied so. */
  readonly voided: UndoMap<VoidReply>;
  /** First honest node at which an operation took effect, by operation. */
  readonly effects: UndoMap<Effect>;
  /** Operations that ended at a node in its current incarnation, by node. */
  readonly ended: Trie<UndoMap<SlotKey>>;
  readonly disclosure: DisclosureTracker;
  readonly conflicts: NonceConflicts;
  /** Epoch of each node in its current incarnation; 0 if absent. */
  readonly epochs: Trie<number>;
}

interface Effect {
  readonly node: NodeName;
  readonly epoch: number;
}

function start(): State {
  return {
    settled: UndoMap.empty(),
    replies: UndoMap.empty(),
    voided: UndoMap.empty(),
    effects: UndoMap.empty(),
    ended: Trie.empty(),
    disclosure: emptyTracker(),
    conflicts: emptyConflicts(),
    epochs: Trie.empty(),
  };
}

/** Returns a copy with some parts changed. Field by field, which costs a tenth of a record spread. */
function changed(state: State, parts: Partial<State>): State {
  const { settled, replies, voided, effects, ended, disclosure, conflicts, epochs } = state;
  return Object.assign({ settled, replies, voided, effects, ended, disclosure, conflicts, epochs }, parts);
}

const EVENT_TYPES = [
  "applied",
  "closed",
  "decided",
  "crashed",
  "restarted",
  "submitted",
  "submissionReceived",
  "replied",
  "replyReceived",
] as const;

type ReplyReceived = EventOf<"replyReceived">;

/** Checks honest nodes and clients against the first observation of finality in each slot, across crashes. */
export function irreversibility(setting: RunSetting): Oracle {
  const directory = committeeDirectory(setting);
  return oracle("irreversibility", EVENT_TYPES, start(), (state, seen, record, report) => {
    switch (record.type) {
      case "applied":
        return record.honest ? applied(state, seen, record, report) : state;
      case "closed":
        return changed(state, { epochs: state.epochs.set(record.node, record.value.epoch + 1) });
      case "decided": {
        if (!record.honest) return state;
        const fresh = { hash: record.value, text: undefined, by: `${record.node} decided` };
        return settle(state, seen, slotKey(record.slot), fresh, report);
      }
      case "crashed":
        return changed(withoutIncarnation(state, record.node), {
          disclosure: withCrash(state.disclosure, record.node),
        });
      case "restarted":
        return withoutIncarnation(state, record.node);
      case "submitted":
        return changed(state, { conflicts: withRequest(state.conflicts, record) });
      case "submissionReceived":
        return changed(state, { disclosure: withArrival(state.disclosure, record) });
      case "replied":
        return replied(state, record, report);
      case "replyReceived":
        return answered(state, seen, record, directory, report);
      default:
        return unreachable(record);
    }
  });
}

function replied(state: State, record: EventOf<"replied">, report: ReportViolation): State {
  const wrong = record.honest ? wrongReply(state.conflicts, record) : undefined;
  if (wrong !== undefined) report(wrong);
  return changed(state, { disclosure: withReply(state.disclosure, record) });
}

function withoutIncarnation(state: State, node: NodeName): State {
  return changed(state, { ended: state.ended.delete(node), epochs: state.epochs.delete(node) });
}

function applied(before: State, seen: Chronicle, one: Application, report: ReportViolation): State {
  const slot = slotKey(one.slot);
  const fresh = { hash: undefined, text: valueText(one.value), by: `${one.node} applied` };
  const epoch = before.epochs.get(one.node) ?? 0;
  const settled = settle(before, seen, slot, fresh, report, one);
  const state = undisclosed(changed(settled, { conflicts: withWinner(before.conflicts, one) }), one, epoch, report);
  if (one.receipts.length === 0) return state;
  let { effects } = state;
  let own = state.ended.get(one.node) ?? UndoMap.empty<SlotKey>();
  for (const receipt of one.receipts) {
    own = own.set(receipt.id, slot);
    if (!receipt.success || effects.has(receipt.id)) continue;
    effects = effects.set(receipt.id, { node: one.node, epoch });
    if (!state.disclosure.past.has(receipt.id)) notVoid(state, receipt.id, epoch, one, report);
    const reply = state.replies.get(receipt.id);
    if (reply !== undefined && reply.status !== "final") {
      report(`${shortId(receipt.id)} took effect at ${one.node} in ${slotKeyName(slot)}, but ${reply.words}`, {
        where: one,
      });
    }
  }
  return changed(state, { effects, ended: state.ended.set(one.node, own) });
}

/**
 * Compares the operation that an account slot decides with the replies about it. Recoveries are exempt: others may have
 * disclosed the same proof.
 */
function undisclosed(state: State, one: Application, epoch: number, report: ReportViolation): State {
  const { value } = one;
  const isOwners = value.type === "operation" || (value.type === "skip" && value.by === "cancellation");
  if (!isOwners) return state;
  const refusers = refusedUndisclosed(state.disclosure, value.id);
  if (refusers.length > 0) {
    report(
      `${shortId(value.id)} was decided in ${slotName(one.slot)}, but ${joinNames(refusers)} refused it undisclosed`,
      {
        where: one,
      },
    );
  }
  if (!state.disclosure.past.has(value.id)) notVoid(state, value.id, epoch, one, report);
  return changed(state, { disclosure: withDecision(state.disclosure, value.id, epoch) });
}

/** An operation that is void in an epoch is not decided in that epoch or an earlier one. */
function notVoid({ voided }: State, id: OperationId, epoch: number, one: Application, report: ReportViolation): void {
  const voidReply = voided.get(id);
  if (voidReply === undefined || voidReply.epoch < epoch) return;
  report(`${shortId(id)} was decided in ${slotName(one.slot)} in epoch ${epoch}, but ${voidReply.words}`, {
    where: one,
  });
}

function settle(
  state: State,
  seen: Chronicle,
  slot: SlotKey,
  fresh: ResolvedNonce,
  report: ReportViolation,
  where?: EventPosition,
): State {
  const known = state.settled.get(slot);
  if (known === undefined) return changed(state, { settled: state.settled.set(slot, fresh) });
  if (same(seen, known, fresh)) return state;
  report(
    `${slotKeyName(slot)} was final and changed: ${known.by} ${observedText(seen, known)}, then ${fresh.by} ` +
      `${observedText(seen, fresh)}`,
    where === undefined ? {} : { where },
  );
  return state;
}

/** Observations that cannot be compared because the content of a hash is unknown count as equal. */
function same(seen: Chronicle, a: ResolvedNonce, b: ResolvedNonce): boolean {
  if (a.hash !== undefined && b.hash !== undefined) return a.hash === b.hash;
  const first = textOf(seen, a);
  const second = textOf(seen, b);
  return first === undefined || second === undefined || first === second;
}

function textOf(seen: Chronicle, settled: ResolvedNonce): string | undefined {
  if (settled.text !== undefined) return settled.text;
  const content = settled.hash === undefined ? undefined : contentOf(seen, settled.hash);
  return content === undefined ? undefined : valueText(content.value);
}

function observedText(seen: Chronicle, settled: ResolvedNonce): string {
  const text = textOf(seen, settled);
  return text === undefined ? `value ${shortId(settled.hash ?? "")}` : text.split("/").map(shortId).join(" ");
}

function answered(
  before: State,
  seen: Chronicle,
  record: ReplyReceived,
  directory: CommitteeDirectory,
  report: ReportViolation,
): State {
  const { answer, slot, value } = record;
  const isProven = record.quorum >= quorumOfCommits(seen, slot, value);
  let state = before;
  if (answer.status === "final" && slot !== undefined && value !== undefined && isProven) {
    const fresh = { hash: value, text: undefined, by: `client ${record.client} received` };
    state = settle(state, seen, slot, fresh, report);
  }
  if (answer.status === "void")
    return directory.isHonestNode(record.from) ? voidReceived(state, record, answer, report) : state;
  const reply = bindingReply(record, isProven || directory.isHonestNode(record.from));
  if (reply === undefined) return state;
  reportContradiction(state, record, reply, report);
  return state.replies.has(record.id) ? state : changed(state, { replies: state.replies.set(record.id, reply) });
}

function voidReceived(
  state: State,
  { id, client, from }: ReplyReceived,
  { epoch }: Extract<ClientReply, { readonly status: "void" }>,
  report: ReportViolation,
): State {
  const text = `client ${client} received void in epoch ${epoch} from ${from}`;
  const effect = state.effects.get(id);
  const decidedIn = state.disclosure.past.get(id) ?? effect?.epoch;
  if (decidedIn !== undefined && decidedIn <= epoch)
    report(`${text}, but it was decided in epoch ${decidedIn}: ${shortId(id)}`);
  const known = state.voided.get(id);
  if (known !== undefined && known.epoch >= epoch) return state;
  return changed(state, { voided: state.voided.set(id, { epoch, words: text }) });
}

function reportContradiction(state: State, record: ReplyReceived, reply: BindingReply, report: ReportViolation): void {
  const known = state.replies.get(record.id);
  if (known !== undefined && (known.status !== reply.status || known.by !== reply.by)) {
    report(`contradictory replies for ${shortId(record.id)}: ${known.words}, then ${reply.words}`);
    return;
  }
  if (reply.status === "final") return;
  const elsewhere = state.effects.get(record.id);
  const here = state.ended.get(record.from)?.get(record.id);
  if (elsewhere !== undefined) report(`${reply.words}, but it took effect at ${elsewhere.node}: ${shortId(record.id)}`);
  else if (here !== undefined)
    report(`${reply.words}, but it ended there in ${slotKeyName(here)}: ${shortId(record.id)}`);
}
