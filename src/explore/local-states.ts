/** Local states of one validator, each once, with the edges that transitions lead along. */

import { checksumWith, type Fingerprints, normalize } from "./fingerprint.ts";
import { type EnabledClass, SignedSets } from "./guard.ts";
import type { Journal, StateReached } from "./journal.ts";
import {
  applyInputs,
  type CrashPoint,
  initialState,
  isInitial,
  type LocalState,
  NO_INPUT,
  type NumberStatement,
  type UntimedInput,
} from "./local-state.ts";
import type { System } from "./system.ts";
import { type Edge, edgesFromInts, edgesToInts, type KnownEdges, noEdges, type TransitionTable } from "./transition.ts";

interface KnownState extends KnownEdges {
  readonly localState: LocalState;
}

/** Local states of one validator. */
export class LocalStates {
  readonly #by: number;
  readonly #participant: System["honest"][number];
  readonly #journal: Journal;
  readonly #number: NumberStatement;
  readonly #fingerprints: Fingerprints;
  readonly #fingerprintNumbers: Map<string, number>;
  readonly #fingerprintNumberOf: number[] = [];
  readonly #transitions: TransitionTable;
  readonly #crashes: number;
  readonly #normalizes: boolean;
  readonly #ids = new Map<string, number>();
  readonly #known: KnownState[] = [];
  readonly #drain: () => void;
  readonly #signed = new SignedSets();
  /** Number of inputs processed by the real program. */
  steps = 0;
  /** Checksum of 32 bits over all local states in order; it differs between programs. */
  checksum = 0;

  /** `by` is the validator's index among the honest ones. */
  constructor(
    by: number,
    participant: System["honest"][number],
    parts: {
      readonly journal: Journal;
      readonly number: NumberStatement;
      readonly fingerprints: Fingerprints;
      /** Numbers of fingerprints, shared by all validators. */
      readonly fingerprintNumbers: Map<string, number>;
      readonly transitions: TransitionTable;
      readonly crashes: number;
      readonly normalizes: boolean;
      readonly drain: () => void;
    },
  ) {
    this.#by = by;
    this.#participant = participant;
    this.#journal = parts.journal;
    this.#number = parts.number;
    this.#fingerprints = parts.fingerprints;
    this.#fingerprintNumbers = parts.fingerprintNumbers;
    this.#transitions = parts.transitions;
    this.#crashes = parts.crashes;
    this.#normalizes = parts.normalizes;
    this.#drain = parts.drain;
  }

  get size(): number {
    return this.#known.length;
  }

  /** Repeats a step of a journal. @throws RangeError if it reaches no new local state, as it did in another program. */
  again({ from, transition, crashPoint }: StateReached): void {
    const { localState } = this.#entry(from);
    const inputs = transition === undefined ? [NO_INPUT] : this.#transitions.inputsMade(transition);
    const size = this.size;
    if (this.#reach(this.#apply(localState, inputs, crashPoint).state, from, transition, crashPoint) !== size)
      throw new RangeError(`a step from local state ${from} reaches no new local state`);
  }

  /** Returns the known edges of all local states as numbers. */
  edges(): Int32Array {
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
    return this.#intern(initialState(this.#participant, this.#number));
  }

  localState(id: number): LocalState {
    return this.#entry(id).localState;
  }

  /** Returns the same number for equal local states of different validators. */
  fingerprintNumberOf(id: number): number {
    return this.#fingerprintNumberOf[id] as number;
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
    const count = this.#transitions.all.length;
    for (; known.transitionsKnown < count; known.transitionsKnown++) known.disabled.push(known.transitionsKnown);
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

  /** Tries transitions that are enabled here for the first time; those without effect are not tried again. */
  #try(id: number, known: KnownState, enabledClass: EnabledClass): void {
    const left: number[] = [];
    for (const transition of known.disabled) {
      if (enabledClass.enables(transition)) this.#outcomes(id, known, transition, enabledClass.signed);
      else left.push(transition);
    }
    known.disabled = left;
  }

  #outcomes(id: number, known: KnownState, transition: number, signed: Int32Array): void {
    const inputs = this.#transitions.inputs(transition, signed);
    const whole = this.#apply(known.localState, inputs, undefined);
    const next = isInitial(known.localState, whole.state) ? id : this.#reach(whole.state, id, transition, undefined);
    if (next !== id) addEdge(known, next, undefined, transition);
    if (known.localState.crashes >= this.#crashes) return;
    for (const crashPoint of whole.crashPoints)
      addEdge(
        known,
        this.#reach(this.#apply(known.localState, inputs, crashPoint).state, id, transition, crashPoint),
        crashPoint,
        transition,
      );
  }

  /** Returns the number of the local state that a step reached, and logs it if it is new. */
  #reach(
    localState: LocalState,
    from: number,
    transition: number | undefined,
    crashPoint: CrashPoint | undefined,
  ): number {
    const size = this.size;
    const id = this.#intern(localState);
    if (id === size) this.#journal.stateReached(this.#by, from, transition, crashPoint);
    return id;
  }

  #apply(
    localState: LocalState,
    inputs: readonly UntimedInput[],
    crashPoint: CrashPoint | undefined,
  ): ReturnType<typeof applyInputs> {
    this.steps += inputs.length;
    const result = applyInputs(this.#participant, this.#number, localState, inputs, crashPoint);
    this.#drain();
    return result;
  }

  #crashAtRest(id: number, known: KnownState): void {
    known.hasCrashed = true;
    const crashPoint: CrashPoint = { input: 0, outputs: 0 };
    const crashed = this.#reach(this.#apply(known.localState, [NO_INPUT], crashPoint).state, id, undefined, crashPoint);
    if (crashed !== id) known.edges.push({ state: crashed, crashPoint, transitions: [] });
  }

  #entry(id: number): KnownState {
    const known = this.#known[id];
    if (known === undefined) throw new RangeError(`no local state has the number ${id}`);
    return known;
  }

  #intern(reached: LocalState): number {
    const localState = this.#normalizes ? { ...reached, state: normalize(reached.state) } : reached;
    const text = this.#fingerprints.of(localState);
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#known.length;
    this.#ids.set(text, id);
    const fingerprintNumbers = this.#fingerprintNumbers.get(text) ?? this.#fingerprintNumbers.size;
    this.#fingerprintNumbers.set(text, fingerprintNumbers);
    this.#fingerprintNumberOf.push(fingerprintNumbers);
    this.#known.push({ localState, ...noEdges() });
    this.checksum = checksumWith(this.checksum, text);
    this.#signed.note(id, localState.signed);
    return id;
  }
}

/** Notes that a transition leads to a local state: all transitions to it share one edge. */
function addEdge(
  { edges }: KnownState,
  localState: number,
  crashPoint: CrashPoint | undefined,
  transition: number,
): void {
  const edge = edges.find(
    (one) => one.state === localState && (one.crashPoint === undefined) === (crashPoint === undefined),
  );
  if (edge === undefined) edges.push({ state: localState, crashPoint, transitions: [transition] });
  else if (edge.transitions.length > 0 && !edge.transitions.includes(transition)) edge.transitions.push(transition);
}
