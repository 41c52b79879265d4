/** Network run by the real clock: events when they are due, inputs when they arrive. */
import { definedMembers } from "../../core/base/defined-members.ts";
import type { Millis } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import { submissionId } from "../../core/ledger/identity.ts";
import type { SnapshotPosition } from "../../live/input-history.ts";
import type { LiveListeners } from "../../live/live-run.ts";
import { type NetworkParts, ServedNetwork } from "../../live/network.ts";
import type { Notification } from "../../live/notifications.ts";
import type { Admission, Setup } from "../../live/recording.ts";
import { POINT_EVENTS } from "../../live/replay.ts";
import type { RunEvent } from "../../run/events/run-event.ts";
import type { Interruptible } from "../../run/interruptible.ts";
import type { Step } from "../../scenario/schema/step.ts";
import {
  ADVANCE_EVENTS,
  ADVANCE_MS,
  BUSY_MS,
  JUDGE_MS,
  SLEEP_MS,
  SLICE_EVENTS,
  SLICE_ROUNDS,
  SNAPSHOTS_MAX,
  TRACED_EVENTS,
  TRACES_WAITING,
} from "../limits.ts";
import { ClockRate } from "./clock-rate.ts";
import { ConditionWaits, type HostResponse, PendingRequests } from "./pending-requests.ts";
import type { SnapshotKeeper } from "./snapshot-file.ts";
import { Turns, WorkQueue } from "./turns.ts";

/** Parts that a host is made of. */
export interface HostDependencies extends Omit<NetworkParts, "listeners">, Pick<LiveListeners, "watcher" | "events"> {
  readonly setup: Setup;
  readonly scheme: Scheme;
  /** Keeps a snapshot beside the recording. */
  readonly keeper?: SnapshotKeeper | undefined;
  /** Called with an error that stops the network: a failed assertion of this program, or a state file that fails. */
  readonly failed: (error: unknown) => void;
}

/** Part of a host that routes use. */
export type Host = Pick<
  RealHost,
  "network" | "turns" | "runDueEvents" | "submit" | "waitUntil" | "eventsOf" | "subscribe"
>;

