/** Program of one validator: `step(state, input) -> Output[]`. Pure except for the state that it is given. */
import { assert } from "../base/assert.ts";
import type { SignedProposal } from "../base/epoch.ts";
import type { Millis } from "../base/ids.ts";
import type { Submission } from "../base/operation.ts";
import { isChainSlot, parseSlotKey, type Slot, slotKey } from "../base/slot.ts";
import { versionOf } from "../ledger/state.ts";
import { applyCheckpoint, nextCheckpoint, openCheckpoint, resetToChainLink } from "./checkpoints/checkpoint.ts";
import { isChainContent } from "./content.ts";
import { addLink, applyClosing, openClosing, receiveCause, resumeClosing } from "./epochs/closing.ts";
import { SYNC_MS } from "./limits.ts";
import type { ClientName, Peer, PeerMessage } from "./message.ts";
import type { DurableRecord, Output, SlotRecord, Snapshot } from "./output.ts";
import { openToken, propose, resendProposal, voteOnProposal } from "./propose.ts";
import { receive, recheckWaiting } from "./receive.ts";
import { epochSlot, isBeyondNext, isSettled, nextSlot } from "./slot-position.ts";
import { applyDecided, deriveState, openDueSlots } from "./slots/apply-decided.ts";
import { dropShown } from "./slots/prune.ts";
import { advanceAccount, dropWaitingValue, voteOrWait } from "./slots/relay.ts";
import { applyReasons } from "./slots/round-change-reasons.ts";
import { scheduleRetry } from "./slots/slot-timers.ts";
import { keepContent, restoreRecord } from "./slots/slots.ts";
import { slotState, type ValidatorState } from "./state.ts";
import { coverage, type StepContext, type Task } from "./step-context.ts";
import { submit } from "./submit.ts";
import { scheduleSync, sendCheckpoint } from "./sync/sync.ts";
import { onTimer } from "./timers.ts";
import { offerSnapshot } from "./transfer/state-transfer.ts";

/**
 * Input of one validator with its virtual time, by which timers run. `clock` is the reading of the validator's own
 * clock, if it differs: only timestamps of checkpoints depend on it (protocol 6.1).
 */
export type Input = { readonly at: Millis; readonly clock?: Millis } & (
  | { readonly type: "start" }
  | { readonly type: "message"; readonly from: Peer; readonly message: PeerMessage }
  /** `admitted`: this very state has passed it already (`admissionFault`). */
  | {
      readonly type: "submit";
      readonly client: ClientName;
      readonly submission: Submission;
      readonly admitted?: true;
    }
  /** The operator's proposal; any client may submit it. */
  | { readonly type: "govern"; readonly signed: SignedProposal }
  | { readonly type: "timer"; readonly name: string }
  /** Restart after a crash on a fresh state, with the durable records in key order. */
  | { readonly type: "restart"; readonly records: readonly (readonly [key: string, record: DurableRecord])[] }
);

const IGNORED: readonly Output[] = [];

/** Upper bound of the tasks that one input causes beside those of the slots that it applies; only a bug exceeds it. */
const TASKS_MAX = 1_000_000;

/**
 * Takes one input and returns the effects to carry out, in order; none once the validator has halted. Mutates `state`
 * only (architecture law 7).
 * @throws AssertionError for a broken invariant of the program itself, never for input of a client or peer, however
 * many are Byzantine.
 */
export function step(state: ValidatorState, input: Input): readonly Output[] {
  if (state.halted !== undefined) return IGNORED;
  const from = input.type === "message" ? input.from : state.environment.self;
  const context: StepContext = { state, at: input.at, clock: input.clock ?? input.at, from, outputs: [], agenda: [] };
  (INPUTS[input.type] as (context: StepContext, input: Input) => void)(context, input);
  const { agenda } = context;
  let most = TASKS_MAX + agenda.length;
  for (let done = 0; done < agenda.length && state.halted === undefined; done++) {
    assert(done < most, "a validator's agenda does not end");
    const task = agenda[done] as Task;
    const { ledger } = state;
    const { length } = agenda;
    (TASKS[task.do] as (context: StepContext, task: Task) => void)(context, task);
    // Each recipient of a batch is woken, and a restart or a checkpoint applies thousands of slots.
    if (state.ledger !== ledger) most += agenda.length - length;
  }
  return context.outputs;
}

type Handlers<Of, Key extends keyof Of> = {
  readonly [Kind in Of[Key] & string]: (context: StepContext, of: Extract<Of, { readonly [K in Key]: Kind }>) => void;
};

const INPUTS: Handlers<Input, "type"> = {
  start: (context) => {
    // A validator outside the committee, or removed without its knowledge, receives nothing that it does not request.
    scheduleSync(context, SYNC_MS);
    // Where checkpoints of nothing are due, the first one waits for no traffic (specification 10.2).
    if (context.state.ledger.parameters.checkpoints !== undefined) context.agenda.push({ do: "checkpoint" });
  },
  message: (context, { from, message }) => receive(context, from, message),
  submit: (context, { client, submission, admitted }) => submit(context, client, submission, admitted),
  govern: (context, { signed }) => receiveCause(context, { kind: "proposal", signed }),
  timer: (context, { name }) => onTimer(context, name),
  restart: (context, { records }) => restart(context, records),
};

