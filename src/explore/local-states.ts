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

interface Known extends KnownEdges {
  readonly life: LocalState;
}

/** Local states of one validator. */
export class LocalStates {
  readonly #by: number;
  readonly #participant: System["honest"][number];
  readonly #journal: Journal;
  readonly #number: NumberStatement;
  readonly #fingerprints: Fingerprints;
  readonly #kin: Map<string, number>;
  readonly #kinOf: number[] = [];
  readonly #stimuli: TransitionTable;
  readonly #crashes: number;
  readonly #forgets: boolean;
  readonly #ids = new Map<string, number>();
  readonly #known: Known[] = [];
  readonly #drain: () => void;
  readonly #said = new SignedSets();
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
      readonly textNumbers: Map<string, number>;
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
    this.#kin = parts.textNumbers;
    this.#stimuli = parts.transitions;
    this.#crashes = parts.crashes;
    this.#forgets = parts.normalizes;
    this.#drain = parts.drain;
  }

  get size(): number {
    return this.#known.length;
  }

  /** Repeats a step of a journal. @throws RangeError if it reaches no new local state, as it did in another program. */
  again({ from, transition, crashPoint }: StateReached): void {
    const { life: localState } = this.#entry(from);
    const inputs = transition === undefined ? [NO_INPUT] : this.#stimuli.made(transition);
    const size = this.size;
    if (this.#cameTo(this.#live(localState, inputs, crashPoint).state, from, transition, crashPoint) !== size)
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

  life(id: number): LocalState {
    return this.#entry(id).life;
  }

  /** Returns the same number for equal local states of different validators. */
  textNumberOf(id: number): number {
    return this.#kinOf[id] as number;
  }

  crashesOf(id: number): number {
    return this.#entry(id).life.crashes;
  }

  /** Adds the bits of the statements signed in a local state. */
  addSaid(id: number, text: Int32Array): void {
    this.#said.addTo(text, id);
  }

  /** Returns true if two local states have the same signed statements. */
  haveSignedTheSame(one: number, other: number): boolean {
    return this.#said.areAlike(one, other);
  }

  /** Reports the edges of a local state under the enabled transitions, in a fixed order. */
  onwards(id: number, enabledClass: EnabledClass, heard: (edge: Edge) => void): void {
    const known = this.#entry(id);
    const count = this.#stimuli.all.length;
    for (; known.transitionsKnown < count; known.transitionsKnown++) known.disabled.push(known.transitionsKnown);
    if (known.disabled.length > 0) this.#try(id, known, enabledClass);
    if (!known.hasCrashed && known.life.crashes < this.#crashes) this.#crashAtRest(id, known);
    for (const edge of known.edges) {
      if (edge.transitions.length === 0) heard(edge);
      for (const transition of edge.transitions) {
        if (!enabledClass.enables(transition)) continue;
        heard(edge);
        break;
      }
    }
  }

  /** Tries transitions that are enabled here for the first time; those without effect are not tried again. */
  #try(id: number, known: Known, enabledClass: EnabledClass): void {
    const left: number[] = [];
    for (const transition of known.disabled) {
      if (enabledClass.enables(transition)) this.#outcomes(id, known, transition, enabledClass.signed);
      else left.push(transition);
    }
    known.disabled = left;
  }

  #outcomes(id: number, known: Known, transition: number, signed: Int32Array): void {
    const inputs = this.#stimuli.inputs(transition, signed);
    const whole = this.#live(known.life, inputs, undefined);
    const next = isInitial(known.life, whole.state) ? id : this.#cameTo(whole.state, id, transition, undefined);
    if (next !== id) lead(known, next, undefined, transition);
    if (known.life.crashes >= this.#crashes) return;
    for (const crashPoint of whole.crashPoints)
      lead(
        known,
        this.#cameTo(this.#live(known.life, inputs, crashPoint).state, id, transition, crashPoint),
        crashPoint,
        transition,
      );
  }

  /** Returns the number of the local state that a step reached, and logs it if it is new. */
  #cameTo(
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

  #live(
    localState: LocalState,
    inputs: readonly UntimedInput[],
    crashPoint: CrashPoint | undefined,
  ): ReturnType<typeof applyInputs> {
    this.steps += inputs.length;
    const lived = applyInputs(this.#participant, this.#number, localState, inputs, crashPoint);
    this.#drain();
    return lived;
  }

  #crashAtRest(id: number, known: Known): void {
    known.hasCrashed = true;
    const crashPoint: CrashPoint = { input: 0, outputs: 0 };
    const struck = this.#cameTo(this.#live(known.life, [NO_INPUT], crashPoint).state, id, undefined, crashPoint);
    if (struck !== id) known.edges.push({ state: struck, crashPoint, transitions: [] });
  }

  #entry(id: number): Known {
    const known = this.#known[id];
    if (known === undefined) throw new RangeError(`no local state has the number ${id}`);
    return known;
  }

  #intern(lived: LocalState): number {
    const localState = this.#forgets ? { ...lived, state: normalize(lived.state) } : lived;
    const text = this.#fingerprints.of(localState);
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#known.length;
    this.#ids.set(text, id);
    const textNumbers = this.#kin.get(text) ?? this.#kin.size;
    this.#kin.set(text, textNumbers);
    this.#kinOf.push(textNumbers);
    this.#known.push({ life: localState, ...noEdges() });
    this.checksum = checksumWith(this.checksum, text);
    this.#said.note(id, localState.signed);
    return id;
  }
}

/** Notes that a transition leads to a local state: all transitions to it share one edge. */
function lead({ edges }: Known, localState: number, crashPoint: CrashPoint | undefined, transition: number): void {
  const edge = edges.find(
    (one) => one.state === localState && (one.crashPoint === undefined) === (crashPoint === undefined),
  );
  if (edge === undefined) edges.push({ state: localState, crashPoint, transitions: [transition] });
  else if (edge.transitions.length > 0 && !edge.transitions.includes(transition)) edge.transitions.push(transition);
}
