/** Served network: the deterministic world under external inputs, with its oracles, archive and recording. */
import { assert } from "../core/base/assert.ts";
import { definedMembers } from "../core/base/defined-members.ts";
import { type Address, type Millis, type Nonce, nextCount } from "../core/base/ids.ts";
import type { OperationId, Submission } from "../core/base/operation.ts";
import type { Refusal } from "../core/base/refusal.ts";
import { err, ok, type Result } from "../core/base/result.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import { accountOf, type LedgerState } from "../core/ledger/state.ts";
import type { HashCache } from "../core/validator/hash-cache.ts";
import { barringRefusal } from "../core/validator/submit.ts";
import { CATALOGUE } from "../invariants/catalogue.ts";
import type { Finding } from "../invariants/judge.ts";
import type { RunEvent } from "../run/events/run-event.ts";
import { type Interruptible, runToEnd } from "../run/interruptible.ts";
import type { Step } from "../scenario/schema/step.ts";
import type { NodeName } from "../simulator/settings.ts";
import type { StopReason } from "../simulator/world.ts";
import type { FinalRecord } from "./archive.ts";
import type { Archive } from "./archive-writer.ts";
import {
  hasSameNames,
  Inputs,
  type NetworkFiles,
  type NetworkSnapshot,
  type NetworkStart,
  NO_EARLIER,
  Repetition,
  type Snapshot,
  type SnapshotPosition,
  TakenSnapshots,
} from "./input-history.ts";
import { byzantineIn, type LiveListeners, LiveRun, type LiveState } from "./live-run.ts";
import { readStep } from "./live-step.ts";
import type { LivenessStatus } from "./liveness-watch.ts";
import { OperationLog } from "./operation-log.ts";
import type { Admission, LiveInput, RecordingEntry, Setup, VerificationPoint } from "./recording.ts";
import { differenceText, type EffectiveRecording, effectiveOf, replayInto } from "./replay.ts";
import { GraphWriter, readGraph } from "./snapshot/graph.ts";

export interface NetworkParts {
  /** Persists an entry before it is executed. */
  readonly record: (entry: RecordingEntry) => void;
  readonly listeners: LiveListeners;
  /** The inputs of a recording, those after the start if there is one. */
  readonly past?: EffectiveRecording;
  /** Snapshot that it begins from. */
  readonly start?: NetworkStart | undefined;
  /** Default: all stays in memory. */
  readonly files?: NetworkFiles | undefined;
}

/** Network with its controls; every input is passed to `record` before it is executed. */
export class ServedNetwork {
  readonly setup: Setup;
  readonly #scheme: Scheme;
  readonly #listeners: LiveListeners;
  readonly #files: NetworkFiles | undefined;
  readonly #record: (entry: RecordingEntry) => void;
  readonly #inputs: Inputs;
  readonly #snapshots: TakenSnapshots;
  #run: LiveRun;
  #lines = 0;
  /** Made for a step that follows at once. */
  #prepared: Repetition | undefined;
  /** True while the run repeats what was reported before. */
  #isPast = true;