const TASKS: Handlers<Task, "do"> = {
  apply: (context, { slot }) => applySlot(context, slot),
  advance: (context, { address }) => {
    advanceAccount(context, address);
    voteOnProposal(context, nextSlot(context.state, address));
  },
  token: (context, { token }) => {
    openToken(context, token);
    voteOnProposal(context, { kind: "token", token, version: versionOf(context.state.ledger, token) });
  },
  propose,
  checkpoint: openCheckpoint,
  close: (context, { cause }) => receiveCause(context, cause),
  closing: (context) => {
    openClosing(context);
    voteOnProposal(context, epochSlot(context.state));
  },
  gone: (context, { to, epoch, whole }) => (whole ? offerSnapshot(context, to, epoch) : sendCheckpoint(context, to)),
  proposeAgain: (context, { slot }) => resendProposal(context, slot),
  judgeAgain: (context, { prefix, lacking }) => recheckWaitingValues(context, prefix, lacking),
  drop: (context, { peer, charged }) => dropShown(context, peer, charged),
  content: (context, { value }) => recheckWaiting(context, value),
};

function applySlot(context: StepContext, slot: Slot): void {
  if (slot.kind === "epoch") applyClosing(context, slot);
  else if (slot.kind === "checkpoint") {
    applyCheckpoint(context, slot);
    if (context.state.halted === undefined) voteOnProposal(context, nextCheckpoint(context.state));
  } else applyDecided(context, slot);
}

/** Rechecks what waited for funds, policy or an earlier slot, and acts on reasons that count by now (protocol 4.2). */
function recheckWaitingValues(context: StepContext, prefix: string, lacking: string | undefined): void {
  const { state } = context;
  for (const [key, entry] of state.slots.waiting.entriesWithPrefix(prefix)) {
    const { slot, value, from } = entry;
    if (isBeyondNext(state, slot) || (lacking !== undefined && entry.lacking !== lacking)) continue;
    dropWaitingValue(context, key);
    const current = slotState(state, slot);
    const content = state.slots.contents.get(value);
    if (isSettled(state, slot) || current.decided !== undefined || content === undefined) continue;
    if (current.round === 0 && slot.kind === "account") voteOrWait(context, from, slot, content, entry.until);
    else voteOnProposal(context, slot);
  }
  for (const [key] of state.slots.reasons.entriesWithPrefix(prefix)) applyReasons(context, parseSlotKey(key));
}

/** Rebuilds a fresh state from its records, in any order of them. */
export function restart(context: StepContext, records: readonly (readonly [string, DurableRecord])[]): void {
  const { state } = context;
  coverage(context, "restarted");
  // Links first: they contain the closing that opened the snapshot's epoch.
  for (const [, record] of records) if (record.of === "link") addLink(state, record.link);
  for (const [, record] of records) if (record.of === "snapshot") resumeAt(context, record);
  const slots = records.flatMap(([, record]) => (record.of === "slot" ? [record] : []));
  const isNeeded = ({ slot, epoch, decided }: SlotRecord): boolean =>
    epoch === state.ledger.epoch
      ? isChainSlot(slot) || !isSettled(state, slot)
      : isChainSlot(slot) && decided !== undefined;
  const open = slots.filter(isNeeded);
  // A crash between a snapshot and the erasing of what it replaces leaves unneeded records.
  for (const record of slots) if (!isNeeded(record)) context.outputs.push({ type: "erase", key: slotKey(record.slot) });
  for (const record of open) restoreRecord(state, record);
  deriveState(context);
  for (const { slot, decided } of open) if (decided !== undefined) context.agenda.push({ do: "apply", slot });
  for (const record of open) if (record.decided === undefined) resume(context, record);
  for (const [, record] of records) if (record.of === "closed") resumeClosing(context, record);
  openDueSlots(context);
  if (state.ledger.parameters.checkpoints !== undefined) context.agenda.push({ do: "checkpoint" });
  scheduleSync(context, SYNC_MS);
}

/**
 * Restores the state after the last final checkpoint, and the checkpoint itself, which the next ones build on. The record
 * of its slot may be older than its content, which others need (protocol 6.2).
 */
function resumeAt({ state, at }: StepContext, { content, state: base }: Snapshot): void {
  assert(isChainContent(content), "a snapshot is of a link of the chain");
  keepContent(state, content);
  resetToChainLink(state, at, content.value, base);
}

/** Resumes an open slot: resends its own proposal before the round is over, and takes its relay over in time. */
function resume(context: StepContext, { slot }: SlotRecord): void {
  context.agenda.push({ do: "proposeAgain", slot });
  scheduleRetry(context, slotKey(slot), false);
}
