/**
 * Fair run without further faults from a global state: real validators under a virtual clock, bounded by a generous
 * number of rounds instead of the exploration's bounds.
 *
 * The state is the one at GST: all messages sent before are lost, and each later one arrives after `DELAY_MS`. Honest
 * validators begin with given memories and timers: those of a path, or a normal form (fingerprint.ts) with the timers that
 * are set in it. Correct clients and the operator submit whatever they want decided at the same f honest validators,
 * again and again: they contact f + 1, one of which is Byzantine. That one is silent, or correct from now on: it then
 * runs the real program from its start without its earlier signatures.
 */
import type { Address, Millis } from "../core/base/ids.ts";
import { carryOut, type OutputHandler, type OutputOf } from "../core/validator/carry-out.ts";
import { CLOSING_ROUND_MS, SYNC_MS, TAKEOVER_MS, TAKEOVER_STAGGER_MS, TOKEN_MS } from "../core/validator/limits.ts";
import type { PeerMessage } from "../core/validator/message.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { Input } from "../core/validator/step.ts";
import { EventQueue } from "../simulator/queue.ts";
import type { Demand, Demands } from "./demands.ts";
import { CONTINUED_MS, CONTINUED_ROUNDS, DELAY_MS, NOW_MS, SUBMITTED_MS } from "./limits.ts";
import type { UntimedInput } from "./local-state.ts";
import type { Participant, Sign, System } from "./system.ts";

/** Behaviour of the Byzantine validator in a continuation. */
export type ByzantineBehaviour = "silent" | "correct";

/** Continuation that ended with an unmet demand. */
export interface Stall {
  readonly byzantine: ByzantineBehaviour;
  /** First demand that some honest validator does not meet. */
  readonly demand: Demand;
  /** Exceeded bound as text: rounds, or milliseconds since GST. */
  readonly bound: string;
  /** Honest validators at the end. */
  readonly states: readonly ValidatorState[];
}

/** One honest validator at GST. */
export interface ContinuationStart {
  readonly state: ValidatorState;
  /** Timers that are set, each with its milliseconds from GST on. */
  readonly timers: ReadonlyMap<string, number>;
}

interface Node extends Participant {
  readonly sign: Sign;
  readonly state: ValidatorState;
  /** For each timer that is set, the sequence number of the event that fires it. */
  readonly timers: Map<string, number>;
}

type Event =
  | { readonly type: "input"; readonly node: Node; readonly input: UntimedInput }
  | { readonly type: "timer"; readonly node: Node; readonly name: string }
  | { readonly type: "clients" };

const TIME_BOUND = `${CONTINUED_MS} ms after the last fault`;
const ROUND_BOUND = `${CONTINUED_ROUNDS} more rounds`;

/** Continues the global state of these honest validators; returns `undefined` if all demands are met. */
export function continuedFrom(
  system: System,
  starts: readonly ContinuationStart[],
  byzantine: ByzantineBehaviour,
  demands: Demands,
): Stall | undefined {
  return new Continuation(system, starts, byzantine, demands).run();
}

/** Returns the start of the `place`-th honest validator in normal form; its timers have their usual durations. */
export function continuationStart(state: ValidatorState, index: number): ContinuationStart {
  const timers = new Map([["sync", SYNC_MS]]);
  for (const [key] of state.slots.retries.entries())
    timers.set(`retry ${key}`, TAKEOVER_MS + index * TAKEOVER_STAGGER_MS);
  for (const [name] of state.slots.timers.entries())
    timers.set(name, name.startsWith("token ") ? TOKEN_MS : CLOSING_ROUND_MS);
  return { state, timers };
}

/** Disks matter only in crashes; replies, events, reports and coverage points have no receiver here. */
class Continuation implements Partial<OutputHandler<Node>> {
  readonly #faulty: number;
  readonly #honest: readonly Node[];
  readonly #byzantine: ByzantineBehaviour;
  readonly #nodes = new Map<Address, Node>();
  readonly #demands: Demands;
  readonly #lastRound: number;
  readonly #queue = new EventQueue<Event>();
  #sequence = 0;
  #at = NOW_MS;

