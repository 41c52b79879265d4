/**
 * Validation of a counterexample: runs a path again without normalization and before the ordinary oracles, with the
 * signatures, proposals and certificates of that run alone.
 */
import type { Millis } from "../../core/base/ids.ts";
import { slotKey } from "../../core/base/slot.ts";
import type { StatementContent } from "../../core/consensus/message.ts";
import { submissionId } from "../../core/ledger/identity.ts";
import type { ObservedEvent } from "../../invariants/observation.ts";
import { joinListeners, type Observers, observersOf } from "../../run/observers.ts";
import { type NamedViolation, verdictOf } from "../../run/verdict.ts";
import type { CompiledScenario } from "../../scenario/compile/compile.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { NodeView, WorldListener } from "../../simulator/listener.ts";
import { STEP_TIME_MS } from "../limits.ts";
import { Liveness } from "../liveness/liveness.ts";
import { ClosingCache } from "../model/closings.ts";
import { enabledTransitions, knowledgeOf } from "../model/enabled-transitions.ts";
import { FirstSubmissions, factsOf } from "../model/first-submissions.ts";
import { holds, TRUE_GUARD } from "../model/guard.ts";
import {
  applyInputs,
  initialState,
  type LocalState,
  NO_INPUT,
  type NumberStatement,
  type PathStep,
  type Watcher,
} from "../model/local-state.ts";
import { CRASHED } from "../model/model.ts";
import { ballotsIn, type NetworkKnowledge } from "../model/network-knowledge.ts";
import { StatementTable } from "../model/statements.ts";
import { type Participant, type System, type SystemOptions, systemOf } from "../model/system.ts";
import { accountValues } from "../model/values.ts";
import { byzantineView, PathListener } from "./path-listener.ts";

export interface PathValidation {
  /** Violations that the oracles report, with names instead of keys. */
  readonly violations: readonly NamedViolation[];
  /** First step of the path that is not enabled without normalization; `undefined` if all steps are. */
  readonly impossible: PathStep | undefined;
  /**
   * Description of the stall in the continuation from the end of the path; `undefined` if there is none or another
   * check than liveness failed.
   */
  readonly stall: string | undefined;
}

/** Hears of the events of a path. */
export interface PathWatcher {
  readonly watch: (compiled: CompiledScenario) => WorldListener;
  readonly observed: (record: ObservedEvent) => void;
}

/** Runs the path of a failed check again. @throws NotExplorable for a scenario that cannot be explored. */
export function validatePath(
  scenario: Scenario,
  options: SystemOptions,
  path: readonly PathStep[],
  check?: string,
  watcher?: PathWatcher,
): PathValidation {
  const rerun = new Rerun(scenario, options, watcher);
  const impossible = path.find((step, index) => !rerun.take(step, index + 1));
  const violations = rerun.violations();
  return { violations, impossible, stall: check === "liveness" ? rerun.stall() : undefined };
}

class Rerun {
  readonly #scenario: Scenario;
  readonly #system: System;
  readonly #statements = new StatementTable();
  readonly #closings = new ClosingCache();
  readonly #signedBallots = new Set<string>();
  readonly #clients: FirstSubmissions;
  readonly #oracles: Observers["oracles"];
  readonly #translator: WorldListener;
  /** Hears of all that the Byzantine validator could have signed, which no picture shows. */
  readonly #judges: WorldListener;
  readonly #listener: PathListener | undefined;
  readonly #localStates: LocalState[];
  /** For each honest validator the timers that are set, with the times at which they fire. */
  readonly #timers: readonly Map<string, number>[];
  readonly #liveness: Liveness;
  readonly #values: ReturnType<typeof accountValues>;

  constructor(scenario: Scenario, options: SystemOptions, watcher: PathWatcher | undefined) {
    this.#scenario = scenario;
    const system = systemOf(scenario, options);
    const { oracles, translator } = observersOf(system.compiled, watcher);
    this.#oracles = oracles;
    this.#judges = translator;
    const listener = watcher?.watch(system.compiled);
    this.#translator = listener === undefined ? translator : joinListeners(translator, listener);
    this.#listener = listener && new PathListener(listener, system.compiled);
    this.#liveness = new Liveness(system);
    this.#timers = system.honest.map(() => new Map());
    this.#system = {
      ...system,
      byzantine: { ...system.byzantine, sign: (body) => this.#signedByByzantine(system, body) },
    };
    this.#clients = new FirstSubmissions(this.#system, this.#statements);
    this.#values = accountValues(this.#system, this.#clients.release);
    this.#begin(0);
    for (const { name } of [...system.operations, ...system.recoveries])
      if (this.#clients.release(name) === TRUE_GUARD) this.#submit(name);
    this.#localStates = system.honest.map((participant, validator) =>
      initialState(participant, this.#numberOf(validator), this.#watcher(validator)),
    );
  }

  /** Takes one step; returns `false` if it is not enabled. */
  take({ who, what, cut: crashPoint }: PathStep, step: number): boolean {
    this.#begin(step);
    const submitted = this.#clients.submissionIn(what);
    if (submitted !== undefined) {
      this.#submit(submitted.name);
      this.#statements.signedInRun.add(submitted.statement);
      return true;
    }
    const validator = this.#system.honest.findIndex(({ name }) => name === who);
    const participant = this.#system.honest[validator];
    const localState = this.#localStates[validator];
    if (participant === undefined || localState === undefined) return false;
    const inputs = what === CRASHED ? [NO_INPUT] : this.#inputsFor(what);
    if (inputs === undefined) return false;
    this.#localStates[validator] = applyInputs(
      participant,
      this.#numberOf(validator),
      localState,
      inputs,
      crashPoint,
      this.#watcher(validator),
    ).state;
    this.#signAsByzantine();
    return true;
  }

