/** The explored model: components of a global state, their transitions and invariants. */
import type { Scenario } from "../scenario/scenario.ts";
import { type CheckContext, type CheckFailure, failureInSignatures, failureInState } from "./checks.ts";
import { Closings } from "./closings.ts";
import { enabledTransitions, knowledgeOf } from "./enabled-transitions.ts";
import { Fingerprints } from "./fingerprint.ts";
import { type FinalFact, FirstSubmissions, factsOf } from "./first-submissions.ts";
import { EnabledClass, EnabledClasses, type GuardTree } from "./guard.ts";
import { InvisibleSteps, type Successors } from "./invisible-steps.ts";
import { eventsIn, Journal } from "./journal.ts";
import { SET_WORDS } from "./limits.ts";
import { Liveness, type LivenessMode } from "./liveness.ts";
import type { NumberStatement, PathStep } from "./local-state.ts";
import { LocalStates } from "./local-states.ts";
import type { DecidableValue, NetworkKnowledge } from "./network-knowledge.ts";
import { StatementTable } from "./statements.ts";
import { type System, type SystemOptions, systemOf } from "./system.ts";
import { type Edge, TransitionTable } from "./transition.ts";
import { accountValues, interchangeableIn } from "./values.ts";

/** Label of a crash without inputs. */
export const CRASHED = "a crash";

/** Name of the clients in a path. */
export const CLIENTS = "the clients";

export interface ModelOptions extends SystemOptions {
  /** False to disable normalization of memories (fingerprint.ts); default: true. */
  readonly normalizes?: boolean;
  /** False to disable symmetry reduction (values.ts); default: true. */
  readonly symmetric?: boolean;
  /** False to count invisible steps as states (invisible-steps.ts); default: true. */
  readonly delays?: boolean;
  /** States that are continued (liveness.ts); default: none. */
  readonly liveness?: LivenessMode;
}

/** Index of the step counts in a saved search, behind two other counts. */
const STEPS_AT = 2;

