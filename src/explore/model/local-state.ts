/** Local state of one honest validator and its steps: the node shell of the simulator without a clock. */
import type { Hash, Millis } from "../../core/base/ids.ts";
import type { Mutable } from "../../core/base/mutable.ts";
import type { SlotKey } from "../../core/base/slot.ts";
import type { SignedMessage, StatementContent } from "../../core/consensus/message.ts";
import type { ConsensusEnvelope } from "../../core/validator/message.ts";
import {
  carryOut,
  type DurableRecord,
  type Output,
  type OutputHandler,
  type OutputOf,
} from "../../core/validator/output.ts";
import type { ValidatorState } from "../../core/validator/state.ts";
import type { Input } from "../../core/validator/step.ts";
import { timerOf } from "../../core/validator/timer.ts";
import { STEP_TIME_MS } from "../limits.ts";
import type { Participant, Sign } from "./system.ts";

/** Memory, disk, signed statements and crash count of a validator. */
export interface LocalState {
  readonly state: ValidatorState;
  readonly disk: ReadonlyMap<string, DurableRecord>;
  /** Numbers of signed statements, in the order in which they were first signed. */
  readonly signed: readonly number[];
  readonly crashes: number;
}

/** Input without a time: all steps are instantaneous, and delays end when their timers fire. */
export type UntimedInput = Input extends infer I ? (I extends Input ? Omit<I, "at" | "clock"> : never) : never;

/** Input without effect, for a crash between two inputs: a timer that is never set. */
export const NO_INPUT = { type: "timer", name: "none" } as const satisfies UntimedInput;

/** Callbacks for the steps of a validator. */
export interface Watcher {
  stepped?(state: ValidatorState, input: Input, outputs: readonly Output[]): void;
  signed?(message: ConsensusEnvelope<SignedMessage>): void;
  carriedOut?(output: Output): void;
  crashed?(): void;
  restarted?(state: ValidatorState, records: readonly (readonly [string, DurableRecord])[]): void;
}

/** Crash point: after this many outputs of the input at this index. */
export type CrashPoint = Readonly<{ input: number; outputs: number }>;

interface StepResult {
  readonly state: LocalState;
  /** Crash points whose durable state or signatures differ from those of a crash before or after the whole step. */
  readonly crashPoints: readonly CrashPoint[];
  /** Numbers of the statements signed in the step, in order; those signed before are included. */
  readonly statements: readonly number[];
}

/** Numbers a validator's statement. */
export type NumberStatement = (message: ConsensusEnvelope<StatementContent>, sign: Sign) => number;

/** Returns a validator after its first start. */
export function initialState(participant: Participant, number: NumberStatement, watcher: Watcher = {}): LocalState {
  const fresh: LocalState = { state: participant.program.start(), disk: new Map(), signed: [], crashes: 0 };
  const shell = new Shell(participant, number, fresh, watcher);
  shell.take({ type: "start" }, undefined);
  return shell.localState;
}

/** Applies inputs in order; with a crash point the validator crashes there and restarts. */
export function applyInputs(
  participant: Participant,
  number: NumberStatement,
  localState: LocalState,
  inputs: readonly UntimedInput[],
  crashPoint?: CrashPoint,
  watcher: Watcher = {},
): StepResult {
  const { program } = participant;
  const shell = new Shell(participant, number, { ...localState, state: program.fork(localState.state) }, watcher);
  const crashPoints: CrashPoint[] = [];
  for (const [index, input] of inputs.entries()) {
    const isCrash = crashPoint?.input === index;
    for (const outputs of shell.take(input, isCrash ? crashPoint.outputs : undefined))
      crashPoints.push({ input: index, outputs });
    if (isCrash) {
      shell.crash();
      break;
    }
  }
  return { state: shell.localState, crashPoints, statements: [...shell.statements] };
}

/** Unsigned messages can be sent by anyone, and timers are part of the state, so all other outputs need no action. */
class Shell implements Partial<OutputHandler<undefined>> {
  readonly #participant: Participant;
  readonly #number: NumberStatement;
  readonly #watcher: Watcher;
  /** The shell's own until its last step. */
  readonly localState: Mutable<LocalState>;
  readonly statements: Set<number> = new Set();

  constructor(participant: Participant, number: NumberStatement, localState: Mutable<LocalState>, watcher: Watcher) {
    this.#participant = participant;
    this.#number = number;
    this.#watcher = watcher;
    this.localState = localState;
  }

  /** Performs the outputs of an input, or the first `limit`. Returns the output counts after which a crash matters. */
  take(timeless: UntimedInput, limit: number | undefined): readonly number[] {
    const input = { ...timeless, at: STEP_TIME_MS as Millis } as Input;
    const { state } = this.localState;
    if (input.type === "timer" && !isSet(state, input.name)) return [];
    const outputs = this.#participant.program.step(state, input);
    this.#watcher.stepped?.(state, input, outputs);
    const count = Math.min(limit ?? outputs.length, outputs.length);
    for (let index = 0; index < count; index++) {
      const output = outputs[index] as Output;
      carryOut(this, undefined, output);
      this.#watcher.carriedOut?.(output);
    }
    const marks: number[] = [];
    for (let index = 0; index < outputs.length; index++)
      if (isLasting((outputs[index] as Output).type)) marks.push(index + 1);
    marks.pop();
    return marks;
  }

  crash(): void {
    this.#watcher.crashed?.();
    this.localState.crashes += 1;
    this.localState.state = this.#participant.program.start();
    const records = [...this.localState.disk].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#watcher.restarted?.(this.localState.state, records);
    this.take({ type: "restart", records }, undefined);
  }

  persist(_: undefined, { key, record }: OutputOf<"persist">): void {
    this.localState.disk = new Map(this.localState.disk).set(key, record);
  }

  erase(_: undefined, { key }: OutputOf<"erase">): void {
    const disk = new Map(this.localState.disk);
    disk.delete(key);
    this.localState.disk = disk;
  }

  sign(_: undefined, { message }: OutputOf<"sign">): void {
    const { sign } = this.#participant;
    const number = this.#number(message, sign);
    this.statements.add(number);
    const { signed } = this.localState;
    if (!signed.includes(number)) this.localState.signed = [...signed, number];
    this.#watcher.signed?.({ ...message, body: sign(message.body) });
  }
}

/** Returns true if the output survives a crash or is visible to others. */
function isLasting(type: Output["type"]): boolean {
  return type === "persist" || type === "erase" || type === "sign";
}

/** Returns true if a timer runs; the state records all timers that are set. */
function isSet(state: ValidatorState, name: string): boolean {
  if (name === NO_INPUT.name) return false;
  const timer = timerOf(name);
  return timer.kind === "retry" ? state.slots.retries.has(timer.slot) : state.slots.timers.has(name);
}

/** Returns the decisions that a validator holds, by slot. */
export function decisionsOf({ state }: LocalState): readonly (readonly [slot: SlotKey, value: Hash])[] {
  return state.slots.records
    .entries()
    .flatMap(([key, { decided }]) => (decided === undefined ? [] : [[key, decided.value] as const]));
}

/** Receiver, input, and crash point of one step. */
export type PathStep = Readonly<{ who: string; what: string; cut: CrashPoint | undefined }>;