  /** @throws RangeError for an invalid genesis, and for a past whose replay differs. */
  constructor(setup: Setup, scheme: Scheme, { record, listeners, past = effectiveOf([]), start, files }: NetworkParts) {
    this.setup = setup;
    this.#scheme = scheme;
    this.#listeners = listeners;
    this.#record = record;
    this.#files = files;
    this.#inputs = new Inputs(start?.earlier ?? NO_EARLIER, past.inputs, files?.readInputs);
    this.#snapshots = new TakenSnapshots(past.snapshots);
    this.#run = this.#newRun(this.#inputs.byzantine);
    if (start !== undefined) this.#run.restore(readGraph(start.graph, this.#run.constants) as LiveState);
    const differs = replayInto(this.#run, past);
    if (differs !== undefined) throw new RangeError(differenceText(differs));
    this.#listen();
  }

  get chainId(): number {
    return this.#run.compiled.commons.shared.genesis.chainId;
  }

  /** Virtual milliseconds. */
  get now(): Millis {
    return this.#run.world.now;
  }

  get steps(): number {
    return this.#run.world.steps;
  }

  get hash(): string {
    return this.#run.world.hash;
  }

  get nodes(): readonly NodeName[] {
    return this.#run.world.nodes.map(({ name }) => name);
  }

  get archive(): Archive {
    return this.#run.archive;
  }

  /** Names of operations and of their copies, each computed once. */
  get hashes(): Pick<HashCache, "copy" | "digest" | "operationId"> {
    return this.#run.compiled.commons.hashes;
  }

  /** Invariants that are judged, each in one sentence. */
  get invariants(): readonly { readonly name: string; readonly sentence: string }[] {
    return CATALOGUE;
  }

  /** Violations of invariants so far. */
  get findings(): readonly Finding[] {
    return this.#run.findings;
  }

  /** Start of the obligation to decide, and the faults that suspend it. O(links). */
  get liveness(): LivenessStatus {
    return this.#run.liveness;
  }

  /** Number of pending operations over all nodes. */
  get pendingCount(): number {
    const pending = this.nodes.flatMap((node) => this.#run.stateOf(node)?.mempool.pending.entries() ?? []);
    return new Set(pending.map(([id]) => id)).size;
  }

  /** True if a node that runs has an operation that is pending, or applied in no checkpoint. */
  get hasUnlisted(): boolean {
    const states = this.nodes.flatMap((node) => this.#run.stateOf(node) ?? []);
    return states.some(({ mempool, sync }) => mempool.pending.size + sync.log.size > 0);
  }

  /** Returns the number of pending operations at a node; 0 while it is down. @throws RangeError for an unknown node. */
  pendingAt(node: NodeName): number {
    return this.#run.stateOf(node)?.mempool.pending.size ?? 0;
  }

  /** Returns the virtual time of the next event in the queue. */
  get nextAt(): Millis | undefined {
    return this.#run.world.nextAt();
  }

  /** Returns the current ledger of a node; `undefined` while the node is down. @throws RangeError for an unknown node. */
  ledgerOf(node: NodeName): LedgerState | undefined {
    return this.#run.ledgerOf(node);
  }

  /** Returns the number of the last checkpoint that this node has applied; 0 at the genesis, and while it is down. */
  checkpointOf(node: NodeName): number {
    return this.#run.stateOf(node)?.checkpoints.last.header.number ?? 0;
  }

  /** Returns true if this node has applied the slot of an operation's effect. */
  hasApplied(node: NodeName, final: Pick<FinalRecord, "receipt">): boolean {
    return this.#run.hasApplied(node, final);
  }

  /** Returns a certificate of the archive with the signatures of its validators, which it may only name. */
  withSignatures(certificate: FinalityCertificate): FinalityCertificate {
    return this.#run.withSignatures(certificate);
  }

  isPendingAt(node: NodeName, id: OperationId): boolean {
    return this.#run.stateOf(node)?.mempool.pending.has(id) ?? false;
  }

  /** Returns the first nonce of an account that nothing which a node has applied or holds uses; the held ones ascend. */
  freeNonceAt(node: NodeName, account: Address): Nonce {
    const state = this.#run.stateOf(node);
    let nonce = state === undefined ? (0 as Nonce) : accountOf(state.ledger, account).nonce;
    for (const pending of state?.mempool.pendingByAccount.get(account) ?? [])
      if (pending.nonce === nonce) nonce = nextCount(nonce);
    return nonce;
  }

  /** Returns why this node refuses a disclosed pending operation; `undefined` if it does not, or knows no such one. */
  barAt(node: NodeName, id: OperationId): Refusal | undefined {
    const state = this.#run.stateOf(node);
    const pending = state?.mempool.pending.get(id);
    return state !== undefined && pending?.disclosed === true ? barringRefusal(state, pending.submission) : undefined;
  }

  /** Returns whether a running node admits a submission as it is now. A refusal changes nothing. */
  admissionOf(node: NodeName, submission: Submission): Result<Admission, Refusal> {
    const refusal = this.#run.admissionFault(node, submission);
    return refusal === undefined ? ok({ node, submission, steps: this.steps }) : err(refusal);
  }

  /** Runs up to a virtual time, or for a number of events. */
  runTo(at: Millis, steps: number): StopReason {
    return this.#run.world.run({ at, steps, quiet: false });
  }

  /** Shows all events so far to the oracles; violations are reported. */
  judge(): void {
    this.#run.judge();
  }

  /** Carries out what was admitted just now. An immediate response is reported before this returns. */
  submit({ node, submission, steps }: Admission): void {
    this.runDueEvents();
    assert(steps === this.steps, "an event lies between an admission and its input");
    this.#input({ type: "submit", node, submission });
  }

  /** Executes a step of the scenario language now; returns the first error in it, if any. O(events) unless prepared. */
  step(candidate: unknown): Result<Step, string> {
    const read = this.#readStep(candidate);
    if (read.ok) this.#input({ type: "step", step: read.value });
    return read;
  }

  /**
   * Prepares a step that must follow the end at once: the first Byzantine step of a validator needs a run in which it
   * was Byzantine from the start. That run is made in slices of some 10 ms, between which the network may go on.
   */
  *preparation(candidate: unknown): Interruptible<void> {
    const read = this.#readStep(candidate);
    if (!read.ok) return;
    const byzantine = this.#byzantineWith({ type: "step", step: read.value });
    if (byzantine.size === this.#run.byzantine.size) return;
    const repetition = new Repetition(this.#newRun(byzantine));
    if (!(yield* this.#repeatBeside(repetition))) return yield* this.preparation(candidate);
    this.#prepared = repetition;
  }

  /**
   * Returns the events that concern operations, from a repetition of the past beside the network, in slices of some
   * 10 ms. It changes nothing. O(events).
   */
  *eventsOf(ids: readonly OperationId[]): Interruptible<readonly RunEvent[]> {
    const log = new OperationLog(ids);
    const run = new LiveRun(this.setup, this.#run.byzantine, this.#scheme, { watcher: log.watch });
    const isComplete = yield* this.#repeatBeside(new Repetition(run));
    return isComplete ? log.events : yield* this.eventsOf(ids);
  }

  /** Repeats the past in slices; returns false if another line of time has begun meanwhile. */
  *#repeatBeside(repetition: Repetition): Interruptible<boolean> {
    const line = this.#lines;
    const work = repetition.catchUp(this.#inputs, () => this.now);
    while (work.next().done !== true) {
      yield;
      if (line !== this.#lines) return false;
    }
    return true;
  }

  #readStep(candidate: unknown): Result<Step, string> {
    const { compiled, steps, world } = this.#run;
    const read = readStep(candidate, steps, this.setup, compiled, world);
    if (!read.ok || this.#byzantineWith({ type: "step", step: read.value }).size === this.#run.byzantine.size)
      return read;
    const fault = this.pastFault;
    return fault === undefined ? read : err(`byzantine: ${fault}`);
  }

  /** Sets all clocks to this many milliseconds ahead of virtual time, and none back; a fault stays as far apart. */
  setClocks(aheadMs: number): void {
    if (aheadMs > this.#run.aheadMs) this.#input({ type: "clocks", aheadMs });
  }

  /** Writes a verification point into the recording, and returns it: a replay must meet it. */
  writeVerificationPoint(): VerificationPoint {
    this.runDueEvents();
    const point = { type: "verification", at: this.now, steps: this.steps, hash: this.hash } as const;
    this.#record(point);
    return point;
  }

  /** Snapshots that it can be reverted to, the oldest first. */
  get snapshots(): readonly Snapshot[] {
    return this.#snapshots.list.kept;
  }

  /** Takes a snapshot, and keeps its state. O(state). */
  takeSnapshot(): Snapshot {
    const state = this.capture();
    const position = { inputs: this.#inputs.count, at: this.now };
    this.#record({ type: "snapshot", at: position.at });
    return this.#snapshots.add({ position, run: this.#run, state });
  }

  /** Number of lines of time so far: a return, and the first Byzantine step of a validator, begin another one. */
  get lines(): number {
    return this.#lines;
  }

  /**
   * Returns a snapshot of this moment, from which a network of the same setup can begin. O(state) at once; `graph` yields
   * its bytes in slices.
   */
  snapshot(): NetworkSnapshot {
    const graph = new GraphWriter(this.#run.constants).write(this.capture());
    return { inputs: this.#inputs.count, byzantine: [...this.#run.byzantine], snapshots: this.#snapshots.list, graph };
  }

  /** Returns a copy of the state of the run, with which all its past is judged. O(state). */
  capture(): LiveState {
    this.runDueEvents();
    return this.#run.capture();
  }

  /** Why nothing can be undone or repeated any more; `undefined` if it can. */
  get pastFault(): string | undefined {
    return this.#files?.sizeFault();
  }

  /**
   * Undoes everything after a position: returns to the last state that is kept before it, and repeats the events from
   * there on. O(state, and events between the two); O(events before it) if no state is kept. Not where `pastFault` is set.
   */
  revert(point: SnapshotPosition): void {
    this.judge();
    this.#record({ type: "revert", inputs: point.inputs, at: point.at, snapshot: point.number });
    this.#inputs.cut(point.inputs);
    this.#beginLine();
    this.#snapshots.undoAfter(point);
    const { byzantine } = this.#inputs;
    const kept = this.#snapshots.nearest(point, byzantine);
    this.#run = kept?.run ?? this.#newRun(byzantine);
    if (kept !== undefined) this.#run.restore(kept.state);
    for (const { at, input } of this.#inputs.from(kept?.position.inputs ?? 0)) this.#run.input(at as Millis, input);
    this.#run.world.run({ at: point.at, quiet: false });
    this.#listen();
  }

  #input(input: LiveInput): void {
    this.runDueEvents();
    const entry = { type: "input", at: this.now, input } as const;
    const byzantine = this.#byzantineWith(input);
    if (byzantine.size > this.#run.byzantine.size) this.#repeatFor(byzantine);
    this.#record(entry);
    this.#inputs.push(entry);
    this.#run.input(entry.at, input);
  }

  /** Validators that are Byzantine at some time by all inputs and this one. */
  #byzantineWith(input: LiveInput): ReadonlySet<string> {
    return input.type === "step" ? new Set([...this.#run.byzantine, ...byzantineIn([input])]) : this.#run.byzantine;
  }

  /** Continues with a run of the same past with these Byzantine validators. O(events), unless it is prepared. */
  #repeatFor(byzantine: ReadonlySet<string>): void {
    this.judge();
    const prepared = this.#prepared;
    const isFit = prepared !== undefined && hasSameNames(prepared.run.byzantine, byzantine);
    const run = this.#repeatAll(isFit ? prepared : new Repetition(this.#newRun(byzantine)));
    this.#beginLine();
    this.#run = run;
    this.#listen();
  }

  /** Repeats the past without a pause; returns the run. O(events). */
  #repeatAll(repetition: Repetition): LiveRun {
    runToEnd(repetition.catchUp(this.#inputs, () => this.now));
    return repetition.run;
  }

  #beginLine(): void {
    this.#lines += 1;
    this.#prepared = undefined;
    this.#isPast = true;
  }

  /** Executes every event due at this virtual time: inputs are recorded between times only. */
  runDueEvents(): void {
    this.#run.world.run({ at: this.now, quiet: false });
  }

  #newRun(byzantine: ReadonlySet<string>): LiveRun {
    const { notified, replyReceived, events, ...listeners } = this.#listeners;
    const isReported = (): boolean => run === this.#run && !this.#isPast;
    const isWanted = (): boolean => isReported() && events?.isWanted() === true;
    const run: LiveRun = new LiveRun(this.setup, byzantine, this.#scheme, {
      notified: (notification) => isReported() && notified?.(notification),
      replyReceived: (...args) => isReported() && replyReceived?.(...args),
      ...listeners,
      ...definedMembers({ old: this.#files?.old, events: events && { ...events, isWanted } }),
      repeatedShelf: () => this.#repeatAll(new Repetition(new LiveRun(this.setup, byzantine, this.#scheme))).shelf,
    });
    return run;
  }

  /** Reports what happens from now on: the past was reported already. */
  #listen(): void {
    this.#run.judge();
    this.#isPast = false;
  }
}
