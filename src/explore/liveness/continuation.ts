/**
 * Fair run without further faults from a global state: real validators under a virtual clock, bounded by a generous
 * number of rounds instead of the exploration's bounds.
 *
 * The run begins at GST: all messages sent before are lost, and each later message arrives after `DELAY_MS`. Honest
 * validators begin with the states and timers of a path, or with a normal form (fingerprint.ts) and the timers set in it.
 * Correct clients and the operator resubmit their demands to the same f honest validators: they contact f + 1, one of
 * which is Byzantine. The Byzantine validator is silent, or silent after votes and commits for every value in every round
 * within the bounds, which arrive at GST, or correct from GST on: it then runs the real program from its start, without
 * its earlier signatures.
 */
import type { Address } from "../../core/base/ids.ts";
import { CLOSING_ROUND_MS, SYNC_MS, TAKEOVER_MS, TAKEOVER_STAGGER_MS, TOKEN_MS } from "../../core/validator/limits.ts";
import type { ValidatorState } from "../../core/validator/state.ts";
import { timerName, timerOf } from "../../core/validator/timer.ts";
import { EventQueue } from "../../simulator/queue.ts";
import { CONTINUATION_MS, CONTINUATION_ROUNDS, DELAY_MS, RESUBMISSION_MS, STEP_TIME_MS } from "../limits.ts";
import type { Participant, System } from "../model/system.ts";
import type { Demand, Demands } from "./demands.ts";
import type { Execution, ExecutionTree, HistoryAction, NumberedInput } from "./execution-tree.ts";

/** Behaviour of the Byzantine validator in a continuation. */
export type ByzantineBehaviour = "silent" | "equivocating" | "correct";

/** Surroundings of a continuation. */
export interface Surroundings {
  readonly byzantine: ByzantineBehaviour;
  /** Indices of the honest validators that clients contact. */
  readonly contacts: readonly number[];
  /** Messages that every honest validator receives at GST. */
  readonly planted: readonly NumberedInput[];
}

/** Continuation that ended with an unmet demand. */
export interface Stall {
  readonly byzantine: ByzantineBehaviour;
  /** First demand that an honest validator does not meet. */
  readonly demand: Demand;
  /** Exceeded bound as text: rounds, or milliseconds since GST. */
  readonly bound: string;
  /** Honest validators at the end. */
  readonly states: readonly ValidatorState[];
}

/** One honest validator at GST. */
export interface ContinuationStart {
  /** Name of the state; equal states of one validator have equal names. */
  readonly name: string;
  readonly state: ValidatorState;
  /** Timers that are set, each with its milliseconds from GST on. */
  readonly timers: ReadonlyMap<string, number>;
}

interface ContinuationNode {
  readonly validator: Participant;
  execution: Execution;
  /** For each timer that is set, the sequence number of the event that fires it. */
  readonly timers: Map<string, number>;
}

type NodeEvent = Readonly<{ node: ContinuationNode; input: NumberedInput }>;

type ContinuationEvent = NodeEvent | "clients";

const TIME_BOUND = `${CONTINUATION_MS} ms after the last fault`;
const ROUND_BOUND = `${CONTINUATION_ROUNDS} more rounds`;

/** Returns the start of the `index`-th honest validator in normal form; its timers have their usual durations. */
export function continuationStart(name: string, state: ValidatorState, index: number): ContinuationStart {
  const timers = new Map([[timerName({ kind: "sync" }), SYNC_MS]]);
  for (const [key] of state.slots.retries.entries())
    timers.set(timerName({ kind: "retry", slot: key }), TAKEOVER_MS + index * TAKEOVER_STAGGER_MS);
  for (const [name] of state.slots.timers.entries())
    timers.set(name, timerOf(name).kind === "token" ? TOKEN_MS : CLOSING_ROUND_MS);
  return { name, state, timers };
}

/** Continuation of a global state, which its honest validators' states define. */
export class Continuation {
  readonly #executions: ExecutionTree;
  readonly #honest: readonly ContinuationNode[];
  readonly #surroundings: Surroundings;
  readonly #nodes = new Map<Address, ContinuationNode>();
  readonly #demands: Demands;
  readonly #submissions: readonly NumberedInput[];
  readonly #lastRound: number;
  readonly #queue = new EventQueue<ContinuationEvent>();
  #sequence = 0;
  #now = STEP_TIME_MS;

