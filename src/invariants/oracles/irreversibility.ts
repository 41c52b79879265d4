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
import { type Oracle, oracle, type Place, type Report } from "../fold.ts";
import type { Application } from "../history/application.ts";
import { type Chronicle, contentOf, quorumBehind } from "../history/chronicle.ts";
import { type Roster, roster } from "../history/roster.ts";
import type { Answer, NodeName, RecordOf, Setting } from "../observation.ts";
import { listed, short, slotKeyName, slotName, valueText } from "../words.ts";
import { answeredBy, crashedAt, type Doors, decided, handedTo, noDoors, refusedUnshown } from "./doors.ts";
import { misled, noRivals, type Rivals, wished, won } from "./rivals.ts";
import { lasting, type Told, type Voided } from "./told.ts";

/** First observation of a final value in a slot, with its observer. Known by hash, by content, or both. */
interface Settled {
  readonly hash: Hash | undefined;
  readonly text: string | undefined;
  readonly by: string;
}

interface State {
  readonly settled: UndoMap<Settled>;
  readonly told: UndoMap<Told>;
  /** Last epoch that clients were told has closed without an operation, and the validator that replied so. */
  readonly voided: UndoMap<Voided>;
  /** First honest node at which an operation took effect, by operation. */
  readonly effects: UndoMap<Effect>;
  /** Operations that ended at a node in its current incarnation, by node. */
  readonly ended: Trie<UndoMap<SlotKey>>;
  readonly doors: Doors;
  readonly rivals: Rivals;
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
    told: UndoMap.empty(),
    voided: UndoMap.empty(),
    effects: UndoMap.empty(),
    ended: Trie.empty(),
    doors: noDoors(),
    rivals: noRivals(),
    epochs: Trie.empty(),
  };
}

/** Returns a copy with some parts changed. Field by field, which costs a tenth of a record spread. */
function changed(state: State, parts: Partial<State>): State {
  const { settled, told, voided, effects, ended, doors, rivals, epochs } = state;
  return Object.assign({ settled, told, voided, effects, ended, doors, rivals, epochs }, parts);
}

const HEEDS = [
  "applied",
  "closed",
  "decided",
  "crashed",
  "restarted",
  "submitted",
  "asked",
  "replied",
  "answered",
] as const;

type Answered = RecordOf<"answered">;

/** Checks honest nodes and clients against the first observation of finality in each slot, across crashes. */
export function irreversibility(setting: Setting): Oracle {
  const who = roster(setting);
  return oracle("irreversibility", HEEDS, start(), (state, seen, record, report) => {
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
        return changed(reborn(state, record.node), { doors: crashedAt(state.doors, record.node) });
      case "restarted":
        return reborn(state, record.node);
      case "submitted":
        return changed(state, { rivals: wished(state.rivals, record) });
      case "asked":
        return changed(state, { doors: handedTo(state.doors, record) });
      case "replied":
        return replied(state, record, report);
      case "answered":
        return answered(state, seen, record, who, report);
      default:
        return unreachable(record);
    }
  });
}

function replied(state: State, record: RecordOf<"replied">, report: Report): State {
  const wrong = record.honest ? misled(state.rivals, record) : undefined;
  if (wrong !== undefined) report(wrong);
  return changed(state, { doors: answeredBy(state.doors, record) });
}

function reborn(state: State, node: NodeName): State {
  return changed(state, { ended: state.ended.delete(node), epochs: state.epochs.delete(node) });
}

