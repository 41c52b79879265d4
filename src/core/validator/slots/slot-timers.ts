/** Timers of slots: retries, takeovers of the relay, and ends of rounds (protocol 3.1, 3.2). */
import { type Slot, type SlotKey, slotKey } from "../../base/slot.ts";
import { BACKOFFS, RELAY_MS, TAKEOVER_MS, TAKEOVER_STAGGER_MS } from "../limits.ts";
import type { ValidatorState } from "../state.ts";
import { cancelTimer, type StepContext, setTimer } from "../step-context.ts";
import { roundTimers, slotOfTimer, type Timer, timerName, timerOf } from "../timer.ts";

/** Sets the timer of a round `inMs` from now, unless it is set. */
export function startTimer(context: StepContext, timer: Timer, inMs: number): void {
  if (!context.state.slots.timers.has(timerName(timer))) resetTimer(context, timer, inMs);
}

/** Sets the timer of a round `inMs` from now, in place of one that is set. */
export function resetTimer(context: StepContext, timer: Timer, inMs: number, background = false): void {
  const { slots } = context.state;
  slots.timers.set(timerName(timer), true);
  setTimer(context, timer, inMs, background);
}

/** Notes that the timer of a round has expired. */
export function endTimer({ slots }: ValidatorState, timer: Timer): void {
  slots.timers.delete(timerName(timer));
}

/** Notes that a slot needs no further retry; its timer has expired. */
export function endRetries({ slots }: ValidatorState, slot: Slot): void {
  slots.retries.delete(slotKey(slot));
}

/** Cancels the timers of the slots that `isPast` names by their keys. */
export function cancelPastTimers(context: StepContext, isPast: (key?: SlotKey) => boolean): void {
  const { retries, timers } = context.state.slots;
  for (const key of retries.keysWhere(isPast)) cancelRetry(context, key);
  for (const name of timers.keysWhere((timer) => isPast(slotOfTimer(timerOf(timer)))))
    stopTimer(context, timerOf(name));
}

/** Cancels the timers of a decided slot. */
export function cancelSlotTimers(context: StepContext, key: SlotKey): void {
  const { retries, timers } = context.state.slots;
  if (retries.has(key)) cancelRetry(context, key);
  for (const [name] of timers.entriesWithPrefix(roundTimers(key))) stopTimer(context, timerOf(name));
}

/** Cancels the timers of all slots: their epoch is closed, or over. */
export function cancelAllTimers(context: StepContext): void {
  cancelPastTimers(context, () => true);
}

/** Cancels the retry of a slot. */
export function cancelRetry(context: StepContext, key: SlotKey): void {
  context.state.slots.retries.delete(key);
  cancelTimer(context, { kind: "retry", slot: key });
}

/** Cancels the timer of a round or of a proof. */
export function stopTimer(context: StepContext, timer: Timer): void {
  endTimer(context.state, timer);
  cancelTimer(context, timer);
}

/**
 * Sets the timer for a retry, or for a takeover of the relay (protocol 3.1). A relay retries sooner than validators
 * that only voted, and those one after the other.
 */
export function scheduleRetry(context: StepContext, key: SlotKey, isRelay: boolean): void {
  const { state } = context;
  if (state.slots.retries.has(key)) return;
  state.slots.retries.set(key, 0);
  setTimer(context, { kind: "retry", slot: key }, isRelay ? RELAY_MS : TAKEOVER_MS + stagger(state));
}

/** Sets a slot's next retry, each pause twice the last up to a bound. Returns the number of earlier retries. */
export function retry(context: StepContext, key: SlotKey): number {
  const { state } = context;
  const count = (state.slots.retries.get(key) ?? 0) + 1;
  state.slots.retries.set(key, count);
  setTimer(context, { kind: "retry", slot: key }, (TAKEOVER_MS << Math.min(count - 1, BACKOFFS)) + stagger(state));
  return count;
}

function stagger({ environment }: ValidatorState): number {
  return TAKEOVER_STAGGER_MS * (environment.committee.index.get(environment.self) ?? 0);
}
