/**
 * Oracle of protocol 7.14: a client is told what was applied. A validator shows the receipt of an operation that it has
 * applied, with the outcome, code and fee that honest validators applied, and from then on says nothing else of it.
 */
import { entryOf } from "../../core/base/entry.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { Receipt } from "../../core/base/refusal.ts";
import { copyOfMap } from "../copies.ts";
import { type Oracle, oracle } from "../fold.ts";
import type { Application } from "../history/content.ts";
import { OUTCOMES_KEPT } from "../limits.ts";
import type { ClientReply, EventOf, NodeName, RunSetting } from "../observation.ts";
import { shortId, slotKeyName } from "../text.ts";
import {
  copyOfListeners,
  isAskedFor,
  type Listeners,
  noteHeardOf,
  noteListener,
  unaskedText,
  untold,
} from "./listeners.ts";

interface State {
  /**
   * Receipts of the first honest node that applied each operation, in this order: the last `OUTCOMES_KEPT` at most, without
   * those of old decisions.
   */
  readonly receipts: Map<OperationId, Receipt>;
  /** Those of them that each node has applied since its last crash. */
  readonly applied: Map<NodeName, Set<OperationId>>;
  /** True once an outcome was forgotten: an unknown one may be old. */
  hasForgotten: boolean;
  readonly listeners: Listeners;
}

const EVENT_TYPES = ["applied", "submissionReceived", "replied", "crashed", "forgotten", "ended"] as const;

/** Compares each reply of an honest node with the receipts of applied slots. */
export function answers(_setting: RunSetting): Oracle {
  const start: State = { receipts: new Map(), applied: new Map(), hasForgotten: false, listeners: new Map() };
  return oracle(
    "answers",
    EVENT_TYPES,
    start,
    (state, _seen, record, report) => {
      if (record.type === "crashed") {
        state.applied.delete(record.node);
        state.listeners.delete(record.node);
      } else if (record.type === "forgotten") for (const id of record.operations) forget(state, id);
      else if (record.type === "ended") {
        for (const text of untold(state.listeners, record.at)) report(text);
      } else if (!record.honest) return state;
      else if (record.type === "applied") noteReceipts(state, record);
      else if (record.type === "submissionReceived") {
        const wrong = noteListener(state.listeners, record);
        if (wrong !== undefined) report(wrong);
      } else {
        const isAsked = isAskedFor(state.listeners, record);
        const wrong =
          wrongAnswer(state, record) ?? (isAsked || state.hasForgotten ? undefined : unaskedText(record.answer));
        if (wrong !== undefined) report(`${record.node} told the client of ${shortId(record.id)} ${wrong}`);
      }
      return state;
    },
    ({ receipts, applied, hasForgotten, listeners }) => ({
      receipts: new Map(receipts),
      applied: copyOfMap(applied, (ids) => new Set(ids)),
      hasForgotten,
      listeners: copyOfListeners(listeners),
    }),
  );
}

function noteReceipts(state: State, { node, receipts: told, at }: Application): void {
  const { receipts } = state;
  const applied = entryOf(state.applied, node, () => new Set());
  for (const receipt of told) {
    if (!receipts.has(receipt.id)) receipts.set(receipt.id, receipt);
    applied.add(receipt.id);
    noteHeardOf(state.listeners, node, receipt.id, at);
  }
  for (const oldest of receipts.keys()) {
    if (receipts.size <= OUTCOMES_KEPT) return;
    forget(state, oldest);
  }
}

function forget(state: State, id: OperationId): void {
  if (!state.receipts.delete(id)) return;
  for (const applied of state.applied.values()) applied.delete(id);
  for (const operations of state.listeners.values()) operations.delete(id);
  state.hasForgotten = true;
}

/** Returns what is wrong with a reply, as the end of a sentence; `undefined` if nothing is. */
function wrongAnswer(state: State, { node, id, answer }: EventOf<"replied">): string | undefined {
  const receipt = state.receipts.get(id);
  const hasApplied = state.applied.get(node)?.has(id) ?? false;
  if (answer.status === "final") {
    if (receipt === undefined) return state.hasForgotten ? undefined : "that it is final, but nobody applied it";
    return hasApplied ? receiptDifference(answer.receipt, receipt) : "that it is final, but has not applied it";
  }
  if (!hasApplied || answer.status === "settled") return undefined;
  return `${statusText(answer)}, but had applied it`;
}

function statusText(answer: Exclude<ClientReply, { readonly status: "final" }>): string {
  return answer.status === "refused" ? `that it is refused (${answer.refusal.code})` : `that it is ${answer.status}`;
}

function receiptDifference(told: Receipt, applied: Receipt): string | undefined {
  if (told === applied) return undefined;
  const [said, is] = [outcomeText(told), outcomeText(applied)];
  if (said !== is) return `${said}, but honest validators applied ${is}`;
  if (told.id !== applied.id) return `the receipt of ${shortId(told.id)}`;
  return told.slot === applied.slot
    ? undefined
    : `that it is final in ${slotKeyName(told.slot)}, but it was applied in ${slotKeyName(applied.slot)}`;
}

/** Outcome, code and fee as text. */
function outcomeText({ success, error, fee, feeToken }: Receipt): string {
  const result =
    error === undefined
      ? success
        ? "success"
        : "a failure without a code"
      : `${success ? "success and " : "failure "}${error.code}`;
  return `${result} with fee ${fee}${feeToken === undefined || fee === 0n ? "" : ` of ${shortId(feeToken)}`}`;
}
