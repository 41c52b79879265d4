/** Network run by the real clock: events when they are due, inputs when they arrive. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { definedMembers } from "../../core/base/given.ts";
import type { Millis } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import { submissionId } from "../../core/ledger/identity.ts";
import type { Reply } from "../../core/validator/output.ts";
import type { LiveListeners } from "../../live/live-run.ts";
import type { Admission } from "../../live/network.ts";
import { ServedNetwork } from "../../live/network.ts";
import type { Notification } from "../../live/notifications.ts";
import type { NetworkFiles, NetworkStart, SnapshotPosition } from "../../live/past.ts";
import type { RecordingEntry, Setup } from "../../live/recording.ts";
import { type EffectiveRecording, POINT_EVENTS } from "../../live/replay.ts";
import type { RunEvent } from "../../run/events/run-event.ts";
import type { Step } from "../../scenario/schema/step.ts";
import type { NodeName } from "../../simulator/settings.ts";
import {
  ADVANCE_EVENTS,
  ADVANCE_MS,
  JUDGE_MS,
  SLEEP_MS,
  SLICE_EVENTS,
  SNAPSHOTS_MAX,
  TRACED_EVENTS,
  TRACES_WAITING,
  WAITING_MAX,
} from "../limits.ts";
import { ClockRate } from "./clock-rate.ts";
import type { Host, HostResponse } from "./host.ts";
import { PendingRequests } from "./pending-requests.ts";
import type { SnapshotKeeper } from "./snapshot-file.ts";

export interface HostDependencies {
  readonly setup: Setup;
  readonly scheme: Scheme;
  /** Inputs of a recording to continue. */
  readonly past?: EffectiveRecording;
  /** Snapshot that the network begins from; `past` follows it. */
  readonly start?: NetworkStart | undefined;
  readonly files?: NetworkFiles | undefined;
  /** Keeps a snapshot beside the recording. */
  readonly keeper?: SnapshotKeeper | undefined;
  /** Persists an entry before it is executed. */
  readonly record: (entry: RecordingEntry) => void;
  /** Listens to the world beside the oracles; called again for each world that a return builds. */
  readonly watcher?: LiveListeners["watcher"];
  /** Receives events while somebody looks at them. */
  readonly events?: LiveListeners["events"];
  /** Called with an error that stops the network: a failed assertion of this program, or a state file that fails. */
  readonly failed: (error: unknown) => void;
}

interface Waiter {
  readonly condition: () => boolean;
  readonly resolve: (isMet: boolean) => void;
}

export class RealHost implements Host {
  readonly #network: ServedNetwork;
  readonly #pace: ClockRate;
  readonly #failed: HostDependencies["failed"];
  readonly #listeners = new Set<(notification: Notification) => void>();
  readonly #requests = new PendingRequests();
  /** Notifications since the last verification point. */
  #news: Notification[] = [];
  /** Events before the last verification point. */
  #pointSteps: number;
  readonly #waiters = new Set<Waiter>();
  /** Calls for events that wait, and the last of them: each repeats the whole past. */
  #traces = 0;
  #traced: Promise<unknown> = Promise.resolve();
  readonly #snapshots = new Map<string, SnapshotPosition>();
  readonly #keeper: SnapshotKeeper | undefined;
  #snapshotCount = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Real time of the timer. */
  #wakesAt = 0;
  #slice: NodeJS.Immediate | undefined;
  /** End of a turn of the event loop in which requests were carried out. */
  #turn: NodeJS.Immediate | undefined;
  #judging: NodeJS.Timeout | undefined;
  #isEnding = false;
  #isClosed = false;
  #isBroken = false;

