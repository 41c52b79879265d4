/**
 * Local states of one validator, each once, with the edges that transitions lead along, and its steps by the real
 * program, or by their known effects.
 *
 * A validator's memory, with its disk if it may crash, decides what it does next. What it signed before is in its memory
 * as far as it matters, so many local states that differ in their signatures or crashes share one memory, and each effect
 * of a transition on a memory is computed once. Interchangeable validators (values.ts) share the effects too.
 */
import { entryOf } from "../../core/base/entry.ts";
import type { CoveragePoint } from "../../core/validator/coverage-points.ts";
import type { ValueNames } from "../../invariants/evidence/rule-violations.ts";
import { type CheckedParts, checkedPartsOf, contradictionIn } from "./checks.ts";
import { type Fingerprints, normalize } from "./fingerprint.ts";
import { type EnabledTransitions, setBit } from "./guard.ts";
import {
  applyInputs,
  type CrashPoint,
  initialState,
  type LocalState,
  NO_INPUT,
  type NumberStatement,
  type UntimedInput,
  type Watcher,
} from "./local-state.ts";
import type { StatementTable } from "./statements.ts";
import type { Participant } from "./system.ts";
import { addEdge, type Edge, type KnownEdges, noEdges, type TransitionTable } from "./transition.ts";

interface KnownState extends KnownEdges {
  readonly localState: LocalState;
  /** Number of its memory. */
  readonly memory: number;
  /** Equal for equal local states of different validators. */
  readonly fingerprintNumber: number;
  /** Sorted kinds of its signed statements. */
  readonly kinds: string;
  readonly checkedParts: CheckedParts;
}

interface LocalStatesParts {
  /** Numbers of fingerprints, shared by all validators. */
  readonly fingerprintNumbers: Map<string, number>;
  readonly fingerprints: Fingerprints;
  readonly statements: StatementTable;
  readonly transitions: TransitionTable;
  readonly crashes: number;
  /** Shared by validators that behave alike. */
  readonly effects: StepEffects;
  /** Coverage points that any step reached. */
  readonly coverage: Set<CoveragePoint>;
  /** Called after each step of the real program. */
  readonly drain: () => void;
}

/** Effects by memory, and then by transition and crash point. */
export type StepEffects = Map<number | string, StepEffect>[];

/** Effect of a step on a memory, independent of the validator. */
interface StepEffect {
  /** Number of the memory that it reaches. */
  readonly memory: number;
  /** Kinds of the statements that it signs, in order. */
  readonly kinds: readonly number[];
  /** Crash points of the whole step. */
  readonly crashPoints: readonly CrashPoint[];
}

/** Local state that a step reached, with the number of its memory. */
interface ReachedState {
  readonly localState: LocalState;
  readonly memory: number;
  readonly crashPoints: readonly CrashPoint[];
}

/** Number of the transition of a crash without inputs. */
const NO_TRANSITION = -1;

/** Local states of one validator. */
export class LocalStates {
  readonly #validator: number;
  readonly #participant: Participant;
  readonly #parts: LocalStatesParts;
  readonly #number: NumberStatement;
  readonly #watcher: Watcher;
  readonly #ids = new Map<string, number>();
  readonly #known: KnownState[] = [];
  /** First local state with each memory, by the memory's number. */
  readonly #representatives: (LocalState | undefined)[] = [];
  readonly #contradictions = new Map<number, string | undefined>();

