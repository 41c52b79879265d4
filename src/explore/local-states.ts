/** Local states of one validator, each once, with the edges that transitions lead along. */
import { entryOf } from "../core/base/entry.ts";
import { contradictionIn, type Standing, standingOf } from "./checks.ts";
import { checksumWith, normalize } from "./fingerprint.ts";
import { type EnabledClass, SignedSets } from "./guard.ts";
import type { Journal, StateReached } from "./journal.ts";
import { type Learning, UnknownStep } from "./learning.ts";
import { type CrashPoint, initialState, type LocalState, NO_INPUT, type NumberStatement } from "./local-state.ts";
import { type Effects, type Memories, NO_TRANSITION } from "./memories.ts";
import type { StatementTable } from "./statements.ts";
import { type Reached, Steps } from "./steps.ts";
import type { System } from "./system.ts";
import {
  addEdge,
  type Edge,
  edgesFromInts,
  edgesToInts,
  type KnownEdges,
  noEdges,
  type TransitionTable,
} from "./transition.ts";
import type { Trial, TrialLog } from "./trials.ts";

interface KnownState extends KnownEdges {
  readonly localState: LocalState;
  /** Number of its memory. */
  readonly memory: number;
  readonly standing: Standing;
}

/** Edges of some local states: their numbers, and `edgesToInts` of them. */
export type EdgeChanges = Readonly<{ ids: Int32Array; edges: Int32Array }>;

/** Local states of one validator. */
export class LocalStates {
  readonly #by: number;
  readonly #participant: System["honest"][number];
  readonly #journal: Journal;
  readonly #statements: StatementTable;
  readonly #number: NumberStatement;
  readonly #memories: Memories;
  readonly #steps: Steps;
  readonly #fingerprintNumbers: Map<string, number>;
  readonly #fingerprintNumberOf: number[] = [];
  readonly #transitions: TransitionTable;
  readonly #crashes: number;
  readonly #ids = new Map<string, number>();
  readonly #known: KnownState[] = [];
  readonly #learning: Learning;
  readonly #trials: TrialLog;
  /** Local states whose edges changed since `takeChanged`. */
  readonly #changed = new Set<number>();
  readonly #signed = new SignedSets();
  readonly #contradictions = new Map<number, string | undefined>();
  /** Number of inputs processed, those with known effects included. */
  steps = 0;
  /** Checksum of 32 bits over all local states in order; it differs between programs. */
  checksum = 0;

  /** `by` is the validator's index among the honest ones. */
  constructor(
    by: number,
    participant: System["honest"][number],
    parts: {
      readonly journal: Journal;
      readonly statements: StatementTable;
      readonly memories: Memories;
      /** Shared by validators that behave alike. */
      readonly effects: Effects;
      /** Numbers of fingerprints, shared by all validators. */
      readonly fingerprintNumbers: Map<string, number>;
      readonly transitions: TransitionTable;
      readonly crashes: number;
      readonly drain: () => void;
      readonly learning: Learning;
      readonly trials: TrialLog;
    },
  ) {
    this.#by = by;
    this.#participant = participant;
    this.#journal = parts.journal;
    this.#statements = parts.statements;
    this.#number = (message, sign) => parts.statements.numberOf(by, message, sign);
    this.#memories = parts.memories;
    this.#steps = new Steps(by, participant, parts);
    this.#fingerprintNumbers = parts.fingerprintNumbers;
    this.#transitions = parts.transitions;
    this.#crashes = parts.crashes;
    this.#learning = parts.learning;
    this.#trials = parts.trials;
  }

  get size(): number {
    return this.#known.length;
  }

