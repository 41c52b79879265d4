/** One world under external inputs, with its oracles and its archive, from virtual time 0 on. */

import { findBug } from "../bugs/catalogue.ts";
import { variantOf } from "../bugs/known-bad-variant.ts";
import { requireDefined } from "../core/base/assert.ts";
import type { Millis } from "../core/base/ids.ts";
import { isCancellation, type OperationId, type Submission } from "../core/base/operation.ts";
import type { Refusal } from "../core/base/refusal.ts";
import { parseSlotKey, slotKey, slotNumber } from "../core/base/slot.ts";
import { sealedStatement } from "../core/consensus/certificate.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import { DeferredSignatures } from "../core/crypto/deferred-signatures.ts";
import { keyedHash } from "../core/crypto/keyed-hash.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import { type LedgerState, nextOf } from "../core/ledger/state.ts";
import { operationsFor } from "../core/validator/mempool/pending.ts";
import type { Reply, ValidatorEvent } from "../core/validator/output.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { admissionFault } from "../core/validator/submit.ts";
import { servedOracles } from "../invariants/catalogue.ts";
import { bounds } from "../invariants/history/quorum.ts";
import type { Finding } from "../invariants/judge.ts";
import { balancesAt } from "../invariants/oracles/checkpoints/chain-roots.ts";
import { contentsInInput, contentsInOutput } from "../run/contents-in.ts";
import {
  captureObservers,
  joinListeners,
  type Observers,
  type ObserversState,
  observersOf,
  restoreObservers,
} from "../run/observers.ts";
import { byzantineValidators, type CompiledScenario, compile } from "../scenario/compile/compile.ts";
import type { Step } from "../scenario/schema/step.ts";
import type { WorldState } from "../simulator/engine.ts";
import type { FaultState } from "../simulator/faults-in-force.ts";
import type { WorldListener } from "../simulator/listener.ts";
import type { CommitteesState } from "../simulator/nodes/program.ts";
import type { Action, PlannedAction } from "../simulator/plan.ts";
import type { NodeName } from "../simulator/settings.ts";
import { createWorld, type World } from "../simulator/world.ts";
import type { ArchiveState, FinalRecord } from "./archive.ts";
import { ArchiveWriter } from "./archive-writer.ts";
import { CHECKPOINTS_REMEMBERED, oldDecisions } from "./decision-pruner.ts";
import { actionsOfStep } from "./live-step.ts";
import { type LivenessStatus, LivenessWatch, type WatchState } from "./liveness-watch.ts";
import {
  type Notification,
  type OrderedNotifications,
  orderNotifications,
  type ProgressState,
  SlotProgress,
} from "./notifications.ts";
import { type EventTap, tapListener } from "./operation-log.ts";
import type { LiveInput, Setup } from "./recording.ts";
import { MemoryStore, type RecordStore, Shelf } from "./shelf.ts";

/** Client, in no plan, in whose name everything is submitted: its space keeps it apart from the names of accounts. */
const OUTSIDE = "the outside";

/** Records that are judged at once at the latest: those of some dozen payments. */
const RECORDS_KEPT = 1_024;

/** Listeners of a run; `undefined` members are not called. */
export interface LiveListeners {
  readonly notified?: (notification: Notification) => void;
  /** A validator's response to an external submission. */
  readonly replyReceived?: (id: OperationId, from: NodeName, reply: Reply) => void;
  /** Observers of the world; created after the world, since they need its nodes. */
  readonly watcher?: (compiled: CompiledScenario) => WorldListener;
  readonly events?: EventTap;
  /** Store of the records that leave the memory; default: one in memory. */
  readonly old?: RecordStore;
  /** The shelf of a repetition of the past, for damaged records. */
  readonly repeatedShelf?: () => Shelf;
}

/** State of a run between two events: plain data, maps, sets, tables, tries, and books of signatures. */
export interface LiveState {
  readonly world: WorldState;
  readonly observers: ObserversState;
  readonly archive: ArchiveState;
  readonly liveness: WatchState;
  readonly progress: ProgressState;
  readonly early: ReturnType<OrderedNotifications["capture"]>;
  /** Committees as clients know them. */
  readonly committees: CommitteesState;
  readonly steps: readonly Step[];
  /** Virtual time of the last event. */
  readonly eventAt: Millis;
  /** Milliseconds by which all clocks were set ahead together. */
  readonly aheadMs: number;
}

