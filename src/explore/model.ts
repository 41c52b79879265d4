/** The explored model: components of a global state, their transitions and invariants. */
import type { Scenario } from "../scenario/scenario.ts";
import { type CheckContext, type CheckFailure, failureInSignatures, failureInState } from "./checks.ts";
import { enabledTransitions, Formed, knowledgeOf } from "./enabled-transitions.ts";
import { Fingerprints } from "./fingerprint.ts";
import { type FinalFact, FirstSubmissions, factsOf } from "./first-submissions.ts";
import { EnabledClass, EnabledClasses, type GuardTree } from "./guard.ts";
import { InvisibleSteps, type Successors } from "./invisible-steps.ts";
import { eventsIn, Journal } from "./journal.ts";
import { Learning } from "./learning.ts";
import { SET_WORDS } from "./limits.ts";
import { Liveness, type LivenessMode } from "./liveness.ts";
import type { LocalState, PathStep } from "./local-state.ts";
import { type EdgeChanges, LocalStates } from "./local-states.ts";
import { Effects, Memories } from "./memories.ts";
import type { DecidableValue, NetworkKnowledge } from "./network-knowledge.ts";
import { StatementTable } from "./statements.ts";
import { type System, type SystemOptions, systemOf } from "./system.ts";
import { type Edge, TransitionTable } from "./transition.ts";
import { type Trial, TrialLog } from "./trials.ts";
import { accountValues, interchangeableIn } from "./values.ts";

/** Label of a crash without inputs. */
export const CRASHED = "a crash";

/** Name of the clients in a path. */
export const CLIENTS = "the clients";

export interface ModelOptions extends SystemOptions {
  /** False to disable symmetry reduction (values.ts); default: true. */
  readonly symmetric?: boolean;
  /** False to count invisible steps as states (invisible-steps.ts); default: true. */
  readonly delays?: boolean;
  /** States that are continued (liveness.ts); default: none. */
  readonly liveness?: LivenessMode;
  /** True for a replica (replica.ts); default: false. */
  readonly isReplica?: boolean;
}

/** Everything that a model has learned since the last update of its replicas. */
export interface ModelUpdate {
  /** Events of the journal. */
  readonly journal: Int32Array;
  /** By validator. */
  readonly edges: readonly EdgeChanges[];
  /** Numbers that are equal in a replica with this update. */
  readonly checksums: Int32Array;
}

/** Index of the step counts in a saved search, behind two other counts. */
const STEPS_AT = 2;

