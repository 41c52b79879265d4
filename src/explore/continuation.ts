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
import type { Address } from "../core/base/ids.ts";
import { CLOSING_ROUND_MS, SYNC_MS, TAKEOVER_MS, TAKEOVER_STAGGER_MS, TOKEN_MS } from "../core/validator/limits.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { EventQueue } from "../simulator/queue.ts";
import type { Demand, Demands } from "./demands.ts";
import type { Action, Histories, History, NumberedInput, Walker } from "./histories.ts";
import { CONTINUED_MS, CONTINUED_ROUNDS, DELAY_MS, NOW_MS, SUBMITTED_MS } from "./limits.ts";
import type { System } from "./system.ts";

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
  /** Equal for equal states of one validator. */
  readonly name: string;
  readonly state: ValidatorState;
  /** Timers that are set, each with its milliseconds from GST on. */
  readonly timers: ReadonlyMap<string, number>;
}

interface Node {
  readonly walker: Walker;
  history: History;
  /** For each timer that is set, the sequence number of the event that fires it. */
  readonly timers: Map<string, number>;
}

type NodeEvent = Readonly<{ node: Node; input: NumberedInput }>;

type Event = NodeEvent | "clients";

const TIME_BOUND = `${CONTINUED_MS} ms after the last fault`;
const ROUND_BOUND = `${CONTINUED_ROUNDS} more rounds`;

/** Returns the start of the `index`-th honest validator in normal form; its timers have their usual durations. */
export function continuationStart(name: string, state: ValidatorState, index: number): ContinuationStart {
  const timers = new Map([["sync", SYNC_MS]]);
  for (const [key] of state.slots.retries.entries())
    timers.set(`retry ${key}`, TAKEOVER_MS + index * TAKEOVER_STAGGER_MS);
  for (const [key] of state.slots.timers.entries())
    timers.set(key, key.startsWith("token ") ? TOKEN_MS : CLOSING_ROUND_MS);
  return { name, state, timers };
}

/** Continuation of a global state, given by its honest validators. */
export class Continuation {
  readonly #faulty: number;
  readonly #histories: Histories;
  readonly #honest: readonly Node[];
  readonly #byzantine: ByzantineBehaviour;
  readonly #nodes = new Map<Address, Node>();
  readonly #demands: Demands;
  readonly #submissions: readonly NumberedInput[];
  readonly #lastRound: number;
  readonly #queue = new EventQueue<Event>();
  #sequence = 0;
  #at = NOW_MS;

  constructor(
    system: System,
    starts: readonly ContinuationStart[],
    byzantine: ByzantineBehaviour,
    demands: Demands,
    histories: Histories,
  ) {
    this.#faulty = system.committee.faulty;
    this.#histories = histories;
    this.#byzantine = byzantine;
    this.#demands = demands;
    this.#submissions = demands.inputs.map((input) => histories.numbered(input));
    this.#honest = system.honest.map((walker, by) => {
      const { name, state } = starts[by] as ContinuationStart;
      return this.#joined(walker, `${by} ${name}`, () => state);
    });
    for (const [by, node] of this.#honest.entries())
      for (const [name, inMs] of (starts[by] as ContinuationStart).timers)
        this.#setTimer(node, name, histories.numbered({ type: "timer", name }), this.#at + inMs);
    if (byzantine === "correct") {
      const node = this.#joined(system.byzantine, "first start", () => system.byzantine.program.start());
      this.#push(0, { node, input: histories.numbered({ type: "start" }) });
    }
    this.#lastRound = this.#highestRound() + CONTINUED_ROUNDS;
    this.#push(0, "clients");
  }

  /** Runs until all demands are met or a bound is exceeded. */
  run(): Stall | undefined {
    let unmet = this.#unmet();
    while (unmet !== undefined) {
      const { first } = this.#queue;
      if (first === undefined || first.at > NOW_MS + CONTINUED_MS) return this.#stall(unmet, TIME_BOUND);
      if (this.#highestRound() > this.#lastRound) return this.#stall(unmet, ROUND_BOUND);
      this.#queue.pop();
      this.#at = first.at;
      if (first.item === "clients") this.#submitDemands();
      else if (this.#take(first.item, first.sequence)) unmet = this.#unmet();
    }
    return undefined;
  }

  #stall(demand: Demand, bound: string): Stall {
    const states = this.#honest.map(({ history }) => history.state);
    return { byzantine: this.#byzantine, demand, bound, states };
  }

  #unmet(): Demand | undefined {
    return this.#demands.all.find(({ isMet }) => !this.#honest.every(({ history }) => isMet(history.state)));
  }

  #highestRound(): number {
    let highest = 0;
    for (const { history } of this.#honest) if (history.round > highest) highest = history.round;
    return highest;
  }

  #joined(walker: Walker, name: string, makeState: () => ValidatorState): Node {
    const node = { walker, history: this.#histories.start(name, makeState), timers: new Map<string, number>() };
    this.#nodes.set(walker.key, node);
    return node;
  }

  /** Processes one event; returns true if it may have met a demand. */
  #take({ node, input }: NodeEvent, sequence: number): boolean {
    if (input.input.type === "timer") {
      const { name } = input.input;
      if (node.timers.get(name) !== sequence) return false;
      node.timers.delete(name);
    }
    const { history, actions, mayMeet } = this.#histories.step(node.walker, node.history, input, this.#at);
    node.history = history;
    for (const action of actions) this.#carryOut(node, action);
    return mayMeet;
  }

  #carryOut(node: Node, action: Action): void {
    switch (action.type) {
      case "send":
        this.#send(node, action.to, action.input);
        return;
      case "setTimer":
        this.#setTimer(node, action.name, action.input, action.at);
        return;
      case "cancelTimer":
        node.timers.delete(action.name);
    }
  }

  #send(from: Node, to: readonly Address[], input: NumberedInput): void {
    for (const key of to) {
      const node = this.#nodes.get(key);
      if (node !== undefined) this.#push(node === from ? 0 : DELAY_MS, { node, input });
    }
  }

  #submitDemands(): void {
    for (const node of this.#honest.slice(0, this.#faulty))
      for (const input of this.#submissions) this.#push(0, { node, input });
    this.#push(SUBMITTED_MS, "clients");
  }

  #setTimer(node: Node, name: string, input: NumberedInput, at: number): void {
    node.timers.set(name, this.#sequence);
    this.#push(at - this.#at, { node, input });
  }

  #push(inMs: number, item: Event): void {
    this.#queue.push({ at: this.#at + inMs, sequence: this.#sequence, item });
    this.#sequence += 1;
  }
}