export class LiveRun {
  /** Validators that are Byzantine at some time: oracles know them from the start. */
  readonly byzantine: ReadonlySet<string>;
  readonly compiled: CompiledScenario;
  readonly world: World;
  readonly archive: ArchiveWriter;
  /** Old records of the archive. */
  readonly shelf: Shelf;
  /** Governance proposals so far: each builds on its predecessors. */
  #steps: Step[] = [];
  readonly #setup: Setup;
  readonly #observers: Observers;
  /** Absent under stand-in signatures, which cost less than they would save. */
  readonly #signatures: DeferredSignatures | undefined;
  readonly #liveness: LivenessWatch;
  readonly #notifications: OrderedNotifications;
  readonly #progress: SlotProgress;
  /** Virtual time of the last event. */
  #eventAt = 0 as Millis;
  /** Milliseconds by which all clocks are ahead of virtual time, faults aside. */
  aheadMs = 0;

  /** @throws RangeError for an invalid genesis. */
  constructor(setup: Setup, byzantine: ReadonlySet<string>, scheme: Scheme, listeners: LiveListeners = {}) {
    this.#setup = setup;
    this.byzantine = byzantine;
    const ownScheme = setup.crypto === "stand-in" ? keyedHash : scheme;
    this.#signatures = ownScheme === keyedHash ? undefined : new DeferredSignatures(ownScheme);
    this.compiled = compile(setup.scenario, {
      seed: setup.seed,
      scheme: this.#signatures?.fullScheme ?? ownScheme,
      signing: this.#signatures?.markingScheme,
      keys: setup.keys,
      byzantine,
      isServed: true,
      variant: variantOf(findBug(setup.scenario.bug ?? "")),
    });
    const { commons, plan } = this.compiled;
    this.#notifications = orderNotifications(
      listeners.notified ?? (() => undefined),
      (id) => this.archive.copyOf(id) !== undefined,
    );
    const notify = this.#notifications.report;
    const violated = (finding: Finding): void => notify({ type: "violation", finding });
    const { old = new MemoryStore(), repeatedShelf } = listeners;
    const shelf = new Shelf(old, commons.shared.genesis, repeatedShelf);
    this.shelf = shelf;
    this.#observers = observersOf(this.compiled, {
      judging: { kept: RECORDS_KEPT, violated },
      invariants: servedOracles(this.compiled.setting),
      whole: CHECKPOINTS_REMEMBERED,
      old: (number) => shelf.at(number)?.link,
    });
    const { chain, translator } = this.#observers;
    this.#liveness = new LivenessWatch(translator, () => this.#faults());
    this.archive = new ArchiveWriter({ genesis: commons.shared.genesis, hashes: commons.hashes, chain, notify, shelf });
    this.#progress = new SlotProgress(commons.hashes, (slot, id) => this.archive.isDecided(slot, id), notify);
    const clocks = plan.nodes.map(
      ({ name }): PlannedAction => ({ at: 0 as Millis, action: { do: "clock", node: name, aheadMs: 0 } }),
    );
    const actions = [...clocks, ...plan.actions].map(
      (planned): PlannedAction => ({ ...planned, action: this.#withUnixOffset(planned.action) }),
    );
    const watchers = [this.#voteListener(), this.#liveness, translator, this.#archiveListener(listeners.replyReceived)];
    const watcher = listeners.watcher?.(this.compiled);
    if (watcher !== undefined) watchers.push(watcher);
    if (listeners.events !== undefined) watchers.push(tapListener(this.compiled, listeners.events));
    this.world = createWorld({ ...plan, actions }, joinListeners(...watchers));
  }

  get findings(): readonly Finding[] {
    this.#liveness.passTo(this.world.now);
    return this.#observers.oracles.findings;
  }

  /** Start of the obligation to decide, and the faults that suspend it. */
  get liveness(): LivenessStatus {
    return this.#liveness.status;
  }

  /** The steps that were executed at once so far. */
  get steps(): readonly Step[] {
    return this.#steps;
  }

  /** Objects that the state refers to and that every run of the same setup has. */
  get constants(): readonly object[] {
    const { commons, setting } = this.compiled;
    return [commons.shared.genesis, balancesAt(setting.genesis)];
  }

  /** Judges all events so far; violations are reported. */
  judge(): void {
    this.#liveness.passTo(this.world.now);
    this.#observers.oracles.catchUp();
  }

  /** Judges all events so far, and returns a copy of the state. O(state), which grows with the run; nothing is run. */
  capture(): LiveState {
    this.judge();
    return {
      world: this.world.capture(),
      observers: captureObservers(this.#observers),
      archive: this.archive.capture(),
      liveness: this.#liveness.capture(),
      progress: this.#progress.capture(),
      early: this.#notifications.capture(),
      committees: this.compiled.commons.committees.capture(),
      steps: [...this.#steps],
      eventAt: this.#eventAt,
      aheadMs: this.aheadMs,
    };
  }

  /** Returns to a state that a run of the same setup and Byzantine validators captured; it stays as it is. O(state). */
  restore(captured: LiveState): void {
    this.compiled.commons.committees.restore(captured.committees);
    this.world.restore(captured.world);
    restoreObservers(this.#observers, captured.observers);
    this.archive.restore(captured.archive);
    this.#liveness.restore(captured.liveness);
    this.#progress.restore(captured.progress);
    this.#notifications.restore(captured.early);
    this.#steps = [...captured.steps];
    this.#eventAt = captured.eventAt;
    this.aheadMs = captured.aheadMs;
  }

  /** Executes every event due at or before this virtual time, then the input: a replay gives the same run. */
  input(at: Millis, input: LiveInput): void {
    this.world.run({ at, quiet: false });
    for (const action of this.#actionsOf(input)) this.world.act(action);
    this.world.run({ at, quiet: false });
  }

  /** @throws RangeError for an unknown node. */
  stateOf(node: NodeName): ValidatorState | undefined {
    return this.world.node(node).state as ValidatorState | undefined;
  }

  /** Returns the ledger that a node serves; `undefined` if it is down, suspended or halted. @throws RangeError for an unknown node. */
  ledgerOf(node: NodeName): LedgerState | undefined {
    const state = this.world.node(node).isSuspended ? undefined : this.stateOf(node);
    return state?.halted === undefined ? state?.ledger : undefined;
  }

  hasApplied(node: NodeName, { receipt }: Pick<FinalRecord, "receipt">): boolean {
    const ledger = this.ledgerOf(node);
    const slot = parseSlotKey(receipt.slot);
    if (ledger === undefined || slot.kind === "checkpoint" || slot.kind === "epoch") return false;
    return nextOf(ledger, slot) > slotNumber(slot);
  }

  /** Returns a certificate of the archive with the signatures themselves. They are computed when they are read first. */
  withSignatures(certificate: FinalityCertificate): FinalityCertificate {
    const signatures = this.#signatures;
    if (signatures === undefined) return certificate;
    const digest = this.compiled.commons.authenticator.digest(sealedStatement(certificate));
    const seals = certificate.seals.map(({ signer, signature }) => ({
      signer,
      signature: signatures.reveal(digest, signature),
    }));
    return { ...certificate, seals };
  }

  /** Returns why a running node refuses a submission; it would wait for what a cancellation cancels (protocol 4.2). */
  admissionFault(node: NodeName, submission: Submission): Refusal | undefined {
    const state = requireDefined(this.stateOf(node), `state of ${node}, which runs`);
    const fault = admissionFault(state, submission);
    if (fault !== undefined || !isCancellation(submission)) return fault;
    const { nonce } = submission.operation;
    const hasTarget = operationsFor(state, submission.sender, nonce).length > 0;
    return hasTarget ? undefined : { code: "business_nothing_to_cancel", nonce };
  }

  /** Returns the faults in force. Too few correct members of the newest committee that a running node knows are one. */
  #faults(): FaultState {
    const state = this.world.faults();
    const ledgers = this.world.nodes.flatMap(({ name }) => this.ledgerOf(name) ?? []);
    const { parameters } = ledgers.reduce(
      (newest, ledger) => (ledger.epoch > newest.epoch ? ledger : newest),
      this.compiled.commons.shared.genesis,
    );
    const keys = new Set(parameters.validators.map(({ key }) => key));
    const isMember = (node: string): boolean => this.world.node(node).keys.some((key) => keys.has(key));
    const members = state.correct.filter(isMember).length;
    const { quorum } = bounds(keys.size);
    const few = `${members} validators of the committee are correct, and ${quorum} have to sign`;
    return members < quorum ? { ...state, inForce: [few, ...state.inForce] } : state;
  }

  #actionsOf(input: LiveInput): readonly Action[] {
    switch (input.type) {
      case "submit":
        return [{ do: "submit", client: OUTSIDE, submission: input.submission, admittedBy: input.node }];
      case "clocks": {
        const byMs = input.aheadMs - this.aheadMs;
        this.aheadMs = input.aheadMs;
        return this.world.nodes.map(({ name, ahead }) => ({ do: "clock", node: name, aheadMs: ahead + byMs }));
      }
      case "step": {
        const actions = actionsOfStep(input.step, this.#steps, this.#setup, this.compiled);
        this.#steps.push(input.step);
        return actions.map((action) => this.#withUnixOffset(action));
      }
    }
  }

  /** Clocks show Unix time, and steps say how far one is ahead of the others. */
  #withUnixOffset(action: Action): Action {
    if (action.do !== "clock") return action;
    return { ...action, aheadMs: action.aheadMs + this.#setup.startedAt + this.aheadMs };
  }

  /** Runs before the translator: a notification of progress precedes the violation that it causes. */
  #voteListener(): WorldListener {
    const votes = this.#progress;
    return {
      signed: (view, body) => {
        const { validators } = requireDefined(this.stateOf(view.name), view.name).ledger.parameters;
        votes.signed(view, body, validators.length);
      },
      stepped: (_view, input, outputs) => {
        for (const content of contentsInInput(input)) votes.noteContent(content);
        for (const output of outputs) for (const content of contentsInOutput(output)) votes.noteContent(content);
      },
    };
  }

  /** Runs after the translator, which updates the checkpoint chain and the oracles. */
  #archiveListener(answered: LiveListeners["replyReceived"]): WorldListener {
    const { archive } = this;
    const { translator } = this.#observers;
    const { verifyFinality } = this.compiled.plan;
    return {
      eventBegins: (_step, at) => {
        this.#eventAt = at;
      },
      carriedOut: (view, output) => {
        if (output.type === "event" && view.honest) this.#noteEvent(output.event);
        // No link leads outside: a reply has arrived when it is carried out.
        if (output.type !== "reply" || output.client !== OUTSIDE) return;
        const { id, reply } = output;
        const quorum = reply.status === "final" ? (verifyFinality?.(reply) ?? 0) : 0;
        translator.replyReceived(OUTSIDE, id, view.name, reply, quorum);
        archive.noteReply(id, view.name, reply);
        answered?.(id, view.name, reply);
      },
      submitted: (_client, id, submission, to) => archive.noteSubmission(id, submission, to),
      crashed: ({ name }) => archive.crashed(name),
      replyReceived: (_client, id, from, reply) => archive.noteReply(id, from, reply),
    };
  }

  /** Records an event of an honest validator, and forgets what has become old: the translator has seen it. */
  #noteEvent(event: ValidatorEvent): void {
    const { archive } = this;
    archive.carriedOut(event, this.#eventAt);
    if (event.type === "applied") this.#progress.stopCounting(slotKey(event.slot));
    if (event.type !== "checkpointed" && event.type !== "closed") return;
    const { hashes } = this.compiled.commons;
    const { translator } = this.#observers;
    const old = oldDecisions(archive, hashes, this.shelf.count, this.#appliedByAll());
    if (old === undefined) return;
    const { links, slots, values, operations, upTo } = old;
    translator.push({ type: "forgotten", slots, values, operations, upTo });
    translator.forget(values);
    this.#progress.forget(values);
    archive.shelve(links);
  }

  /** Returns the number of the last checkpoint that every running honest validator has applied. */
  #appliedByAll(): number {
    const running = this.world.nodes.filter(({ honest, running }) => honest && running);
    const numbers = running.map(({ name }) => this.stateOf(name)?.checkpoints.last.header.number ?? 0);
    return Math.min(...numbers);
  }
}

/** Returns the nodes that get a strategy or a losing disk at any time. */
export function byzantineIn(inputs: readonly LiveInput[]): ReadonlySet<string> {
  return byzantineValidators({
    name: "live",
    steps: inputs.flatMap((input) => (input.type === "step" ? [input.step] : [])),
  });
}