  /** `validator` is the index among the honest ones. */
  constructor(validator: number, participant: Participant, parts: LocalStatesParts) {
    this.#validator = validator;
    this.#participant = participant;
    this.#parts = parts;
    this.#number = (message, sign) => parts.statements.numberOf(validator, message, sign);
    this.#watcher = {
      carriedOut: (output) => {
        if (output.type === "coverage") parts.coverage.add(output.point);
      },
    };
  }

  /** Returns the number of the initial local state. */
  first(): number {
    const { state, ...rest } = initialState(this.#participant, this.#number);
    const localState = { state: normalize(state), ...rest };
    return this.#intern(localState, this.#parts.fingerprints.numberOf(localState));
  }

  localState(id: number): LocalState {
    return this.#entry(id).localState;
  }

  /** Returns the same number for equal local states of different validators. */
  fingerprintNumberOf(id: number): number {
    return this.#entry(id).fingerprintNumber;
  }

  /** Returns the parts of a local state that are checked. */
  checkedParts(id: number): CheckedParts {
    return this.#entry(id).checkedParts;
  }

  /** Returns the decisions of all local states, as slots and values. */
  decisions(): readonly CheckedParts["decisions"][number][] {
    return this.#known.flatMap(({ checkedParts }) => checkedParts.decisions);
  }

  /** Returns the contradiction between the statements of a local state and those of a later one. */
  contradiction(before: number, now: number, name: ValueNames): string | undefined {
    const key = before * 2 ** 26 + now;
    if (this.#contradictions.has(key)) return this.#contradictions.get(key);
    const { signed } = this.localState(before);
    const contradiction = contradictionIn(this.#parts.statements, signed, this.localState(now).signed, name);
    this.#contradictions.set(key, contradiction);
    return contradiction;
  }

  /** Adds the bits of the statements signed in a local state. */
  addSigned(id: number, bits: Int32Array): void {
    for (const statement of this.localState(id).signed) setBit(bits, statement);
  }

  /** Returns true if two local states have the same signed statements. */
  haveEqualSignatures(left: number, right: number): boolean {
    return left === right || this.#entry(left).kinds === this.#entry(right).kinds;
  }

  /** Reports the edges of a local state under the enabled transitions, in a fixed order. */
  forEachEdge(id: number, enabled: EnabledTransitions, report: (edge: Edge) => void): void {
    const knownState = this.#entry(id);
    const count = this.#parts.transitions.all.length;
    for (; knownState.transitionsKnown < count; knownState.transitionsKnown++)
      knownState.disabled.push(knownState.transitionsKnown);
    if (knownState.disabled.length > 0) this.#try(id, knownState, enabled);
    if (!knownState.hasCrashed && knownState.localState.crashes < this.#parts.crashes)
      this.#crashAtRest(id, knownState);
    for (const edge of knownState.edges) {
      if (edge.transitions.length === 0) report(edge);
      for (const transition of edge.transitions) {
        if (!enabled.enables(transition)) continue;
        report(edge);
        break;
      }
    }
  }

  /** Tries transitions that are enabled here for the first time; those without effect are not tried again. */
  #try(id: number, knownState: KnownState, enabled: EnabledTransitions): void {
    const disabled: number[] = [];
    for (const transition of knownState.disabled)
      if (enabled.enables(transition)) this.#takeSteps(id, knownState, transition, enabled.signed);
      else disabled.push(transition);
    knownState.disabled = disabled;
  }

  /** Takes the steps of a transition, with every crash, and adds their edges. */
  #takeSteps(from: number, knownState: KnownState, transition: number, signed: Int32Array): void {
    const inputs = this.#parts.transitions.inputs(transition, signed);
    const whole = this.#step(knownState, inputs, transition, undefined);
    const next = this.#reach(whole, from, undefined);
    if (next !== from) addEdge(knownState, next, undefined, transition);
    const crashPoints = knownState.localState.crashes >= this.#parts.crashes ? [] : whole.crashPoints;
    for (const crashPoint of crashPoints) {
      const crashed = this.#reach(this.#step(knownState, inputs, transition, crashPoint), from, crashPoint);
      addEdge(knownState, crashed, crashPoint, transition);
    }
  }

  /** Returns the number of the local state that a step reached. */
  #reach({ localState, memory }: ReachedState, from: number, crashPoint: CrashPoint | undefined): number {
    const before = this.#entry(from);
    const isUnchanged = memory === before.memory && localState.signed === before.localState.signed;
    return isUnchanged && crashPoint === undefined ? from : this.#intern(localState, memory);
  }

  #crashAtRest(from: number, knownState: KnownState): void {
    const crashPoint: CrashPoint = { input: 0, outputs: 0 };
    const next = this.#reach(this.#step(knownState, [NO_INPUT], NO_TRANSITION, crashPoint), from, crashPoint);
    if (next !== from) addEdge(knownState, next, crashPoint, undefined);
    knownState.hasCrashed = true;
  }

  #entry(id: number): KnownState {
    const knownState = this.#known[id];
    if (knownState === undefined) throw new RangeError(`no local state has the number ${id}`);
    return knownState;
  }

  /** Returns the number of a local state in normal form. */
  #intern(localState: LocalState, memory: number): number {
    const { fingerprintNumbers, statements } = this.#parts;
    const numbers = localState.signed.map((number) => statements.get(number).kind);
    const kinds = numbers.sort((a, b) => a - b).join();
    const text = `${memory} ${localState.crashes} ${kinds}`;
    const existingId = this.#ids.get(text);
    if (existingId !== undefined) return existingId;
    const id = this.#known.length;
    this.#ids.set(text, id);
    const fingerprintNumber = entryOf(fingerprintNumbers, text, () => fingerprintNumbers.size);
    const checkedParts = checkedPartsOf(localState);
    this.#known.push({ localState, memory, fingerprintNumber, kinds, checkedParts, ...noEdges() });
    this.#representatives[memory] ??= localState;
    return id;
  }

  /** Takes a step, by its known effect if this validator has had the memory and the statements that it leads to. */
  #step(
    from: KnownState,
    inputs: readonly UntimedInput[],
    transition: number,
    crashPoint: CrashPoint | undefined,
  ): ReachedState {
    const { statements, fingerprints, drain } = this.#parts;
    this.#parts.effects[from.memory] ??= new Map();
    const effects = this.#parts.effects[from.memory] as StepEffects[number];
    const key = crashPoint === undefined ? transition : `${transition} ${crashPoint.input} ${crashPoint.outputs}`;
    const effect = effects.get(key);
    const reached = effect && this.#stateAfterEffect(from.localState, effect, crashPoint !== undefined);
    if (reached !== undefined) return reached;
    const step = applyInputs(this.#participant, this.#number, from.localState, inputs, crashPoint, this.#watcher);
    drain();
    const { state, crashPoints } = step;
    const kinds = step.statements.map((number) => statements.get(number).kind);
    const memory = fingerprints.numberOf(state);
    effects.set(key, { memory, kinds, crashPoints });
    const representative = memory === from.memory ? from.localState : this.#representatives[memory];
    const normal = representative?.state ?? normalize(state.state);
    return { localState: { ...state, state: normal }, memory, crashPoints };
  }

  /** Returns the local state behind a known effect; `undefined` if this validator has never had its parts. */
  #stateAfterEffect({ signed, crashes }: LocalState, effect: StepEffect, isCrash: boolean): ReachedState | undefined {
    const { memory, kinds, crashPoints } = effect;
    const representative = this.#representatives[memory];
    if (representative === undefined) return undefined;
    const added: number[] = [];
    for (const kind of kinds) {
      const number = this.#parts.statements.ofKind(this.#validator, kind);
      if (number === undefined) return undefined;
      if (!signed.includes(number)) added.push(number);
    }
    const { state, disk } = representative;
    const localState: LocalState = {
      state,
      disk,
      signed: added.length === 0 ? signed : [...signed, ...added],
      crashes: isCrash ? crashes + 1 : crashes,
    };
    return { localState, memory, crashPoints };
  }
}
