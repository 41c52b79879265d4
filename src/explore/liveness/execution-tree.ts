/**
 * Steps of validators in continuations, each taken once: a validator's execution is its start and its inputs since then,
 * and one tree holds all executions from equal starts. Continuations differ in little, and most of their messages are
 * equal, so their validators share most of their executions.
 */
import { entryOf } from "../../core/base/entry.ts";
import type { Address, Millis } from "../../core/base/ids.ts";
import { MemoTable } from "../../core/base/memo-table.ts";
import type { PeerMessage } from "../../core/validator/message.ts";
import { carryOut, type OutputHandler, type OutputOf } from "../../core/validator/output.ts";
import type { ValidatorState } from "../../core/validator/state.ts";
import type { Input } from "../../core/validator/step.ts";
import { EXECUTIONS_MAX, STEP_TIME_MS } from "../limits.ts";
import type { UntimedInput } from "../model/local-state.ts";
import type { Participant } from "../model/system.ts";

/** Input with its number, equal for equal inputs. */
export type NumberedInput = Readonly<{ number: number; input: UntimedInput }>;

/** Output of a step that a continuation carries out. */
export type HistoryAction =
  | { readonly type: "send"; readonly to: readonly Address[]; readonly input: NumberedInput }
  | { readonly type: "setTimer"; readonly input: NumberedInput; readonly name: string; readonly at: number }
  | { readonly type: "cancelTimer"; readonly name: string };

/** Execution of one validator so far, with its state and its continuations. */
export interface Execution {
  readonly state: ValidatorState;
  /** Highest round of an undecided slot. */
  readonly round: number;
  readonly next: Map<number, ExecutionStep>;
}

export interface ExecutionStep {
  readonly execution: Execution;
  readonly actions: readonly HistoryAction[];
  /** True if the ledger or the barriers changed: a demand may be met. */
  readonly mayMeet: boolean;
}

/** All executions so far. */
export class ExecutionTree {
  readonly #starts = new Map<string, Execution>();
  readonly #values = new ValueNumbers();
  readonly #sent = new Map<number, NumberedInput>();
  #steps = 0;

  /** Returns the start of a validator; equal `name`s are equal states of one validator. */
  start(name: string, makeState: () => ValidatorState): Execution {
    return entryOf(this.#starts, name, () => executionAt(makeState()));
  }

  /** Returns the step of a validator with an input at a time. */
  step(validator: Participant, execution: Execution, { number, input }: NumberedInput, at: number): ExecutionStep {
    const key = (at - STEP_TIME_MS) * 2 ** 28 + number;
    return entryOf(execution.next, key, () => this.#take(validator, execution, input, at));
  }

  /** Returns an input with its number. */
  numberInput(input: UntimedInput): NumberedInput {
    return { number: this.#values.of(input), input };
  }

  /** Forgets all executions if they are too many; none may be continued later. */
  prune(): void {
    if (this.#steps < EXECUTIONS_MAX) return;
    this.#steps = 0;
    this.#starts.clear();
    this.#sent.clear();
    this.#values.clear();
  }

  #take(validator: Participant, { state: before }: Execution, input: UntimedInput, at: number): ExecutionStep {
    this.#steps += 1;
    const state = validator.program.fork(before);
    const outputs = validator.program.step(state, { ...input, at: at as Millis } as Input);
    const handler = new Actions(validator, this.#values, this.#sent);
    for (const output of outputs) carryOut(handler, undefined, output);
    const mayMeet = state.ledger !== before.ledger || !state.slots.barriers.isUnchangedSince(before.slots.barriers);
    return { execution: executionAt(state), actions: handler.actions, mayMeet };
  }
}

function executionAt(state: ValidatorState): Execution {
  let round = 0;
  for (const slot of state.slots.records.values())
    if (slot.decided === undefined && slot.round > round) round = slot.round;
  return { state, round, next: new Map() };
}

/** Disks matter only in crashes; replies, events, reports and coverage points have no receiver here. */
class Actions implements Partial<OutputHandler<undefined>> {
  readonly actions: HistoryAction[] = [];
  readonly #validator: Participant;
  readonly #values: ValueNumbers;
  readonly #sent: Map<number, NumberedInput>;

  constructor(validator: Participant, values: ValueNumbers, sent: Map<number, NumberedInput>) {
    this.#validator = validator;
    this.#values = values;
    this.#sent = sent;
  }

  sign(_: undefined, { to, message }: OutputOf<"sign">): void {
    this.#send(to, message, () => ({ ...message, body: this.#validator.sign(message.body) }));
  }

  send(_: undefined, { to, message }: OutputOf<"send">): void {
    this.#send(to, message, () => message);
  }

  setTimer(_: undefined, { name, at }: OutputOf<"setTimer">): void {
    const input: UntimedInput = { type: "timer", name };
    this.actions.push({ type: "setTimer", input: { number: this.#values.of(input), input }, name, at });
  }

  cancelTimer(_: undefined, { name }: OutputOf<"cancelTimer">): void {
    this.actions.push({ type: "cancelTimer", name });
  }

  /** Equal messages of one sender are one object: each is signed once. */
  #send(to: readonly Address[], content: object, make: () => PeerMessage): void {
    const from = this.#validator.key;
    const number = this.#values.of([from, content]);
    const input = (): UntimedInput => ({ type: "message", from, message: make() });
    const sent = entryOf(this.#sent, number, () => ({ number, input: input() }));
    this.actions.push({ type: "send", to, input: sent });
  }
}

/** Numbers of immutable values: equal for values that are equal in all their parts. */
class ValueNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #known = new MemoTable<object, number>(1 << 14);
  #next = 0;

  of(value: unknown): number {
    if (typeof value !== "object" || value === null) return this.#numberOf(`${typeof value} ${value}`);
    return this.#known.getOrCompute(value, (object) => this.#ofObject(object));
  }

  /** Drops all numbers, none of which is used again. */
  clear(): void {
    this.#numbers.clear();
  }

  #ofObject(value: object): number {
    if (Array.isArray(value)) return this.#numberOf(`[${value.map((part) => this.of(part)).join()}]`);
    // An object of a class is only equal to itself.
    if (Object.getPrototypeOf(value) !== Object.prototype) return this.#new();
    let text = "";
    for (const [key, part] of Object.entries(value)) text += `${key}:${this.of(part)},`;
    return this.#numberOf(text);
  }

  #numberOf(text: string): number {
    return entryOf(this.#numbers, text, () => this.#new());
  }

  #new(): number {
    this.#next += 1;
    return this.#next - 1;
  }
}