/** Honest validators and, last, the clients: a global state has one number for each. */
export class Model {
  readonly system: System;
  readonly statements: StatementTable = new StatementTable();
  readonly #journal = new Journal();
  readonly transitionTable: TransitionTable = new TransitionTable(this.#journal);
  readonly localStates: readonly LocalStates[];
  readonly #silences: readonly InvisibleSteps<CheckFailure>[];
  readonly #situations = new EnabledClasses();
  readonly #clients: FirstSubmissions;
  readonly #closings = new Closings();
  readonly #values: readonly DecidableValue[];
  readonly #alike: readonly number[];
  readonly #situation: EnabledClass = new EnabledClass(emptyBits(), this.transitionTable.trees);
  /** The same signatures, while the Byzantine validator is silent. */
  readonly #silent: EnabledClass = new EnabledClass(this.#situation.signed, this.transitionTable.silentTrees);
  readonly #liveness: Liveness | undefined;
  readonly #mode: LivenessMode;
  #stage: NetworkKnowledge;
  #facts: readonly FinalFact[] = [];
  #factTrees: readonly GuardTree[] = [];
  #learned = -1;

  /** @throws NotExplorable for a scenario with unsupported features. */
  constructor(scenario: Scenario, options: ModelOptions) {
    this.system = systemOf(scenario, options);
    const { crashes } = options.bounds;
    const liveness = new Liveness(this.system, this.statements);
    this.#mode = liveness.hasDemands ? (options.liveness ?? "off") : "off";
    this.#liveness = this.#mode === "off" ? undefined : liveness;
    const fingerprints = new Fingerprints(this.statements, crashes > 0);
    const textNumbers = new Map<string, number>();
    const { transitionTable: transitions } = this;
    const drain = (): void => this.learn();
    this.localStates = this.system.honest.map((participant, by) => {
      const number: NumberStatement = (message) => this.statements.numberOf(by, message);
      return new LocalStates(by, participant, {
        journal: this.#journal,
        number,
        fingerprints,
        textNumbers,
        transitions,
        crashes,
        normalizes: options.normalizes ?? true,
        drain,
      });
    });
    this.#silences = this.localStates.map(
      (localStates, by) =>
        new InvisibleSteps(localStates, options.delays ?? true, (localState, signed) =>
          failureInState(this.#known(by), localStates.life(localState), signed),
        ),
    );
    this.#clients = new FirstSubmissions(this.system, this.statements);
    this.#values = accountValues(this.system, this.#clients.release);
    this.#stage = knowledgeOf(this.system, this.statements, this.#values, this.#closings);
    this.#alike = options.symmetric === false ? [] : interchangeableIn(this.system);
    this.learn();
  }

  /** Returns the journal, the known edges and checksums that detect another program, as numbers. */
  keep(): readonly Int32Array[] {
    return [this.#signs(), this.#journal.ints(), ...this.localStates.map((one) => one.edges())];
  }

  /** Restores what `keep` returned, right after `first()`. @throws RangeError if another program saved it. */
  resume([signs, journal, ...edges]: readonly Int32Array[]): void {
    for (const event of eventsIn(journal ?? emptyBits())) {
      if (event.type === "built") this.transitionTable.inputs(event.transition, event.signed);
      else this.#livesOf(event.by).again(event);
    }
    for (const [by, localStates] of this.localStates.entries())
      localStates.resume(edges[by] ?? new Int32Array(0), signs?.[STEPS_AT + by] ?? 0);
    if (String(this.#signs()) !== String(signs)) throw new RangeError("its local states are not those of this program");
  }

  /** Returns counts, the steps of each validator, and checksums. */
  #signs(): Int32Array {
    const counts = [this.statements.all.length, this.transitionTable.all.length];
    return Int32Array.from([
      ...counts,
      ...this.localStates.map(({ steps }) => steps),
      ...this.localStates.flatMap(({ size, checksum }) => [size, checksum]),
    ]);
  }

  /**
   * Writes the canonical form of a state: equal for states that differ by a permutation of interchangeable validators.
   */
  canonical(state: Int32Array, key: Int32Array): void {
    for (let part = 0; part < state.length; part++) key[part] = state[part] as number;
    const alike = this.#alike;
    // Insertion sort: there are few elements, and this runs at every lookup of a state.
    for (let index = 0; index < alike.length; index++) {
      const by = alike[index] as number;
      const textNumbers = this.#livesOf(by).textNumberOf(state[by] as number);
      let at = index;
      for (; at > 0 && (key[alike[at - 1] as number] as number) > textNumbers; at--)
        key[alike[at] as number] = key[alike[at - 1] as number] as number;
      key[alike[at] as number] = textNumbers;
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
  signedIn(state: Int32Array, text: Int32Array): void {
    text.fill(0);
    for (let by = 0; by < this.localStates.length; by++) this.#livesOf(by).addSaid(state[by] as number, text);
    this.#clients.addSaid(state[this.localStates.length] as number, text);
  }

  /** Returns the number of crashes in a state. */
  crashesIn(state: Int32Array): number {
    if (this.system.bounds.crashes === 0) return 0;
    return this.localStates.reduce((sum, one, by) => sum + one.crashesOf(state[by] as number), 0);
  }

  /** Selects the state that later calls refer to. */
  look(state: Int32Array): void {
    this.signedIn(state, this.#situation.signed);
    this.#find();
  }

  /** Returns the successors of one component of the selected state, computed with the knowledge at the end. */
  successors(by: number, part: number): Successors<CheckFailure> {
    for (;;) {
      const learned = this.#learned;
      const successors = this.#outlookIn(this.#situation, by, part);
      if (learned === this.#learned) return successors;
      this.#find();
    }
  }

  #outlookIn(enabledClass: EnabledClass, by: number, part: number): Successors<CheckFailure> {
    const silence = this.#silences[by];
    if (silence === undefined) return { steps: this.#clients.turns(part, enabledClass.signed), failure: undefined };
    return silence.successors(part, enabledClass);
  }

  /** Describes unmet demands of a fair run without further faults from the selected state (liveness.ts). */
  stallIn(state: Int32Array): CheckFailure | undefined {
    if (this.#liveness === undefined || (this.#mode === "resting" && !this.#isAtRest(state))) return undefined;
    const localStates = this.localStates.map((one, by) => one.life(state[by] as number));
    const text = this.#liveness.stallOf(localStates, this.#stage.values);
    return text === undefined ? undefined : { check: "liveness", text };
  }

  /** Returns true if no honest validator can sign anything more while the Byzantine one is silent. */
  #isAtRest(state: Int32Array): boolean {
    for (;;) {
      const learned = this.#learned;
      this.#find();
      this.#silent.compute(this.#factTrees, this.#situations);
      const isResting = (part: number, by: number): boolean =>
        this.#outlookIn(this.#silent, by, part).steps.every(({ isCrash }) => isCrash);
      const isAtRest = state.every(isResting);
      if (learned === this.#learned) return isAtRest;
    }
  }

  /** Returns the steps between two numbers of a component in the selected state. */
  steps(by: number, from: number, to: number): readonly PathStep[] {
    const who = this.nameOf(by);
    const silence = this.#silences[by];
    if (silence === undefined) return [{ who, what: this.#clients.told(from, to), cut: undefined }];
    return silence
      .segments(from, to, this.#situation)
      .map(({ edge }) => ({ who, what: this.#told(edge), cut: edge.crashPoint }));
  }

  /** Reports the edges of one component of a state, invisible steps included. */
  onwards(by: number, part: number, signed: Int32Array, heard: (edge: Edge) => void): void {
    this.#situation.signed.set(signed);
    this.#find();
    if (by === this.localStates.length) this.#clients.onwards(part, signed, heard);
    else this.#livesOf(by).onwards(part, this.#situation, heard);
  }

  /** Returns the check that a state fails after a step of component `by`. `words` is scratch. */
  check(state: Int32Array, by: number, from: number, text: Int32Array): CheckFailure | undefined {
    if (by === this.localStates.length) return undefined;
    const localStates = this.#livesOf(by);
    const to = state[by] as number;
    this.signedIn(state, text);
    const said = localStates.haveSignedTheSame(from, to)
      ? undefined
      : failureInSignatures(this.#known(by), localStates.life(from), localStates.life(to), text);
    return said ?? failureInState(this.#known(by), localStates.life(to), text);
  }

  #known(by: number): CheckContext {
    const [knowledge, facts] = [this.#stage, this.#facts];
    return { stage: knowledge, facts, clients: this.#clients, name: this.nameOf(by) };
  }

  nameOf(by: number): string {
    return by === this.localStates.length ? CLIENTS : (this.system.honest[by] as System["honest"][number]).name;
  }

  /** Returns the label of an enabled transition of an edge, or that of a crash. */
  #told({ transitions }: Edge): string {
    const transition = transitions.find((number) => this.#situation.enables(number));
    return transition === undefined ? CRASHED : (this.transitionTable.all[transition]?.label ?? "");
  }

  /** Updates transitions and facts after new statements. */
  learn(): void {
    this.system.compiled.log.drain();
    if (this.#learned === this.statements.all.length) return;
    this.#learned = this.statements.all.length;
    this.#stage = knowledgeOf(this.system, this.statements, this.#values, this.#closings);
    this.#facts = factsOf(this.#stage);
    this.#factTrees = this.#facts.map(({ tree }) => tree);
    this.#clients.learn(this.#stage, this.#facts);
    this.transitionTable.update(enabledTransitions(this.#stage, this.#clients.release));
    if (this.#mode === "resting")
      this.transitionTable.updateWithoutByzantine(enabledTransitions(this.#silentStage(), this.#clients.release));
    this.#situations.clear();
    for (const silence of this.#silences) silence.clear();
  }

  #silentStage(): NetworkKnowledge {
    return knowledgeOf(this.system, this.statements, this.#values, this.#closings, true);
  }

  /** Computes the class of enabled transitions with the current knowledge. */
  #find(): void {
    this.#situation.compute(this.#factTrees, this.#situations);
  }

  #livesOf(by: number): LocalStates {
    const localStates = this.localStates[by];
    if (localStates === undefined) throw new RangeError(`no honest validator has the index ${by}`);
    return localStates;
  }
}

/** Returns an empty bit set of statements. */
export function emptyBits(): Int32Array {
  return new Int32Array(SET_WORDS);
}
