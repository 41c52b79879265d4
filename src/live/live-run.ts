/** One world under external inputs, with its oracles and its archive, from virtual time 0 on. */
import { required } from "../core/base/assert.ts";
import type { Millis } from "../core/base/ids.ts";
import type { OperationId, Submission } from "../core/base/operation.ts";
import type { Refusal } from "../core/base/refusal.ts";
import { parseSlotKey, slotKey, slotNumber } from "../core/base/slot.ts";
import { keyedHash } from "../core/crypto/keyed-hash.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import { type LedgerState, nextOf } from "../core/ledger/state.ts";
import { admissionFault } from "../core/validator/mempool/submit.ts";
import type { Reply } from "../core/validator/output.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { type Finding, judge } from "../invariants/judge.ts";
import { createCheckpointChain } from "../run/checkpoint-chain.ts";
import { contentsInInput, contentsInOutput } from "../run/contents-in.ts";
import { joined } from "../run/listeners.ts";
import { proposerOf } from "../run/run.ts";
import { createTranslator, type Translator } from "../run/translate.ts";
import { type Compiled, compile } from "../scenario/compile/compile.ts";
import type { WorldListener } from "../simulator/listener.ts";
import type { Action, NodeName, PlannedAction } from "../simulator/plan.ts";
import { createWorld, type World } from "../simulator/world.ts";
import type { FinalRecord } from "./archive.ts";
import { ArchiveWriter } from "./archive-writer.ts";
import { inOrder } from "./in-order.ts";
import type { LiveInput } from "./input.ts";
import { actionsOfStep } from "./live-step.ts";
import type { Notification } from "./notifications.ts";
import type { Setup } from "./setup.ts";
import { SlotProgress } from "./slot-progress.ts";
import { submissionOf } from "./submission-json.ts";

/** Client that submits everything from outside: its space keeps it apart from the names of accounts. */
const OUTSIDE = "the outside";

/** Listeners of a run; `undefined` members are not called. */
export interface LiveListeners {
  readonly notified?: (notification: Notification) => void;
  /** A validator's response to an external submission. */
  readonly answered?: (id: OperationId, from: NodeName, reply: Reply) => void;
  /** Observers of the world; created after the world, since they need its nodes. */
  readonly watcher?: (compiled: Compiled) => WorldListener;
}

export class LiveRun {
  readonly compiled: Compiled;
  readonly world: World;
  readonly archive: ArchiveWriter;
  /** Governance proposals so far: each builds on its predecessors. */
  readonly #steps: Extract<LiveInput, { type: "step" }>["step"][] = [];
  readonly #setup: Setup;
  readonly #judge: ReturnType<typeof judge>;
  readonly #tell: (notification: Notification) => void;