  #begin(step: number): void {
    this.#translator.eventBegins?.(step, STEP_TIME_MS as Millis, { type: "start", node: "" });
    this.#listener?.begins(step);
  }

  /**
   * Signs every vote and commit of honest validators as the Byzantine one, so that the oracles see quorums that it
   * completes.
   */
  #signAsByzantine(): void {
    for (const { kind, epoch, slot, round, value } of ballotsIn(this.#statements)) {
      const key = `${kind} ${epoch} ${slotKey(slot)} ${round} ${value}`;
      if (this.#signedBallots.has(key)) continue;
      this.#signedBallots.add(key);
      this.#system.byzantine.sign({ type: kind, epoch, slot, round, value });
    }
  }

  violations(): readonly NamedViolation[] {
    const { compiled } = this.#system;
    const { expect: _, invariants_off: __, bug: ___, ...plain } = this.#scenario;
    return verdictOf({
      scenario: plain,
      directory: compiled.directory,
      setting: compiled.setting,
      operations: compiled.operations,
      findings: this.#oracles.findings,
      isBeyond: this.#oracles.scope.isBeyond,
      unmet: [],
      idle: [],
      finals: 1,
      committees: [],
      cutShort: undefined,
    }).violations;
  }

  /** Describes the stall of a fair run from here on (liveness.ts). */
  stall(): string | undefined {
    const starts = this.#localStates.map(({ state }, validator) => ({
      name: "end of the path",
      state,
      timers: new Map([...(this.#timers[validator] ?? [])].map(([name, at]) => [name, at - STEP_TIME_MS])),
    }));
    return this.#liveness.stallFrom(starts, this.#knowledge().values);
  }

  #knowledge(): NetworkKnowledge {
    return knowledgeOf(this.#system, this.#statements, this.#clients.release, this.#values, this.#closings);
  }

  #inputsFor(label: string): ReturnType<ReturnType<typeof enabledTransitions>[number]["makeInputs"]> | undefined {
    const knowledge = this.#knowledge();
    this.#clients.updateGuards(knowledge, factsOf(knowledge));
    const { signedInRun: signed } = this.#statements;
    const isSigned = (statement: number): boolean => signed.has(statement);
    const transition = enabledTransitions(knowledge).find((candidate) => candidate.label === label);
    return transition !== undefined && holds(transition.guard, isSigned) ? transition.makeInputs(isSigned) : undefined;
  }

  #numberOf(validator: number): NumberStatement {
    return (message, sign) => {
      const number = this.#statements.numberOf(validator, message, sign);
      this.#statements.signedInRun.add(number);
      return number;
    };
  }

  #submit(name: string): void {
    const { submissions, setting, commons } = this.#system.compiled;
    const named = submissions.find((submission, index) => (submission.name ?? `#${index + 1}`) === name);
    if (named === undefined) return;
    const id = submissionId(named.submission, commons.hashes.operationId);
    const [to = ""] = this.#system.honest.map((validator) => validator.name);
    const correct = setting.correctClients.has(this.#system.compiled.directory.account(named.client));
    this.#translator.submitted?.(named.client, id, named.submission, to, correct);
  }

  #signedByByzantine(system: System, body: StatementContent): ReturnType<System["byzantine"]["sign"]> {
    const signedMessage = system.byzantine.sign(body);
    const { name, key } = system.byzantine;
    this.#judges.signed?.(byzantineView(name, key), body, system.compiled.commons.authenticator.digest(body));
    return signedMessage;
  }

  #watcher(validator: number): Watcher {
    const { name, key } = this.#system.honest[validator] as Participant;
    const { authenticator } = this.#system.compiled.commons;
    const timers = this.#timers[validator] as Map<string, number>;
    let state: unknown;
    const view = (): NodeView => ({ ...byzantineView(name, key), honest: true, state });
    return {
      stepped: (now, input, outputs) => {
        state = now;
        if (input.type === "timer") timers.delete(input.name);
        this.#listener?.takes(name, input);
        this.#translator.stepped?.(view(), input, outputs);
      },
      signed: ({ body, reason }) => this.#translator.signed?.(view(), body, authenticator.digest(body), reason),
      carriedOut: (output) => {
        this.#listener?.carriedOut(name, key, output);
        if (output.type === "setTimer") timers.set(output.name, output.at);
        if (output.type === "cancelTimer") timers.delete(output.name);
        this.#translator.carriedOut?.(view(), output);
      },
      crashed: () => {
        timers.clear();
        this.#translator.crashed?.(view());
      },
      restarted: (now, records) => {
        state = now;
        this.#translator.restarted?.(view(), records, false);
      },
    };
  }
}
