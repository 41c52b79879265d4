/** Steps of one validator by the real program, or by their known effects (memories.ts). */
import { normalize } from "./fingerprint.ts";
import {
  applyInputs,
  type CrashPoint,
  type LocalState,
  type NumberStatement,
  type UntimedInput,
} from "./local-state.ts";
import { type Effect, type Effects, type Memories, NO_TRANSITION } from "./memories.ts";
import type { StatementTable } from "./statements.ts";
import type { System } from "./system.ts";

/** Local state with the number of its memory. */
type Remembered = Readonly<{ localState: LocalState; memory: number }>;

/** Local state that a step reached. */
export interface Reached extends Remembered {
  readonly crashPoints: readonly CrashPoint[];
}

interface StepsParts {
  readonly statements: StatementTable;
  readonly memories: Memories;
  /** Shared by validators that behave alike. */
  readonly effects: Effects;
  /** Called after each step of the real program. */
  readonly drain: () => void;
}

export class Steps {
  readonly #by: number;
  readonly #participant: System["honest"][number];
  readonly #statements: StatementTable;
  readonly #number: NumberStatement;
  readonly #memories: Memories;
  readonly #effects: Effects;
  readonly #drain: () => void;
  /** By the numbers of memories, the first local state that has it. */
  readonly #holders: (LocalState | undefined)[] = [];

  /** `by` is the validator's index among the honest ones. */
  constructor(by: number, participant: System["honest"][number], parts: StepsParts) {
    this.#by = by;
    this.#participant = participant;
    this.#statements = parts.statements;
    this.#number = (message, sign) => parts.statements.numberOf(by, message, sign);
    this.#memories = parts.memories;
    this.#effects = parts.effects;
    this.#drain = parts.drain;
  }

  /** Notes that the validator has had a memory. */
  hold(memory: number, localState: LocalState): void {
    this.#holders[memory] ??= localState;
  }

  /** Takes a step, by its known effect if this validator has had the memory and the statements that it leads to. */
  take(
    from: Remembered,
    inputs: readonly UntimedInput[],
    transition: number | undefined,
    crashPoint: CrashPoint | undefined,
  ): Reached {
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
    { localState, memory: before }: Remembered,
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
}