  /**
   * `byzantine`: validators that are Byzantine at some time. `record`: keeps a line of every event. @throws RangeError for an
   * invalid genesis.
   */
  constructor(
    setup: Setup,
    byzantine: ReadonlySet<string>,
    scheme: Scheme,
    listeners: LiveListeners = {},
    record = false,
  ) {
    this.#setup = setup;
    this.compiled = compile(setup.scenario, {
      seed: setup.seed,
      scheme: setup.crypto === "stand-in" ? keyedHash : scheme,
      keys: setup.keys,
      liars: byzantine,
      record,
      outsiders: [{ name: OUTSIDE, behaviour: "scripted", home: "v1" }],
    });
    const { commons, plan, setting } = this.compiled;
    this.#tell = inOrder(listeners.notified ?? (() => undefined), (id) => this.archive.copyOf(id) !== undefined);
    const tell = this.#tell;
    this.#judge = judge(setting);
    const { genesis } = commons.shared;
    const chain = createCheckpointChain(genesis, commons.plain.ledger);
    this.archive = new ArchiveWriter({ genesis, hashes: commons.hashes, chain, tell });
    const translator = createTranslator({
      setting,
      genesis,
      log: this.compiled.log,
      hashes: commons.hashes,
      isOperators: (signed) => proposerOf(commons, signed) === setting.genesis.operator,
      chain,
      sink: (record) => {
        for (const finding of this.#judge.observe(record)) tell({ type: "violation", finding });
      },
    });
    const clocks = plan.nodes.map(
      ({ name }): PlannedAction => ({ at: 0 as Millis, action: this.#skewed({ do: "clock", node: name, aheadMs: 0 }) }),
    );
    const actions = plan.actions.map(
      (planned): PlannedAction => ({ ...planned, action: this.#skewed(planned.action) }),
    );
    const own = this.#listener(translator, listeners);
    const watcher = listeners.watcher?.(this.compiled);
    const listener = watcher === undefined ? own : joined(own, watcher);
    this.world = createWorld({ ...plan, actions: [...clocks, ...actions] }, listener);
  }

  get findings(): readonly Finding[] {
    return this.#judge.findings;
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

  /** Returns the ledger that a node serves; `undefined` if it is down or halted. @throws RangeError for an unknown node. */
  ledgerOf(node: NodeName): LedgerState | undefined {
    const state = this.stateOf(node);
    return state?.halted === undefined ? state?.ledger : undefined;
  }

  hasApplied(node: NodeName, { receipt }: Pick<FinalRecord, "receipt">): boolean {
    const ledger = this.ledgerOf(node);
    const slot = parseSlotKey(receipt.slot);
    if (ledger === undefined || slot.kind === "checkpoint" || slot.kind === "epoch") return false;
    return nextOf(ledger, slot) > slotNumber(slot);
  }

  admissionFault(node: NodeName, submission: Submission): Refusal | undefined {
    return admissionFault(required(this.stateOf(node), `state of ${node}, which runs`), submission);
  }

  #actionsOf(input: LiveInput): readonly Action[] {
    switch (input.type) {
      case "submit": {
        const submission = submissionOf(input.submission);
        return [{ do: "submit", client: OUTSIDE, submission, to: [input.node] }];
      }
      case "clocks":
        return this.world.nodes.map(({ name }) => this.#skewed({ do: "clock", node: name, aheadMs: input.aheadMs }));
      case "step": {
        const earlier = this.#steps.slice();
        this.#steps.push(input.step);
        return actionsOfStep(input.step, earlier, this.#setup, this.compiled).map((action) => this.#skewed(action));
      }
    }
  }

  /** Clocks show Unix time, and steps say how far one is ahead of the others. */
  #skewed(action: Action): Action {
    return action.do === "clock" ? { ...action, aheadMs: action.aheadMs + this.#setup.startedAt } : action;
  }

  #listener(translator: Translator, listeners: LiveListeners): WorldListener {
    const { archive, compiled } = this;
    const { hashes } = compiled.commons;
    const certified = (key: string): boolean => archive.isCertified(key);
    const votes = new SlotProgress(hashes, certified, this.#tell);
    let now = 0 as Millis;
    return {
      eventBegins: (step, at, event) => {
        now = at;
        translator.eventBegins?.(step, at, event);
      },
      signed: (view, body, digest, signature) => {
        const { validators } = required(this.stateOf(view.name), view.name).ledger.parameters;
        votes.signed(view, body, validators.length);
        translator.signed?.(view, body, digest, signature);
      },
      stepped: (view, input, outputs) => {
        for (const content of contentsInInput(input)) votes.shown(content);
        for (const output of outputs) for (const content of contentsInOutput(output)) votes.shown(content);
        translator.stepped?.(view, input, outputs);
      },
      carriedOut: (view, output) => {
        translator.carriedOut?.(view, output);
        if (!view.honest || output.type !== "event") return;
        archive.carriedOut(output.event, now);
        if (output.event.type === "applied") votes.settled(slotKey(output.event.slot));
      },
      crashed: (view) => translator.crashed?.(view),
      restarted: (...args) => translator.restarted?.(...args),
      submitted: (client, id, submission, to, correct) => {
        translator.submitted?.(client, id, submission, to, correct);
        archive.offered(id, submission, to);
      },
      answered: (client, id, from, reply, quorum) => {
        translator.answered?.(client, id, from, reply, quorum);
        archive.answered(id, reply);
        if (client === OUTSIDE) listeners.answered?.(id, from, reply);
      },
      healed: (core) => translator.healed?.(core),
    };
  }
}