  constructor(
    system: System,
    starts: readonly ContinuationStart[],
    surroundings: Surroundings,
    demands: Demands,
    executions: ExecutionTree,
  ) {
    this.#executions = executions;
    this.#surroundings = surroundings;
    this.#demands = demands;
    this.#submissions = demands.inputs.map((input) => executions.numberInput(input));
    this.#honest = system.honest.map((validator, index) => {
      const { name, state } = starts[index] as ContinuationStart;
      return this.#addNode(validator, `${index} ${name}`, () => state);
    });
    for (const [index, node] of this.#honest.entries())
      for (const [name, delayMs] of (starts[index] as ContinuationStart).timers)
        this.#setTimer(node, name, executions.numberInput({ type: "timer", name }), this.#now + delayMs);
    for (const node of this.#honest) for (const input of surroundings.planted) this.#push(0, { node, input });
    if (surroundings.byzantine === "correct") {
      const node = this.#addNode(system.byzantine, "first start", () => system.byzantine.program.start());
      this.#push(0, { node, input: executions.numberInput({ type: "start" }) });
    }
    this.#lastRound = this.#highestRound() + CONTINUATION_ROUNDS;
    this.#push(0, "clients");
  }

  /** Runs until all demands are met or a bound is exceeded; returns the stall in the latter case. */
  run(): Stall | undefined {
    let unmet = this.#unmetDemand();
    while (unmet !== undefined) {
      const { first } = this.#queue;
      if (first === undefined || first.at > STEP_TIME_MS + CONTINUATION_MS) return this.#stall(unmet, TIME_BOUND);
      if (this.#highestRound() > this.#lastRound) return this.#stall(unmet, ROUND_BOUND);
      this.#queue.pop();
      this.#now = first.at;
      if (first.item === "clients") this.#submitDemands();
      else if (this.#processEvent(first.item, first.sequence)) unmet = this.#unmetDemand();
    }
    return undefined;
  }

  #stall(demand: Demand, bound: string): Stall {
    const states = this.#honest.map(({ execution }) => execution.state);
    return { byzantine: this.#surroundings.byzantine, demand, bound, states };
  }

  #unmetDemand(): Demand | undefined {
    const states = this.#honest.map(({ execution }) => execution.state);
    return this.#demands.all.find(
      ({ isMet, isTriggered }) => !states.every(isMet) && (isTriggered === undefined || states.some(isTriggered)),
    );
  }

  #highestRound(): number {
    let highest = 0;
    for (const { execution } of this.#honest) if (execution.round > highest) highest = execution.round;
    return highest;
  }

  #addNode(validator: Participant, name: string, makeState: () => ValidatorState): ContinuationNode {
    const node = { validator, execution: this.#executions.start(name, makeState), timers: new Map<string, number>() };
    this.#nodes.set(validator.key, node);
    return node;
  }

  /** Processes one event; returns true if it may have met a demand. */
  #processEvent({ node, input }: NodeEvent, sequence: number): boolean {
    if (input.input.type === "timer") {
      const { name } = input.input;
      if (node.timers.get(name) !== sequence) return false;
      node.timers.delete(name);
    }
    const { execution, actions, mayMeet } = this.#executions.step(node.validator, node.execution, input, this.#now);
    node.execution = execution;
    for (const action of actions) this.#carryOut(node, action);
    return mayMeet;
  }

  #carryOut(node: ContinuationNode, action: HistoryAction): void {
    switch (action.type) {
      case "send":
        for (const key of action.to) {
          const to = this.#nodes.get(key);
          if (to !== undefined) this.#push(to === node ? 0 : DELAY_MS, { node: to, input: action.input });
        }
        return;
      case "setTimer":
        this.#setTimer(node, action.name, action.input, action.at);
        return;
      case "cancelTimer":
        node.timers.delete(action.name);
    }
  }

  #submitDemands(): void {
    for (const contact of this.#surroundings.contacts)
      for (const input of this.#submissions) this.#push(0, { node: this.#honest[contact] as ContinuationNode, input });
    this.#push(RESUBMISSION_MS, "clients");
  }

  #setTimer(node: ContinuationNode, name: string, input: NumberedInput, at: number): void {
    node.timers.set(name, this.#sequence);
    this.#push(at - this.#now, { node, input });
  }

  #push(delayMs: number, item: ContinuationEvent): void {
    this.#queue.push({ at: this.#now + delayMs, sequence: this.#sequence, item });
    this.#sequence += 1;
  }
}