function applied(before: State, seen: Chronicle, one: Application, report: Report): State {
  const slot = slotKey(one.slot);
  const fresh = { hash: undefined, text: valueText(one.value), by: `${one.node} applied` };
  const epoch = before.epochs.get(one.node) ?? 0;
  const settled = settle(before, seen, slot, fresh, report, one);
  const state = unshown(changed(settled, { rivals: won(before.rivals, one) }), one, epoch, report);
  if (one.receipts.length === 0) return state;
  let { effects } = state;
  let own = state.ended.get(one.node) ?? UndoMap.empty<SlotKey>();
  for (const receipt of one.receipts) {
    own = own.set(receipt.id, slot);
    if (!receipt.success || effects.has(receipt.id)) continue;
    effects = effects.set(receipt.id, { node: one.node, epoch });
    if (!state.doors.past.has(receipt.id)) notVoid(state, receipt.id, epoch, one, report);
    const told = state.told.get(receipt.id);
    if (told !== undefined && told.status !== "final") {
      report(`${short(receipt.id)} took effect at ${one.node} in ${slotKeyName(slot)}, but ${told.words}`, {
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
function unshown(state: State, one: Application, epoch: number, report: Report): State {
  const { value } = one;
  const isOwners = value.type === "operation" || (value.type === "skip" && value.by === "cancellation");
  if (!isOwners) return state;
  const liars = refusedUnshown(state.doors, value.id);
  if (liars.length > 0) {
    report(`${short(value.id)} was decided in ${slotName(one.slot)}, but ${listed(liars)} refused it undisclosed`, {
      where: one,
    });
  }
  if (!state.doors.past.has(value.id)) notVoid(state, value.id, epoch, one, report);
  return changed(state, { doors: decided(state.doors, value.id, epoch) });
}

/** An operation that is void in an epoch is not decided in that epoch or an earlier one. */
function notVoid({ voided }: State, id: OperationId, epoch: number, one: Application, report: Report): void {
  const told = voided.get(id);
  if (told === undefined || told.epoch < epoch) return;
  report(`${short(id)} was decided in ${slotName(one.slot)} in epoch ${epoch}, but ${told.words}`, { where: one });
}

function settle(state: State, seen: Chronicle, slot: SlotKey, fresh: Settled, report: Report, where?: Place): State {
  const known = state.settled.get(slot);
  if (known === undefined) return changed(state, { settled: state.settled.set(slot, fresh) });
  if (same(seen, known, fresh)) return state;
  report(
    `${slotKeyName(slot)} was final and changed: ${known.by} ${worded(seen, known)}, then ${fresh.by} ` +
      `${worded(seen, fresh)}`,
    where === undefined ? {} : { where },
  );
  return state;
}

/** Observations that cannot be compared because the content of a hash is unknown count as equal. */
function same(seen: Chronicle, a: Settled, b: Settled): boolean {
  if (a.hash !== undefined && b.hash !== undefined) return a.hash === b.hash;
  const first = textOf(seen, a);
  const second = textOf(seen, b);
  return first === undefined || second === undefined || first === second;
}

function textOf(seen: Chronicle, settled: Settled): string | undefined {
  if (settled.text !== undefined) return settled.text;
  const content = settled.hash === undefined ? undefined : contentOf(seen, settled.hash);
  return content === undefined ? undefined : valueText(content.value);
}

function worded(seen: Chronicle, settled: Settled): string {
  const text = textOf(seen, settled);
  return text === undefined ? `value ${short(settled.hash ?? "")}` : text.split("/").map(short).join(" ");
}

function answered(before: State, seen: Chronicle, record: Answered, who: Roster, report: Report): State {
  const { answer, slot, value } = record;
  const isProven = record.quorum >= quorumBehind(seen, slot, value);
  let state = before;
  if (answer.status === "final" && slot !== undefined && value !== undefined && isProven) {
    const fresh = { hash: value, text: undefined, by: `client ${record.client} received` };
    state = settle(state, seen, slot, fresh, report);
  }
  if (answer.status === "void") return who.isHonestNode(record.from) ? toldVoid(state, record, answer, report) : state;
  const told = lasting(record, isProven || who.isHonestNode(record.from));
  if (told === undefined) return state;
  contradicted(state, record, told, report);
  return state.told.has(record.id) ? state : changed(state, { told: state.told.set(record.id, told) });
}

function toldVoid(
  state: State,
  { id, client, from }: Answered,
  { epoch }: Extract<Answer, { readonly status: "void" }>,
  report: Report,
): State {
  const words = `client ${client} received void in epoch ${epoch} from ${from}`;
  const effect = state.effects.get(id);
  const decidedIn = state.doors.past.get(id) ?? effect?.epoch;
  if (decidedIn !== undefined && decidedIn <= epoch)
    report(`${words}, but it was decided in epoch ${decidedIn}: ${short(id)}`);
  const known = state.voided.get(id);
  if (known !== undefined && known.epoch >= epoch) return state;
  return changed(state, { voided: state.voided.set(id, { epoch, words }) });
}

function contradicted(state: State, record: Answered, told: Told, report: Report): void {
  const known = state.told.get(record.id);
  if (known !== undefined && (known.status !== told.status || known.by !== told.by)) {
    report(`contradictory replies for ${short(record.id)}: ${known.words}, then ${told.words}`);
    return;
  }
  if (told.status === "final") return;
  const elsewhere = state.effects.get(record.id);
  const here = state.ended.get(record.from)?.get(record.id);
  if (elsewhere !== undefined) report(`${told.words}, but it took effect at ${elsewhere.node}: ${short(record.id)}`);
  else if (here !== undefined) report(`${told.words}, but it ended there in ${slotKeyName(here)}: ${short(record.id)}`);
}
