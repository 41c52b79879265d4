/**
 * Steps of one validator by the real program, or by their known effects.
 *
 * A validator's memory, with its disk if it may crash, decides what it does next. What it signed before is in its memory
 * as far as it matters, so many local states that differ in their signatures or crashes share one memory, and each effect
 * of a transition on a memory is computed once. Interchangeable validators (values.ts) share the effects too.
 */
import { type NormalForms, normalize } from "./fingerprint.ts";
import {
  applyInputs,
  type CrashPoint,
  type LocalState,
  type NumberStatement,
  type UntimedInput,
} from "./local-state.ts";
import type { StatementTable } from "./statements.ts";
import type { System } from "./system.ts";

/** Local state with the number of its memory. */
type NumberedState = Readonly<{ localState: LocalState; memory: number }>;

/** Local state that a step reached. */
export interface ReachedState extends NumberedState {
  readonly crashPoints: readonly CrashPoint[];
}

/** Effect of a step on a memory, independent of the validator. */
interface StepEffect {
  /** Number of the memory that it reaches. */
  readonly memory: number;
  /** Kinds of the statements that it signs, in order. */
  readonly kinds: readonly number[];
  /** Crash points of the whole step. */
  readonly crashPoints: readonly CrashPoint[];
}

/** Number of the transition of a crash without inputs. */
const NO_TRANSITION = -1;

/** Effects by memory, transition and crash point, shared by validators that behave alike. */
export class StepEffects {
  readonly #whole: (StepEffect | undefined)[][] = [];
  readonly #cut = new Map<string, StepEffect>();

  get(memory: number, transition: number, crashPoint: CrashPoint | undefined): StepEffect | undefined {
    if (crashPoint === undefined) return this.#whole[memory]?.[transition];
    return this.#cut.get(cutKey(memory, transition, crashPoint));
  }

  set(memory: number, transition: number, crashPoint: CrashPoint | undefined, effect: StepEffect): void {
    if (crashPoint !== undefined) this.#cut.set(cutKey(memory, transition, crashPoint), effect);
    else {
      this.#whole[memory] ??= [];
      (this.#whole[memory] as (StepEffect | undefined)[])[transition] = effect;
    }
  }
}

function cutKey(memory: number, transition: number, { input, outputs }: CrashPoint): string {
  return `${memory} ${transition} ${input} ${outputs}`;
}

interface StepsParts {
  readonly statements: StatementTable;
  readonly normalForms: NormalForms;
  /** Shared by validators that behave alike. */
  readonly effects: StepEffects;
  /** Called after each step of the real program. */
  readonly drain: () => void;
}

export class Steps {
  readonly #by: number;
  readonly #participant: System["honest"][number];
  readonly #statements: StatementTable;
  readonly #number: NumberStatement;
  readonly #normalForms: NormalForms;
  readonly #effects: StepEffects;
  readonly #drain: () => void;
  /** First local state with each memory, by the memory's number. */
  readonly #representatives: (LocalState | undefined)[] = [];

  /** `by` is the validator's index among the honest ones. */
  constructor(by: number, participant: System["honest"][number], parts: StepsParts) {
    this.#by = by;
    this.#participant = participant;
    this.#statements = parts.statements;
    this.#number = (message, sign) => parts.statements.numberOf(by, message, sign);
    this.#normalForms = parts.normalForms;
    this.#effects = parts.effects;
    this.#drain = parts.drain;
  }

  /** Notes that a local state of the validator has a memory. */
  noteMemory(memory: number, localState: LocalState): void {
    this.#representatives[memory] ??= localState;
  }

  /** Takes a step, by its known effect if this validator has had the memory and the statements that it leads to. */
  take(
    from: NumberedState,
    inputs: readonly UntimedInput[],
    transition: number | undefined,
    crashPoint: CrashPoint | undefined,
  ): ReachedState {
    const number = transition ?? NO_TRANSITION;
    const effect = this.#effects.get(from.memory, number, crashPoint);
    const known = effect && this.#stateAfterEffect(from.localState, effect, crashPoint !== undefined);
    if (known !== undefined) return known;
    const { reached, kinds } = this.#apply(from, inputs, crashPoint);
    const { memory, crashPoints } = reached;
    this.#effects.set(from.memory, number, crashPoint, { memory, kinds, crashPoints });
    return reached;
  }

  /** Returns the local state behind a known effect; `undefined` if this validator has never had its parts. */
  #stateAfterEffect({ signed, crashes }: LocalState, effect: StepEffect, isCrash: boolean): ReachedState | undefined {
    const { memory, kinds, crashPoints } = effect;
    const representative = this.#representatives[memory];
    if (representative === undefined) return undefined;
    const added: number[] = [];
    for (const kind of kinds) {
      const number = this.#statements.ofKind(this.#by, kind);
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

  /** Lets the real program take a step. */
  #apply(
    { localState, memory: before }: NumberedState,
    inputs: readonly UntimedInput[],
    crashPoint: CrashPoint | undefined,
  ): { readonly reached: ReachedState; readonly kinds: readonly number[] } {
    const { state, crashPoints, statements } = applyInputs(
      this.#participant,
      this.#number,
      localState,
      inputs,
      crashPoint,
    );
    this.#drain();
    const kinds = statements.map((number) => this.#statements.get(number).kind);
    const memory = this.#normalForms.numberOf(state);
    const representative = memory === before ? localState : this.#representatives[memory];
    const normal = representative?.state ?? normalize(state.state);
    return { reached: { localState: { ...state, state: normal }, memory, crashPoints }, kinds };
  }
}
