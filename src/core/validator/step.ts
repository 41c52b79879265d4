/** Program of one validator: `step(state, input) -> Output[]`. Pure except for the state that it is given. */

import { assert } from "../base/assert.ts";
import type { SignedProposal } from "../base/epoch.ts";
import type { Millis } from "../base/ids.ts";
import type { Submission } from "../base/operation.ts";
import { parseSlotKey, type Slot } from "../base/slot.ts";
import { versionOf } from "../ledger/state.ts";
import { applyCheckpoint } from "./checkpoints/apply-checkpoint.ts";
import { nextCheckpoint, openCheckpoint } from "./checkpoints/checkpoint.ts";
import { applyClosing } from "./epochs/apply-closing.ts";
import { receiveCause } from "./epochs/close-epoch.ts";
import { openClosing } from "./epochs/closing.ts";
import { SYNC_MS } from "./limits.ts";
import type { ClientName, Peer, PeerMessage } from "./message.ts";
import type { DurableRecord, Output } from "./output.ts";
import { openToken, propose, voteOnProposal } from "./propose.ts";
import { receive, recheckWaiting } from "./receive.ts";
import { restart } from "./restart.ts";
import { epochSlot, isBeyondNext, isSettled, nextSlot } from "./slot-position.ts";
import { applyDecided } from "./slots/apply-decided.ts";
import { dropShown } from "./slots/prune.ts";
import { advanceAccount, dropWaitingValue, voteOrWait } from "./slots/relay.ts";
import { applyReasons } from "./slots/round-change-reasons.ts";
import { slotState, type ValidatorState } from "./state.ts";
import type { StepContext, Task } from "./step-context.ts";
import { submit } from "./submit.ts";
import { scheduleSync, sendCheckpoint } from "./sync/status.ts";
import { onTimer, resendProposal } from "./timers.ts";
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
  /** After a crash, on a fresh state: the durable records in key order. */
  | { readonly type: "restart"; readonly records: readonly (readonly [key: string, record: DurableRecord])[] }
);

const IGNORED: readonly Output[] = [];

/** Upper bound of the tasks that one input causes; only a bug exceeds it. */
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
  for (let done = 0; done < context.agenda.length && state.halted === undefined; done++) {
    assert(done < TASKS_MAX, "a validator's agenda does not end");
    const task = context.agenda[done] as Task;
    (TASKS[task.do] as (context: StepContext, task: Task) => void)(context, task);
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
  if (lacking !== undefined) return;
  for (const [key] of state.slots.reasons.entriesWithPrefix(prefix)) applyReasons(context, parseSlotKey(key));
}