/** Honest validators and, last, the clients: a global state has one number for each. */
export class Model {
  readonly system: System;
  readonly #learning = new Learning();
  readonly #trials: TrialLog;
  readonly statements: StatementTable = new StatementTable(this.#learning);
  readonly #journal = new Journal();
  readonly transitionTable: TransitionTable = new TransitionTable(this.#journal, this.#learning);
  readonly localStates: readonly LocalStates[];
  readonly #invisibleSteps: readonly InvisibleSteps<CheckFailure>[];
  readonly #enabledClasses = new EnabledClasses(0, 2);
  readonly #classesWithoutByzantine = new EnabledClasses(1, 2);
  readonly #clients: FirstSubmissions;
  readonly #formed = new Formed();
  readonly #values: readonly DecidableValue[];
  readonly #interchangeable: readonly number[];
  readonly #enabledClass: EnabledClass = new EnabledClass(emptyBits(), this.transitionTable.guards);
  /** The same signatures, while the Byzantine validator is silent. */
  readonly #enabledWithoutByzantine: EnabledClass = new EnabledClass(
    this.#enabledClass.signed,
    this.transitionTable.silentGuards,
  );
  readonly #liveness: Liveness | undefined;
  readonly #mode: LivenessMode;
  #knowledge: NetworkKnowledge;
  #facts: readonly FinalFact[] = [];
  #factTrees: readonly GuardTree[] = [];
  /** Contexts of the checks, by validator. */
  #contexts: readonly CheckContext[] = [];
  #learned = -1;
  /** End of the journal, and number of statements, at the last update. */
  #updated = { journal: 0, learned: -1 };

  /** @throws NotExplorable for a scenario with unsupported features. */
  constructor(scenario: Scenario, options: ModelOptions) {
    this.system = systemOf(scenario, options);
    const { crashes } = options.bounds;
    this.#interchangeable = options.symmetric === false ? [] : interchangeableIn(this.system);
    const liveness = new Liveness(this.system, this.#interchangeable);
    this.#mode = liveness.hasDemands ? (options.liveness ?? "off") : "off";
    this.#liveness = this.#mode === "off" ? undefined : liveness;
    this.#trials = new TrialLog(options.isReplica ?? false);
    const [learning, trials] = [this.#learning, this.#trials];
    const memories = new Memories(new Fingerprints(crashes > 0), learning);
    const commonEffects = new Effects();
    const fingerprintNumbers = new Map<string, number>();
    const { statements, transitionTable: transitions } = this;
    this.localStates = this.system.honest.map((participant, by) => {
      const effects = this.#interchangeable.includes(by) ? commonEffects : new Effects();
      return new LocalStates(by, participant, {
        journal: this.#journal,
        statements,
        memories,
        effects,
        fingerprintNumbers,
        transitions,
        crashes,
        drain: () => this.learn(),
        learning,
        trials,
      });
    });
    this.#invisibleSteps = this.localStates.map(
      (localStates, by) =>
        new InvisibleSteps(localStates, options.delays ?? true, (localState, signed) =>
          failureInState(this.#contexts[by] as CheckContext, localStates.standing(localState), signed),
        ),
    );
    this.#clients = new FirstSubmissions(this.system, this.statements);
    this.#values = accountValues(this.system, this.#clients.release);
    this.#knowledge = knowledgeOf(this.system, this.statements, this.#values, this.#formed);
    this.learn();
  }

  /** Returns the journal, the known edges and checksums that detect another program, as numbers. */
  keep(): readonly Int32Array[] {
    return [this.#checksums(), this.#journal.ints(), ...this.localStates.map((one) => one.edges())];
  }

  /** Restores what `keep` returned, right after `first()`. @throws RangeError if another program saved it. */
  resume([checksums, journal, ...edges]: readonly Int32Array[]): void {
    this.#repeat(journal ?? emptyBits());
    for (const [by, localStates] of this.localStates.entries())
      localStates.resume(edges[by] ?? new Int32Array(0), checksums?.[STEPS_AT + by] ?? 0);
    if (String(this.#checksums()) !== String(checksums))
      throw new RangeError("its local states are not those of this program");
  }

  #repeat(journal: Int32Array): void {
    for (const event of eventsIn(journal)) {
      if (event.type === "inputsMade") this.transitionTable.inputs(event.transition, event.signed);
      else this.#localStatesOf(event.by).again(event);
    }
  }

  /** Returns what replicas lack since the last call; `undefined` for nothing. */
  update(): ModelUpdate | undefined {
    // With each statement guards change, and what replicas found out before is not taken over.
    const isAll = this.#updated.learned !== this.#learned;
    const edges = this.localStates.map((one) => one.takeChanged(isAll));
    const journal = this.#journal.ints(this.#updated.journal);
    if (!isAll && journal.length === 0 && edges.every(({ ids }) => ids.length === 0)) return undefined;
    this.#updated = { journal: this.#journal.length, learned: this.#learned };
    return { journal, edges, checksums: this.#numbered() };
  }

  /**
   * Takes over an update, the next one after those before; from now on only updates number anything. @throws RangeError
   * if this model is no replica of the updated one.
   */
  takeUpdate({ journal, edges, checksums }: ModelUpdate): void {
    this.#learning.isAllowed = true;
    this.#repeat(journal);
    this.#learning.isAllowed = false;
    for (const [by, localStates] of this.localStates.entries()) localStates.change(edges[by] as EdgeChanges);
    if (String(this.#numbered()) !== String(checksums)) throw new RangeError("a replica differs from its model");
  }

  /** Number of statements that successors were computed with. */
  get learned(): number {
    return this.#learned;
  }

  /** Returns the trials of a replica since the last call. */
  takeTrials(): readonly number[] {
    return this.#trials.take();
  }

  /** Takes over a trial of a replica. */
  accept(trial: Trial): void {
    this.#localStatesOf(trial.by).accept(trial);
  }

  /** Returns counts, the steps of each validator, and checksums. */
  #checksums(): Int32Array {
    const [statements = 0, transitions = 0, ...sizes] = this.#numbered();
    return Int32Array.from([statements, transitions, ...this.localStates.map(({ steps }) => steps), ...sizes]);
  }

  /** Returns the counts of all that is numbered, and checksums of the local states. */
  #numbered(): Int32Array {
    const sizes = this.localStates.flatMap(({ size, checksum }) => [size, checksum]);
    return Int32Array.of(this.statements.all.length, this.transitionTable.all.length, ...sizes);
  }

  /**
   * Writes the canonical form of a state: equal for states that differ by a permutation of interchangeable validators.
   */
  canonical(state: Int32Array, key: Int32Array): void {
    for (let part = 0; part < state.length; part++) key[part] = state[part] as number;
    const interchangeable = this.#interchangeable;
    // Insertion sort: there are few elements, and this runs at every lookup of a state.
    for (let index = 0; index < interchangeable.length; index++) {
      const by = interchangeable[index] as number;
      const number = this.#localStatesOf(by).fingerprintNumberOf(state[by] as number);
      let at = index;
      for (; at > 0 && (key[interchangeable[at - 1] as number] as number) > number; at--)
        key[interchangeable[at] as number] = key[interchangeable[at - 1] as number] as number;
      key[interchangeable[at] as number] = number;
    }
  }

  /** Numbers in a state. */
  get width(): number {
    return this.localStates.length + 1;
  }

  first(): Int32Array {
    return Int32Array.from([...this.localStates.map((one) => one.first()), this.#clients.first()]);
  }

  /** Writes the signatures of all honest validators in a state as a bit set. */
  signedIn(state: Int32Array, signed: Int32Array): void {
    signed.fill(0);
    for (let by = 0; by < this.localStates.length; by++) this.#localStatesOf(by).addSigned(state[by] as number, signed);
    this.#clients.addSigned(state[this.localStates.length] as number, signed);
  }

  /** Returns the number of crashes in a state. */
  crashesIn(state: Int32Array): number {
    if (this.system.bounds.crashes === 0) return 0;
    return this.localStates.reduce((sum, one, by) => sum + one.crashesOf(state[by] as number), 0);
  }

  /** Selects the state that later calls refer to. */
  select(state: Int32Array): void {
    this.signedIn(state, this.#enabledClass.signed);
    this.#computeEnabled();
  }

  /** Returns the successors of one component of the selected state, computed with the knowledge at the end. */
  successors(by: number, part: number): Successors<CheckFailure> {
    for (;;) {
      const learned = this.#learned;
      const successors = this.#successorsIn(this.#enabledClass, by, part);
      if (learned === this.#learned) return successors;
      this.#computeEnabled();
    }
  }

  #successorsIn(enabledClass: EnabledClass, by: number, part: number): Successors<CheckFailure> {
    const invisibleSteps = this.#invisibleSteps[by];
    if (invisibleSteps === undefined)
      return { steps: this.#clients.successors(part, enabledClass.signed), failure: undefined };
    return invisibleSteps.successors(part, enabledClass);
  }

  /** Describes unmet demands of a fair run without further faults from the selected state (liveness.ts). */
  stallIn(state: Int32Array): CheckFailure | undefined {
    if (this.#liveness === undefined || (this.#mode === "resting" && !this.#isAtRest(state))) return undefined;
    const text = this.#liveness.stallOf(this.#localStatesIn(state), this.#knowledge.values);
    return text === undefined ? undefined : { check: "liveness", text };
  }

  /** Number of states whose continuations this model has run. */
  get continued(): number {
    return this.#liveness?.continued ?? 0;
  }

  /** Notes that a fair run from a state meets all demands, as a replica found out. */
  noteLive(state: Int32Array): void {
    this.#liveness?.noteLive(this.#localStatesIn(state));
  }

  #localStatesIn(state: Int32Array): readonly LocalState[] {
    return this.localStates.map((one, by) => one.localState(state[by] as number));
  }

  /** Returns true if no honest validator can sign anything more while the Byzantine one is silent. */
  #isAtRest(state: Int32Array): boolean {
    for (;;) {
      const learned = this.#learned;
      this.#enabledWithoutByzantine.compute(this.#factTrees, this.#classesWithoutByzantine);
      const isResting = (part: number, by: number): boolean =>
        this.#successorsIn(this.#enabledWithoutByzantine, by, part).steps.every(({ isCrash }) => isCrash);
      const isAtRest = state.every(isResting);
      if (learned === this.#learned) return isAtRest;
    }
  }

  /** Returns the steps between two numbers of a component in the selected state. */
  steps(by: number, from: number, to: number): readonly PathStep[] {
    const who = this.nameOf(by);
    const invisibleSteps = this.#invisibleSteps[by];
    if (invisibleSteps === undefined) return [{ who, what: this.#clients.describe(from, to), cut: undefined }];
    return invisibleSteps
      .segments(from, to, this.#enabledClass)
      .map(({ edge }) => ({ who, what: this.#labelOf(edge), cut: edge.crashPoint }));
  }

  /** Reports the edges of one component of a state, invisible steps included. */
  forEachEdge(by: number, part: number, signed: Int32Array, report: (edge: Edge) => void): void {
    this.#enabledClass.signed.set(signed);
    this.#computeEnabled();
    if (by === this.localStates.length) this.#clients.forEachEdge(part, signed, report);
    else this.#localStatesOf(by).forEachEdge(part, this.#enabledClass, report);
  }

  /** Returns the check that a state fails after a step of component `by`. `signed` is scratch. */
  check(state: Int32Array, by: number, from: number, signed: Int32Array): CheckFailure | undefined {
    if (by === this.localStates.length) return undefined;
    const localStates = this.#localStatesOf(by);
    const to = state[by] as number;
    this.signedIn(state, signed);
    const context = this.#contexts[by] as CheckContext;
    const failure = localStates.haveEqualSignatures(from, to)
      ? undefined
      : failureInSignatures(context, localStates.contradiction(from, to), signed);
    return failure ?? failureInState(context, localStates.standing(to), signed);
  }

  nameOf(by: number): string {
    return by === this.localStates.length ? CLIENTS : (this.system.honest[by] as System["honest"][number]).name;
  }

  /** Returns the label of an enabled transition of an edge, or that of a crash. */
  #labelOf({ transitions }: Edge): string {
    const transition = transitions.find((number) => this.#enabledClass.enables(number));
    return transition === undefined ? CRASHED : (this.transitionTable.all[transition]?.label ?? "");
  }

  /** Updates transitions and facts after new statements. */
  learn(): void {
    this.system.compiled.log.drain();
    if (this.#learned === this.statements.all.length) return;
    this.#learned = this.statements.all.length;
    this.#knowledge = knowledgeOf(this.system, this.statements, this.#values, this.#formed);
    this.#facts = factsOf(this.#knowledge);
    this.#factTrees = this.#facts.map(({ tree }) => tree);
    const [knowledge, facts, clients] = [this.#knowledge, this.#facts, this.#clients];
    this.#contexts = this.system.honest.map(({ name }) => ({ knowledge, facts, clients, name }));
    this.#clients.learn(this.#knowledge, this.#facts);
    this.transitionTable.update(enabledTransitions(this.#knowledge, this.#clients.release));
    if (this.#mode === "resting")
      this.transitionTable.updateWithoutByzantine(
        enabledTransitions(this.#knowledgeWithoutByzantine(), this.#clients.release),
      );
    this.#enabledClasses.clear();
    this.#classesWithoutByzantine.clear();
    for (const invisibleSteps of this.#invisibleSteps) invisibleSteps.clear();
  }

  #knowledgeWithoutByzantine(): NetworkKnowledge {
    return knowledgeOf(this.system, this.statements, this.#values, this.#formed, true);
  }

  /** Computes the class of enabled transitions with the current knowledge. */
  #computeEnabled(): void {
    this.#enabledClass.compute(this.#factTrees, this.#enabledClasses);
  }

  #localStatesOf(by: number): LocalStates {
    const localStates = this.localStates[by];
    if (localStates === undefined) throw new RangeError(`no honest validator has the index ${by}`);
    return localStates;
  }
}

/** Returns an empty bit set of statements. */
export function emptyBits(): Int32Array {
  return new Int32Array(SET_WORDS);
}