  /** @throws RangeError for an invalid genesis. */
  constructor({ setup, scheme, past, start, files, keeper, record, watcher, events, failed }: HostDependencies) {
    this.#failed = failed;
    const listeners: LiveListeners = {
      notified: (notification: Notification) => this.#notify(notification),
      replyReceived: (id: OperationId, node: NodeName, reply: Reply) => this.#requests.answer(`${node} ${id}`, reply),
      ...definedMembers({ watcher, events }),
    };
    this.#network = new ServedNetwork(setup, scheme, {
      record,
      listeners,
      ...{ start, files },
      ...(past === undefined ? {} : { past }),
    });
    this.#pointSteps = this.#network.steps;
    this.#keeper = keeper;
    keeper?.noteStart(this.#network, start?.steps ?? 0);
    this.#pace = new ClockRate(performance.now(), this.#network.now);
  }

  /** @throws Error once an error stopped it: its state may be ahead of the recording */
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
    this.#isEnding = true;
    for (const waiter of [...this.#waiters]) waiter.resolve(false);
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

  runDueEvents(): void {
    this.#stopOnError(() => this.#network.runDueEvents());
  }

  submit(admission: Admission): Promise<HostResponse> {
    const id = submissionId(admission.submission, this.#network.hashes.operationId);
    const answer = this.#requests.await(`${admission.node} ${id}`, () =>
      this.#stopOnError(() => this.#network.submit(admission)),
    );
    // Once for all requests of this turn: they share a verification point, and each is answered after it.
    this.#turn ??= setImmediate(() => this.#runTimer(() => this.#finishTurn()));
    this.#scheduleJudging();
    return answer;
  }

  async waitUntil(condition: () => boolean, ms: number): Promise<boolean> {
    if (condition()) return true;
    if (this.#isEnding || this.#waiters.size >= WAITING_MAX) return false;
    return new Promise((resolve) => {
      const waiter: Waiter = { condition, resolve: (isMet) => this.#endWait(waiter, timer, isMet, resolve) };
      const timer = setTimeout(() => waiter.resolve(false), ms);
      this.#waiters.add(waiter);
    });
  }

  subscribe(listener: (notification: Notification) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  eventsOf(ids: readonly OperationId[]): Promise<readonly RunEvent[] | undefined> | "busy" {
    if (this.#traces >= TRACES_WAITING) return "busy";
    this.#traces += 1;
    const traced = this.#traced
      .then(() => this.#trace(ids))
      .finally(() => {
        this.#traces -= 1;
      });
    this.#traced = traced.catch(() => undefined);
    return traced;
  }

  async #trace(ids: readonly OperationId[]): Promise<readonly RunEvent[] | undefined> {
    const work = this.#network.eventsOf(ids);
    while (!this.#isClosed && this.#network.steps <= TRACED_EVENTS) {
      const slice = this.#stopOnError(() => work.next());
      if (slice.done === true) return slice.value;
      await nextTurn();
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
    const work = this.#network.preparation(candidate);
    while (!this.#isClosed && this.#stopOnError(() => work.next()).done !== true) await nextTurn();
    return this.#isClosed ? err("the network is stopped") : this.step(candidate);
  }

  /** Advances virtual time by up to `ms` as fast as possible; returns the milliseconds that passed. */
  advance(ms: number): Result<number, string> {
    if (!Number.isSafeInteger(ms) || ms < 0 || ms > ADVANCE_MS)
      return err(`advance: expected 0 to ${ADVANCE_MS} virtual milliseconds, got ${ms}`);
    const start = this.#network.now;
    this.#stopOnError(() => this.#network.runTo((start + ms) as Millis, ADVANCE_EVENTS));
    this.#pace.rebase(performance.now(), this.#network.now);
    this.#finishTurn();
    return ok(this.#network.now - start);
  }

  /** Advances until a condition holds, by at most `ms` virtual milliseconds; returns whether it holds. */
  advanceUntil(condition: () => boolean, ms: number): boolean {
    const end = this.#network.now + ms;
    while (!condition() && this.#network.now < end) {
      const next = Math.min(end, this.#network.now + 10);
      this.#stopOnError(() => this.#network.runTo(next as Millis, ADVANCE_EVENTS));
    }
    this.#pace.rebase(performance.now(), this.#network.now);
    this.#finishTurn();
    return condition();
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
    if (this.#snapshots.size >= SNAPSHOTS_MAX) return err(`snapshot: at most ${SNAPSHOTS_MAX} are kept`);
    this.#snapshotCount += 1;
    const name = String(this.#snapshotCount);
    this.#snapshots.set(name, this.#network.point());
    return ok(name);
  }

  /** Kept snapshots with their virtual times, the oldest first. */
  get snapshots(): readonly { readonly name: string; readonly at: Millis }[] {
    return [...this.#snapshots].map(([name, { at }]) => ({ name, at }));
  }

  /** Reverts to a snapshot; later snapshots are dropped. */
  revert(name: string): Result<SnapshotPosition, string> {
    const point = this.#snapshots.get(name);
    if (point === undefined) {
      const known = [...this.#snapshots.keys()].join(", ");
      return err(`revert: no snapshot is called "${name}"; there ${known === "" ? "are none" : `are ${known}`}`);
    }
    for (const [other, { inputs, at }] of this.#snapshots)
      if (inputs > point.inputs || at > point.at) this.#snapshots.delete(other);
    this.#revertTo(point);
    return ok(point);
  }

  /** Reverts to the start. */
  reset(): void {
    this.#snapshots.clear();
    this.#revertTo({ inputs: 0, at: 0 as Millis });
  }

  #revertTo(point: SnapshotPosition): void {
    this.#finishTurn();
    this.#requests.abandonAll();
    this.#stopOnError(() => this.#network.revert(point));
    this.#pace.rebase(performance.now(), this.#network.now);
    this.#finishTurn();
  }

  #notify(notification: Notification): void {
    this.#news.push(notification);
  }

  /** Sends what a verification point of the recording covers: a network that is killed and restarted has seen it too. */
  #publish(): void {
    const news = this.#news;
    this.#news = [];
    for (const notification of news) for (const listener of this.#listeners) listener(notification);
    this.#requests.sendAnswers();
  }

  #endWait(waiter: Waiter, timer: NodeJS.Timeout, isMet: boolean, resolve: (isMet: boolean) => void): void {
    clearTimeout(timer);
    this.#waiters.delete(waiter);
    resolve(isMet);
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

  /** Records a verification point after events, resolves waiting requests, and sleeps until the next event. */
  #finishTurn(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    if (this.#isBroken) return;
    const isDue = this.#news.length > 0 || this.#network.steps - this.#pointSteps > POINT_EVENTS;
    const point = isDue ? this.#stopOnError(() => this.#network.writeVerificationPoint()) : undefined;
    this.#pointSteps = point?.steps ?? this.#pointSteps;
    this.#publish();
    for (const waiter of [...this.#waiters]) if (waiter.condition()) waiter.resolve(true);
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
      this.#isEnding = true;
      clearTimeout(this.#timer);
      this.#news = [];
      this.#requests.abandonAll();
      for (const waiter of [...this.#waiters]) waiter.resolve(false);
      this.#failed(error);
      throw error;
    }
  }
}