export class RealHost {
  readonly #network: ServedNetwork;
  /** Turns of reads and long work. */
  readonly turns: Turns = new Turns(() => performance.now() - this.#submittedAt < BUSY_MS);
  readonly #pace: ClockRate;
  readonly #failed: HostDependencies["failed"];
  readonly #listeners = new Set<(notification: Notification) => void>();
  readonly #requests = new PendingRequests();
  /** Notifications since the last verification point. */
  #news: Notification[] = [];
  /** Events before the last verification point. */
  #pointSteps: number;
  readonly #waits = new ConditionWaits();
  /** Calls for events: each repeats the whole past. */
  readonly #traces = new WorkQueue(TRACES_WAITING);
  readonly #keeper: SnapshotKeeper | undefined;
  /** Real time of the last submission. */
  #submittedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** Real time of the timer. */
  #wakesAt = 0;
  #slice: NodeJS.Immediate | undefined;
  /** End of a turn of the event loop in which requests were carried out. */
  #turn: NodeJS.Immediate | undefined;
  #judging: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isBroken = false;

  /** @throws RangeError for an invalid genesis. */
  constructor({ setup, scheme, keeper, failed, watcher, events, ...parts }: HostDependencies) {
    this.#failed = failed;
    const listeners: LiveListeners = {
      notified: (notification) => void this.#news.push(notification),
      replyReceived: (id, node, reply) => this.#requests.answer(id, node, reply),
      ...definedMembers({ watcher, events }),
    };
    this.#network = new ServedNetwork(setup, scheme, { ...parts, listeners });
    this.#pointSteps = this.#network.steps;
    this.#keeper = keeper;
    keeper?.noteStart(this.#network, parts.start?.steps ?? 0);
    this.#pace = new ClockRate(performance.now(), this.#network.now);
  }

  /**
   * Served network; the object stays the same, and snapshots and resets change its state.
   * @throws Error once an error stopped it: its state may be ahead of the recording
   */
  get network(): ServedNetwork {
    if (this.#isBroken) throw new Error("the network is stopped after an error");
    return this.#network;
  }

  /** Virtual milliseconds for each real one. */
  get rate(): number {
    return this.#pace.rate;
  }

  /** Starts the clock. */
  start(): void {
    this.#pace.rebase(performance.now(), this.#network.now);
    this.#sleep();
  }

  /** Ends every wait for a condition, those to come included. */
  endWaits(): void {
    this.#waits.endAll();
  }

  /**
   * Stops the clock for good, records where it stopped, and resolves every waiting request.
   * @throws StateFileError if the recording fails: what it does not have is not answered
   */
  close(): void {
    this.endWaits();
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearImmediate(this.#slice);
    clearImmediate(this.#turn);
    clearTimeout(this.#judging);
    try {
      if (!this.#isBroken) this.#stopOnError(() => this.#finishRecording());
    } finally {
      this.#requests.abandonAll();
    }
  }

  #finishRecording(): void {
    this.#network.judge();
    const point = this.#network.writeVerificationPoint();
    this.#publish();
    this.#keeper?.finish(this.#network, point);
  }

  /** Runs the events that are due, so that an operation that is admitted next can be submitted at once. */
  runDueEvents(): void {
    this.#stopOnError(() => this.#network.runDueEvents());
  }

  /** Submits an operation that was just admitted; resolves with the node's first response, within `ANSWER_MS`. */
  submit(admission: Admission): Promise<HostResponse> {
    this.#submittedAt = performance.now();
    const id = submissionId(admission.submission, this.#network.hashes.operationId);
    const submit = (): void => this.#stopOnError(() => this.#network.submit(admission));
    const answer = this.#requests.ask(id, admission.node, submit);
    // Once for all requests of this turn: they share a verification point, and each is answered after it.
    this.#turn ??= setImmediate(() => this.#runTimer(() => this.#finishTurn()));
    this.#scheduleJudging();
    return answer;
  }

  /** Resolves to true once the condition holds after an event, or to false after `ms` real milliseconds. */
  waitUntil(condition: () => boolean, ms: number): Promise<boolean> {
    return this.#waits.wait(condition, ms);
  }

  /** Calls `listener` with each notification; returns a function that ends the subscription. */
  subscribe(listener: (notification: Notification) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Resolves with the events that concern operations. Calls run one at a time; returns "busy" if too many calls wait.
   * Resolves to `undefined` if the network has more than `TRACED_EVENTS` events, whose replay takes too long.
   */
  eventsOf(ids: readonly OperationId[]): Promise<readonly RunEvent[] | undefined> | "busy" {
    const mayGoOn = (): boolean => this.#network.steps <= TRACED_EVENTS && this.#network.pastFault === undefined;
    return this.#traces.add(() => this.#inTurns(this.#network.eventsOf(ids), mayGoOn)) ?? "busy";
  }

  /** Carries out work beside the network in turns with the requests; `undefined` once it may not go on. */
  async #inTurns<T>(work: Interruptible<T>, mayGoOn: () => boolean): Promise<T | undefined> {
    while (!this.#isClosed && mayGoOn()) {
      const slice = await this.turns.slice(() => this.#stopOnError(() => work.next()));
      if (slice.done === true) return slice.value;
    }
    return undefined;
  }

  /** Executes a step of the scenario language now. */
  step(candidate: unknown): Result<Step, string> {
    const done = this.#stopOnError(() => this.#network.step(candidate));
    this.#finishTurn();
    return done;
  }

  /** Executes a step once it is prepared; the network serves between slices of the preparation. */
  async stepPrepared(candidate: unknown): Promise<Result<Step, string>> {
    await this.#inTurns(this.#network.preparation(candidate), () => true);
    return this.#isClosed ? err("the network is stopped") : this.step(candidate);
  }

  /** Advances virtual time by up to `ms` as fast as possible; returns the milliseconds that passed. */
  *advance(ms: number): Interruptible<Result<number, string>> {
    if (!Number.isSafeInteger(ms) || ms < 0 || ms > ADVANCE_MS)
      return err(`advance: expected 0 to ${ADVANCE_MS} virtual milliseconds, got ${ms}`);
    const { now: start, lines } = this.#network;
    yield* this.#advanceTo(start + ms, () => false, ms);
    const isUndone = this.#network.lines !== lines;
    return isUndone ? err("advance: what it ran was undone meanwhile") : ok(this.#network.now - start);
  }

  /** Advances until a condition holds, by at most `ms` virtual milliseconds; returns whether it holds. */
  *advanceUntil(condition: () => boolean, ms: number): Interruptible<boolean> {
    yield* this.#advanceTo(this.#network.now + ms, condition, 10);
    return condition();
  }

  /** Looks at the condition every `stepMs` virtual milliseconds, and ends with a return to an earlier moment. */
  *#advanceTo(end: number, condition: () => boolean, stepMs: number): Interruptible<void> {
    const { network } = this;
    const line = network.lines;
    let events = ADVANCE_EVENTS;
    const mayGoOn = (): boolean => events > 0 && network.lines === line && !this.#isClosed;
    for (let round = 1; !condition() && network.now < end && mayGoOn(); round++) {
      if (round % SLICE_ROUNDS === 0) yield;
      // Without an event nothing changes.
      const next = Math.min(end, Math.max(network.now + stepMs, network.nextAt ?? end)) as Millis;
      while (mayGoOn() && this.#stopOnError(() => network.runTo(next, SLICE_EVENTS)) === "steps") {
        events -= SLICE_EVENTS;
        this.#pace.rebase(performance.now(), network.now);
        yield;
      }
    }
    if (this.#isClosed) return;
    this.#pace.rebase(performance.now(), network.now);
    this.recordHere();
  }

  /** Carries out work that advances virtual time, in turns with the requests. */
  async advanceInTurns<T>(work: Interruptible<T>): Promise<T> {
    for (;;) {
      const slice = await this.turns.slice(() => work.next());
      if (slice.done === true) return slice.value;
      if (this.#isClosed) continue;
      this.#finishTurn();
      this.#scheduleJudging();
    }
  }

  /** Sets the virtual milliseconds for each real one; 0 stops virtual time. */
  setRate(rate: number): Result<number, string> {
    if (!Number.isFinite(rate) || rate < 0 || rate > 1_000) return err(`rate: expected 0 to 1000, got ${rate}`);
    this.#pace.set(performance.now(), this.#network.now, rate);
    this.#sleep();
    return ok(rate);
  }

  /** Takes a snapshot; returns its name. */
  snapshot(): Result<string, string> {
    if (this.#network.snapshots.length >= SNAPSHOTS_MAX) return err(`snapshot: at most ${SNAPSHOTS_MAX} are kept`);
    return ok(String(this.#stopOnError(() => this.#network.takeSnapshot()).number));
  }

  /** Kept snapshots with their virtual times, the oldest first. */
  get snapshots(): readonly { readonly name: string; readonly at: Millis }[] {
    return this.#network.snapshots.map(({ number, at }) => ({ name: String(number), at }));
  }

  /** Reverts to a snapshot; later snapshots are dropped. */
  revert(name: string): Result<undefined, string> {
    const { snapshots } = this.#network;
    const snapshot = snapshots.find(({ number }) => String(number) === name);
    if (snapshot !== undefined) return this.#revertTo(snapshot, "revert");
    const known = snapshots.map(({ number }) => number).join(", ");
    return err(`revert: no snapshot is called "${name}"; there ${known === "" ? "are none" : `are ${known}`}`);
  }

  /** Reverts to the start, and drops all snapshots. */
  reset(): Result<undefined, string> {
    return this.#revertTo({ inputs: 0, at: 0 as Millis }, "reset");
  }

  #revertTo(point: SnapshotPosition, name: string): Result<undefined, string> {
    const fault = this.#network.pastFault;
    if (fault !== undefined) return err(`${name}: ${fault}`);
    this.#finishTurn();
    this.#requests.abandonAll();
    this.#stopOnError(() => this.#network.revert(point));
    this.#pace.rebase(performance.now(), this.#network.now);
    // The number of events begins anew.
    this.#finishTurn(true);
    return ok(undefined);
  }

  /** Sends what a verification point of the recording covers: a network that is killed and restarted has seen it too. */
  #publish(): void {
    const news = this.#news;
    this.#news = [];
    for (const notification of news) for (const listener of this.#listeners) listener(notification);
    this.#requests.sendAnswers();
  }

  /** Shows what has happened to the oracles beside the requests: no client waits for them. */
  #scheduleJudging(): void {
    if (this.#isClosed) return;
    this.#judging ??= setTimeout(() => {
      this.#judging = undefined;
      this.#runTimer(() => {
        this.#stopOnError(() => this.#network.judge());
        if (this.#news.length > 0) this.#finishTurn();
      });
    }, JUDGE_MS);
  }

  /** Records a verification point, so that the recording ends where the network is. */
  recordHere(): void {
    this.#finishTurn(true);
  }

  /** Records a verification point if one is due, resolves waiting requests, and sleeps until the next event. */
  #finishTurn(isDue: boolean = this.#news.length > 0 || this.#network.steps - this.#pointSteps > POINT_EVENTS): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    if (this.#isBroken) return;
    const point = isDue ? this.#stopOnError(() => this.#network.writeVerificationPoint()) : undefined;
    this.#pointSteps = point?.steps ?? this.#pointSteps;
    this.#publish();
    this.#waits.look();
    if (point !== undefined) this.#stopOnError(() => this.#keeper?.pointWritten(this.#network, point));
    this.#sleep();
  }

  /** Wakes for the next event. A timer that comes too early stays: most next events are later ones of the same timers. */
  #sleep(): void {
    if (this.#isClosed) return;
    clearImmediate(this.#slice);
    const real = performance.now();
    const next = this.#network.nextAt;
    const due = next === undefined ? undefined : this.#pace.until(next, real);
    const wait = Math.min(Math.ceil(due ?? SLEEP_MS), SLEEP_MS);
    if (this.#timer !== undefined && this.#wakesAt <= real + wait) return;
    clearTimeout(this.#timer);
    this.#wakesAt = real + wait;
    this.#timer = setTimeout(() => this.#runTimer(() => this.#pump()), wait);
  }

  /** Executes due events in slices, so that sockets are served in between. */
  #pump(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const real = performance.now();
    const stopped = this.#stopOnError(() => this.#network.runTo(this.#pace.target(real), SLICE_EVENTS));
    this.#pace.rebaseIfLagging(performance.now(), this.#network.now);
    this.#finishTurn();
    this.#scheduleJudging();
    if (stopped !== "steps" || this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#slice = setImmediate(() => this.#runTimer(() => this.#pump()));
  }

  /** Carries out the work of a timer, which no caller waits for: an error that stopped the network was reported. */
  #runTimer(work: () => void): void {
    if (this.#isBroken) return;
    try {
      work();
    } catch (error) {
      if (!this.#isBroken) throw error;
    }
  }

  /**
   * Stops the network after a failed assertion of this program, since later results would be unreliable, and if the state
   * file fails, since what it does not have must not be told. Nothing is answered or published from then on.
   */
  #stopOnError<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (this.#isBroken) throw error;
      this.#isClosed = true;
      this.#isBroken = true;
      clearTimeout(this.#timer);
      this.#news = [];
      this.#requests.abandonAll();
      this.#waits.endAll();
      this.#failed(error);
      throw error;
    }
  }
}