  constructor(system: System, starts: readonly ContinuationStart[], byzantine: ByzantineBehaviour, demands: Demands) {
    this.#faulty = system.committee.faulty;
    this.#byzantine = byzantine;
    this.#demands = demands;
    this.#honest = system.honest.map((participant, by) =>
      this.#joined(participant, (starts[by] as ContinuationStart).state),
    );
    for (const [by, node] of this.#honest.entries())
      for (const [name, inMs] of (starts[by] as ContinuationStart).timers) this.#setTimer(node, name, inMs);
    if (byzantine === "correct") {
      const node = this.#joined(system.byzantine, system.byzantine.program.start());
      this.#push(0, { type: "input", node, input: { type: "start" } });
    }
    this.#lastRound = highestRound(this.#honest) + CONTINUED_ROUNDS;
    this.#push(0, { type: "clients" });
  }

  /** Runs until all demands are met or a bound is exceeded. */
  run(): Stall | undefined {
    let unmet = this.#unmet();
    while (unmet !== undefined) {
      const { first } = this.#queue;
      if (first === undefined || first.at > NOW_MS + CONTINUED_MS) return this.#stall(unmet, TIME_BOUND);
      if (highestRound(this.#honest) > this.#lastRound) return this.#stall(unmet, ROUND_BOUND);
      this.#queue.pop();
      this.#at = first.at;
      if (this.#take(first.item, first.sequence)) unmet = this.#unmet();
    }
    return undefined;
  }

  #stall(demand: Demand, bound: string): Stall {
    const states = this.#honest.map(({ state }) => state);
    return { byzantine: this.#byzantine, demand, bound, states };
  }

  #unmet(): Demand | undefined {
    return this.#demands.all.find(({ isMet }) => !this.#honest.every(({ state }) => isMet(state)));
  }

  #joined(participant: Participant & { readonly sign: Sign }, state: ValidatorState): Node {
    const node = { ...participant, state: participant.program.fork(state), timers: new Map<string, number>() };
    this.#nodes.set(node.key, node);
    return node;
  }

  /** Processes one event; returns true if it may have met a demand. */
  #take(event: Event, sequence: number): boolean {
    switch (event.type) {
      case "clients":
        this.#submitDemands();
        return false;
      case "timer":
        if (event.node.timers.get(event.name) !== sequence) return false;
        event.node.timers.delete(event.name);
        return this.#step(event.node, { type: "timer", name: event.name });
      case "input":
        return this.#step(event.node, event.input);
    }
  }

  /** A change of the ledger or of the barriers is necessary to meet a demand. */
  #step(node: Node, input: UntimedInput): boolean {
    const { program, state } = node;
    const { ledger } = state;
    const barriers = state.slots.barriers.fork();
    const outputs = program.step(state, { ...input, at: this.#at as Millis } as Input);
    for (const output of outputs) carryOut(this, node, output);
    return state.ledger !== ledger || !state.slots.barriers.isUnchangedSince(barriers);
  }

  sign(node: Node, { to, message }: OutputOf<"sign">): void {
    this.#send(node, to, { ...message, body: node.sign(message.body) });
  }

  send(node: Node, { to, message }: OutputOf<"send">): void {
    this.#send(node, to, message);
  }

  setTimer(node: Node, { name, at }: OutputOf<"setTimer">): void {
    this.#setTimer(node, name, at - this.#at);
  }

  cancelTimer(node: Node, { name }: OutputOf<"cancelTimer">): void {
    node.timers.delete(name);
  }

  #send(from: Node, to: readonly Address[], message: PeerMessage): void {
    for (const key of to) {
      const node = this.#nodes.get(key);
      if (node === undefined) continue;
      const delay = node.key === from.key ? 0 : DELAY_MS;
      this.#push(delay, { type: "input", node, input: { type: "message", from: from.key, message } });
    }
  }

  #submitDemands(): void {
    for (const node of this.#honest.slice(0, this.#faulty))
      for (const input of this.#demands.inputs) this.#push(0, { type: "input", node, input });
    this.#push(SUBMITTED_MS, { type: "clients" });
  }

  #setTimer(node: Node, name: string, inMs: number): void {
    node.timers.set(name, this.#sequence);
    this.#push(inMs, { type: "timer", node, name });
  }

  #push(inMs: number, item: Event): void {
    this.#queue.push({ at: this.#at + inMs, sequence: this.#sequence, item });
    this.#sequence += 1;
  }
}

function highestRound(nodes: readonly Node[]): number {
  let highest = 0;
  for (const { state } of nodes)
    for (const { round, decided } of state.slots.records.values())
      if (decided === undefined && round > highest) highest = round;
  return highest;
}