  /** Repeats a step of a journal. @throws RangeError if it reaches no new local state, as it did in another program. */
  again({ from, transition, crashPoint }: StateReached): void {
    const inputs = transition === undefined ? [NO_INPUT] : this.#transitions.inputsMade(transition);
    const size = this.size;
    const reached = this.#steps.take(this.#entry(from), inputs, transition, crashPoint);
    if (this.#reach(reached, from, transition, crashPoint) !== size)
      throw new RangeError(`a step from local state ${from} reaches no new local state`);
  }

  /** Returns the known edges of all local states as numbers, equal however many replicas found them. */
  edges(): Int32Array {
    for (const known of this.#known) this.#growDisabled(known);
    return edgesToInts(this.#known);
  }

  /** Restores the edges of the existing local states. @throws RangeError if they belong to others. */
  resume(edges: Int32Array, steps: number): void {
    const all = [...edgesFromInts(edges)];
    if (all.length !== this.size)
      throw new RangeError(`expected the edges of ${this.size} local states, got ${all.length}`);
    for (const [id, one] of all.entries()) this.#known[id] = { ...this.#entry(id), ...one };
    this.steps = steps;
  }

  /** Returns the number of the initial local state. */
  first(): number {
    const { state, ...rest } = initialState(this.#participant, this.#number);
    const localState = { state: normalize(state), ...rest };
    return this.#intern(localState, this.#memories.numberOf(localState));
  }

  localState(id: number): LocalState {
    return this.#entry(id).localState;
  }

  /** Returns the same number for equal local states of different validators. */
  fingerprintNumberOf(id: number): number {
    return this.#fingerprintNumberOf[id] as number;
  }

  /** Returns the parts of a local state that are checked. */
  standing(id: number): Standing {
    return this.#entry(id).standing;
  }

  /** Returns the contradiction between the statements of a local state and those of a later one. */
  contradiction(before: number, now: number): string | undefined {
    const key = before * 2 ** 26 + now;
    if (this.#contradictions.has(key)) return this.#contradictions.get(key);
    const { signed } = this.localState(before);
    const found = contradictionIn(this.#statements, signed, this.localState(now).signed);
    this.#contradictions.set(key, found);
    return found;
  }

  crashesOf(id: number): number {
    return this.#entry(id).localState.crashes;
  }

  /** Adds the bits of the statements signed in a local state. */
  addSigned(id: number, bits: Int32Array): void {
    this.#signed.addTo(bits, id);
  }

  /** Returns true if two local states have the same signed statements. */
  haveEqualSignatures(one: number, other: number): boolean {
    return this.#signed.areAlike(one, other);
  }

  /** Reports the edges of a local state under the enabled transitions, in a fixed order. */
  forEachEdge(id: number, enabledClass: EnabledClass, report: (edge: Edge) => void): void {
    const known = this.#entry(id);
    this.#growDisabled(known);
    if (known.disabled.length > 0) this.#try(id, known, enabledClass);
    if (!known.hasCrashed && known.localState.crashes < this.#crashes) this.#crashAtRest(id, known);
    for (const edge of known.edges) {
      if (edge.transitions.length === 0) report(edge);
      for (const transition of edge.transitions) {
        if (!enabledClass.enables(transition)) continue;
        report(edge);
        break;
      }
    }
  }

  /**
   * Tries transitions that are enabled here for the first time; those without effect are not tried again.
   * @throws UnknownStep in a replica that knows some of their steps only, after it has tried all
   */
  #try(id: number, known: KnownState, enabledClass: EnabledClass): void {
    const left: number[] = [];
    let unknown: UnknownStep | undefined;
    for (const transition of known.disabled) {
      if (!enabledClass.enables(transition)) left.push(transition);
      else {
        const trial = this.#attemptKnown(id, known, transition, enabledClass.signed);
        if (trial instanceof UnknownStep) {
          unknown = trial;
          left.push(transition);
        } else this.#note(trial);
      }
    }
    known.disabled = left;
    if (unknown !== undefined) throw unknown;
  }

  #attemptKnown(from: number, known: KnownState, transition: number, signed: Int32Array): Trial | UnknownStep {
    try {
      return this.#attempt(from, known, transition, signed);
    } catch (error) {
      if (error instanceof UnknownStep) return error;
      throw error;
    }
  }

  /** Takes the steps of a transition, with every crash. */
  #attempt(from: number, known: KnownState, transition: number, signed: Int32Array): Trial {
    const inputs = this.#transitions.inputs(transition, signed);
    const whole = this.#steps.take(known, inputs, transition, undefined);
    const next = this.#reach(whole, from, transition, undefined);
    const crashPoints = known.localState.crashes >= this.#crashes ? [] : whole.crashPoints;
    const crashes = crashPoints.map((crashPoint) => ({
      crashPoint,
      next: this.#reach(this.#steps.take(known, inputs, transition, crashPoint), from, transition, crashPoint),
    }));
    return { by: this.#by, from, transition, steps: inputs.length * (1 + crashes.length), next, crashes };
  }

  /** Adds the edges of a trial. */
  #note(trial: Trial): void {
    const { from, transition, steps, next, crashes } = trial;
    const known = this.#entry(from);
    const number = transition === NO_TRANSITION ? undefined : transition;
    this.steps += steps;
    if (next !== from) addEdge(known, next, undefined, number);
    for (const { crashPoint, next: crashed } of crashes)
      if (number !== undefined || crashed !== from) addEdge(known, crashed, crashPoint, number);
    this.#changed.add(from);
    this.#trials.add(trial);
  }

  /** Takes over a trial that a replica has made, if it was not made here before. */
  accept(trial: Trial): void {
    const known = this.#entry(trial.from);
    if (trial.transition === NO_TRANSITION) {
      if (known.hasCrashed) return;
      known.hasCrashed = true;
    } else {
      this.#growDisabled(known);
      const at = known.disabled.indexOf(trial.transition);
      if (at < 0) return;
      known.disabled.splice(at, 1);
    }
    this.#note(trial);
  }

  #growDisabled(known: KnownState): void {
    const count = this.#transitions.all.length;
    for (; known.transitionsKnown < count; known.transitionsKnown++) known.disabled.push(known.transitionsKnown);
  }

  /** Returns the numbers and edges of the local states whose edges have changed since the last call, or of all. */
  takeChanged(isAll: boolean): EdgeChanges {
    const ids = isAll ? Int32Array.from(this.#known.keys()) : Int32Array.from(this.#changed);
    this.#changed.clear();
    return { ids, edges: edgesToInts(Array.from(ids, (id) => this.#entry(id))) };
  }

  /** Takes over what `takeChanged` returned elsewhere. */
  change({ ids, edges }: EdgeChanges): void {
    let at = 0;
    for (const one of edgesFromInts(edges)) {
      const id = ids[at++] as number;
      this.#known[id] = { ...this.#entry(id), ...one };
    }
  }

  /** Returns the number of the local state that a step reached, and logs it if it is new. */
  #reach(
    { localState, memory }: Reached,
    from: number,
    transition: number | undefined,
    crashPoint: CrashPoint | undefined,
  ): number {
    const before = this.#entry(from);
    if (memory === before.memory && localState.signed === before.localState.signed && crashPoint === undefined)
      return from;
    const size = this.size;
    const id = this.#intern(localState, memory);
    if (id === size) this.#journal.stateReached(this.#by, from, transition, crashPoint);
    return id;
  }

  #crashAtRest(from: number, known: KnownState): void {
    const crashPoint: CrashPoint = { input: 0, outputs: 0 };
    const next = this.#reach(this.#steps.take(known, [NO_INPUT], undefined, crashPoint), from, undefined, crashPoint);
    known.hasCrashed = true;
    const crashes = [{ crashPoint, next }];
    this.#note({ by: this.#by, from, transition: NO_TRANSITION, steps: 1, next: from, crashes });
  }

  #entry(id: number): KnownState {
    const known = this.#known[id];
    if (known === undefined) throw new RangeError(`no local state has the number ${id}`);
    return known;
  }

  /** Returns the number of a local state in normal form. */
  #intern(localState: LocalState, memory: number): number {
    const kinds = localState.signed.map((number) => this.#statements.get(number).kind).sort((a, b) => a - b);
    const text = `${memory} ${localState.crashes} ${kinds.join()}`;
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    this.#learning.begin();
    const id = this.#known.length;
    this.#ids.set(text, id);
    this.#fingerprintNumberOf.push(entryOf(this.#fingerprintNumbers, text, () => this.#fingerprintNumbers.size));
    this.#known.push({ localState, memory, standing: standingOf(localState), ...noEdges() });
    this.#steps.hold(memory, localState);
    this.checksum = checksumWith(this.checksum, `${text} ${this.#memories.textOf(memory)}`);
    this.#signed.note(id, localState.signed);
    return id;
  }
}
