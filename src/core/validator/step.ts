/** One validator: `step(state, input) -> Output[]`, the heart of the project. Pure but for the state that it is given. */
import { assert, unreachable } from "../base/assert.ts";
import type { Epoch } from "../base/ids.ts";
import { parseSlotKey, type Slot } from "../base/slot.ts";
import { versionOf } from "../ledger/state.ts";
import type { Task, Turn } from "./agenda.ts";
import { applyCheckpoint } from "./checkpoints/apply-checkpoint.ts";
import { nextCheckpoint, openCheckpoint } from "./checkpoints/checkpoint.ts";
import { applyClosing } from "./epochs/apply-closing.ts";
import { takeCause } from "./epochs/close-epoch.ts";
import { openClosing } from "./epochs/closing.ts";
import { epochSlot } from "./epochs/closing-rules.ts";
import type { Input } from "./input.ts";
import { SYNC_MS } from "./limits.ts";
import { submit } from "./mempool/submit.ts";
import { BIRTH_KEY, type Output } from "./output.ts";
import { receive, revisit } from "./receive.ts";
import { applyDecided } from "./slots/apply-decided.ts";
import { isAhead, isSettled } from "./slots/place.ts";
import { openToken, propose, voteOnProposal } from "./slots/propose.ts";
import { advance, voteOrWait } from "./slots/relay.ts";
import { actOnReasons, nextSlot } from "./slots/rounds.ts";
import { slotState } from "./slots/slots.ts";
import type { ValidatorState } from "./state.ts";
import { offerSnapshot } from "./sync/join.ts";
import { restart } from "./sync/restart.ts";
import { scheduleSync, tellCheckpoint } from "./sync/sync.ts";
import { onTimer, proposeAgain } from "./timers.ts";

const IGNORED: readonly Output[] = [];

/** Tasks that one input may cause: a bound that only a fault of our own passes. */
const TASKS_MAX = 1_000_000;

/**
 * Takes one input and returns what is to be done, in order; nothing once the validator has halted. Mutates `state` and
 * nothing else (architecture law 7).
 * @throws AssertionError for a broken invariant of our own, never for what a client or peer sends, however many are Byzantine.
 */
export function step(state: ValidatorState, input: Input): readonly Output[] {
  if (state.halted !== undefined) return IGNORED;
  const from = input.type === "message" ? input.from : state.environment.self;
  const turn: Turn = { state, at: input.at, clock: input.clock ?? input.at, from, outputs: [], agenda: [] };
  take(turn, input);
  for (let done = 0; done < turn.agenda.length && state.halted === undefined; done++) {
    assert(done < TASKS_MAX, "a validator's agenda never ends");
    carryOut(turn, turn.agenda[done] as Task);
  }
  return turn.outputs;
}

function take(turn: Turn, input: Input): void {
  switch (input.type) {
    case "start":
      turn.outputs.push({ type: "persist", key: BIRTH_KEY, record: { of: "birth", signsFrom: 0 as Epoch } });
      // Whoever is in no committee, or has left it unawares, hears nothing that it does not ask for.
      scheduleSync(turn, SYNC_MS);
      return;
    case "message":
      receive(turn, input.from, input.message);
      return;
    case "submit":
      submit(turn, input.client, input.submission);
      return;
    case "govern":
      takeCause(turn, { kind: "proposal", signed: input.signed });
      return;
    case "timer":
      onTimer(turn, input.name);
      return;
    case "restart":
      restart(turn, input.records);
      return;
    default:
      unreachable(input);
  }
}

function carryOut(turn: Turn, task: Task): void {
  switch (task.do) {
    case "apply":
      apply(turn, task.slot);
      return;
    case "advance":
      advance(turn, task.address);
      voteOnProposal(turn, nextSlot(turn.state, task.address));
      return;
    case "token":
      openToken(turn, task.token);
      voteOnProposal(turn, { kind: "token", token: task.token, version: versionOf(turn.state.ledger, task.token) });
      return;
    case "propose":
      propose(turn, task);
      return;
    case "checkpoint":
      openCheckpoint(turn);
      return;
    case "close":
      takeCause(turn, task.cause);
      return;
    case "closing":
      openClosing(turn);
      voteOnProposal(turn, epochSlot(turn.state));
      return;
    case "gone":
      if (task.whole) offerSnapshot(turn, task.to, task.epoch);
      else tellCheckpoint(turn, task.to);
      return;
    case "proposeAgain":
      proposeAgain(turn, task.slot);
      return;
    case "judgeAgain":
      judgeAgain(turn, task.prefix);
      return;
    case "content":
      revisit(turn, task.value);
      return;
    default:
      unreachable(task);
  }
}

function apply(turn: Turn, slot: Slot): void {
  if (slot.kind === "epoch") applyClosing(turn, slot);
  else if (slot.kind === "checkpoint") {
    applyCheckpoint(turn, slot);
    if (turn.state.halted === undefined) voteOnProposal(turn, nextCheckpoint(turn.state));
  } else applyDecided(turn, slot);
}

/** Judges again what waited for funds, policy or an earlier slot, and acts on reasons that count by now (protocol 4.2). */
function judgeAgain(turn: Turn, prefix: string): void {
  const { state } = turn;
  for (const [key, entry] of state.waiting.within(prefix)) {
    const { slot, value, from } = entry;
    if (isAhead(state, slot)) continue;
    state.waiting = state.waiting.delete(key);
    turn.outputs.push({ type: "cancelTimer", name: `wait ${key}` });
    const current = slotState(state, slot);
    const content = state.contents.get(value);
    if (isSettled(state, slot) || current.decided !== undefined || content === undefined) continue;
    if (current.round === 0 && slot.kind === "account") voteOrWait(turn, from, slot, content, entry.until);
    else voteOnProposal(turn, slot);
  }
  for (const [key] of state.reasons.within(prefix)) actOnReasons(turn, parseSlotKey(key));
}
