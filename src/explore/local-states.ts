/** Local states of one validator, each once, with the edges that transitions lead along. */
import { contradictionIn, type Standing, standingOf } from "./checks.ts";
import { checksumWith, normalize } from "./fingerprint.ts";
import { type EnabledClass, SignedSets } from "./guard.ts";
import type { Journal, StateReached } from "./journal.ts";
import {
  applyInputs,
  type CrashPoint,
  initialState,
  type LocalState,
  NO_INPUT,
  type NumberStatement,
  type UntimedInput,
} from "./local-state.ts";
import { type Effect, type Effects, type Memories, NO_TRANSITION } from "./memories.ts";
import type { StatementTable } from "./statements.ts";
import type { System } from "./system.ts";
import { type Edge, edgesFromInts, edgesToInts, type KnownEdges, noEdges, type TransitionTable } from "./transition.ts";

interface KnownState extends KnownEdges {
  readonly localState: LocalState;
  /** Number of its memory. */
  readonly memory: number;
  readonly standing: Standing;
}

/** Local state that a step reached. */
interface Reached {
  readonly localState: LocalState;
  readonly memory: number;
  readonly crashPoints: readonly CrashPoint[];
}

/** Local states of one validator. */
export class LocalStates {
  readonly #by: number;
  readonly #participant: System["honest"][number];
  readonly #journal: Journal;
  readonly #statements: StatementTable;
  readonly #number: NumberStatement;
  readonly #memories: Memories;
  readonly #effects: Effects;
  /** By the numbers of memories, the first local state that has it. */
  readonly #holders: (LocalState | undefined)[] = [];
  readonly #fingerprintNumbers: Map<string, number>;
  readonly #fingerprintNumberOf: number[] = [];
  readonly #transitions: TransitionTable;
  readonly #crashes: number;
  readonly #ids = new Map<string, number>();
  readonly #known: KnownState[] = [];
  readonly #drain: () => void;
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
    },
  ) {
    this.#by = by;
    this.#participant = participant;
    this.#journal = parts.journal;
    this.#statements = parts.statements;
    this.#number = (message, sign) => parts.statements.numberOf(by, message, sign);
    this.#memories = parts.memories;
    this.#effects = parts.effects;
    this.#fingerprintNumbers = parts.fingerprintNumbers;
    this.#transitions = parts.transitions;
    this.#crashes = parts.crashes;
    this.#drain = parts.drain;
  }

  get size(): number {
    return this.#known.length;
  }

  /** Repeats a step of a journal. @throws RangeError if it reaches no new local state, as it did in another program. */
  again({ from, transition, crashPoint }: StateReached): void {
    const inputs = transition === undefined ? [NO_INPUT] : this.#transitions.inputsMade(transition);
    const size = this.size;
    const reached = this.#step(this.#entry(from), inputs, transition, crashPoint);
    if (this.#reach(reached, from, transition, crashPoint) !== size)
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
    const whole = this.#step(known, inputs, transition, undefined);
    const next = this.#reach(whole, id, transition, undefined);
    if (next !== id) addEdge(known, next, undefined, transition);
    if (known.localState.crashes >= this.#crashes) return;
    for (const crashPoint of whole.crashPoints)
      addEdge(
        known,
        this.#reach(this.#step(known, inputs, transition, crashPoint), id, transition, crashPoint),
        crashPoint,
        transition,
      );
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

  /** Takes a step, by its known effect if this validator has had the memory and the statements that it leads to. */
  #step(
    from: KnownState,
    inputs: readonly UntimedInput[],
    transition: number | undefined,
    crashPoint: CrashPoint | undefined,
  ): Reached {
    this.steps += inputs.length;
    const number = transition ?? NO_TRANSITION;
    const effect = this.#effects.get(from.memory, number, crashPoint);
    const known = effect && this.#after(from.localState, effect, crashPoint !== undefined);
    if (known !== undefined) return known;
    const { reached, kinds } = this.#apply(from, inputs, crashPoint);
    const { memory, crashPoints } = reached;
    this.#effects.set(from.memory, number, crashPoint, { memory, kinds, crashPoints });
    return reached;
  }

  /** Returns the local state behind a known effect; `undefined` if this validator has never had its parts. */
  #after({ signed, crashes }: LocalState, effect: Effect, isCrash: boolean): Reached | undefined {
    const { memory, kinds, crashPoints } = effect;
    const holder = this.#holders[memory];
    if (holder === undefined) return undefined;
    const added: number[] = [];
    for (const kind of kinds) {
      const number = this.#statements.ofKind(this.#by, kind);
      if (number === undefined) return undefined;
      if (!signed.includes(number)) added.push(number);
    }
    const { state, disk } = holder;
    const localState: LocalState = {
      state,
      disk,
      signed: added.length === 0 ? signed : [...signed, ...added],
      crashes: isCrash ? crashes + 1 : crashes,
    };
    return { localState, memory, crashPoints };
  }

  /** Lets the real program take a step. */
  #apply(
    { localState, memory: before }: KnownState,
    inputs: readonly UntimedInput[],
    crashPoint: CrashPoint | undefined,
  ): { readonly reached: Reached; readonly kinds: readonly number[] } {
    const { state, crashPoints, statements } = applyInputs(
      this.#participant,
      this.#number,
      localState,
      inputs,
      crashPoint,
    );
    this.#drain();
    const kinds = statements.map((number) => this.#statements.get(number).kind);
    const memory = this.#memories.numberOf(state);
    const holder = memory === before ? localState : this.#holders[memory];
    const normal = holder?.state ?? normalize(state.state);
    return { reached: { localState: { ...state, state: normal }, memory, crashPoints }, kinds };
  }

  #crashAtRest(id: number, known: KnownState): void {
    known.hasCrashed = true;
    const crashPoint: CrashPoint = { input: 0, outputs: 0 };
    const crashed = this.#reach(this.#step(known, [NO_INPUT], undefined, crashPoint), id, undefined, crashPoint);
    if (crashed !== id) known.edges.push({ state: crashed, crashPoint, transitions: [] });
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
    const id = this.#known.length;
    this.#ids.set(text, id);
    const fingerprintNumbers = this.#fingerprintNumbers.get(text) ?? this.#fingerprintNumbers.size;
    this.#fingerprintNumbers.set(text, fingerprintNumbers);
    this.#fingerprintNumberOf.push(fingerprintNumbers);
    this.#known.push({ localState, memory, standing: standingOf(localState), ...noEdges() });
    this.#holders[memory] ??= localState;
    this.checksum = checksumWith(this.checksum, `${text} ${this.#memories.textOf(memory)}`);
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
