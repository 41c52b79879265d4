/** State of a world and its primitives: schedule, look up, notify. All else is functions over it. */
import { requireDefined } from "../core/base/assert.ts";
import type { Address, Hash, Millis } from "../core/base/ids.ts";
import type { ClientName } from "../core/validator/message.ts";
import type { StrategyPlan } from "./byzantine/registry.ts";
import type { Client, ClientState } from "./clients/client.ts";
import type { Digester, Trace } from "./digest.ts";
import type { Arrival, WorldEvent, WorldListener } from "./listener.ts";
import type { Network, NetworkState } from "./network/network.ts";
import type { ActiveStrategy, Node, NodeState } from "./nodes/node.ts";
import type { Action, PlannedAction, Trigger, WorkloadPlan, WorldPlan } from "./plan.ts";
import { type Entry, EventQueue } from "./queue.ts";
import type { Choices, Lanes } from "./random.ts";
import type { Schedule } from "./schedule/methods.ts";
import type { NodeName, Party } from "./settings.ts";

/** Trigger with remaining occurrences. */
export interface ArmedTrigger {
  readonly left: number;
  readonly planned: Extract<PlannedAction, { when: Trigger }>;
  /** Lists and skips that hold the operation of the trigger, by their hashes: a vote names no more. */
  readonly values: readonly Hash[];
}

export interface RunningWorkload {
  readonly plan: WorkloadPlan;
  readonly accounts: readonly { readonly client: ClientName; readonly account: Address }[];
}

/** Change of a run against another run of the same plan: what arrives, and from when on chance is another one. */
export interface Intervention {
  /**
   * Called with each parcel that has reached a party from another one, once. Returns the parcels that it receives in its
   * place, in this order: none loses it; later ones of the same receiver may come before it.
   */
  readonly arrivalsFor?: (arrival: Arrival) => readonly Arrival[];
  /** After event number `after` all chance is drawn from another seed. */
  readonly reseed?: { readonly after: number; readonly seed: string };
}

/** Constants of a world, and caches of pure functions. */
export interface WorldConfig {
  readonly plan: WorldPlan;
  /** Nodes, then clients: a party's index is its place here. */
  readonly parties: readonly Party[];
  readonly indexOf: ReadonlyMap<Party, number>;
  /** Nodes by key, in the order of the plan: several are twins. */
  readonly holders: ReadonlyMap<Address, readonly number[]>;
  /** First node of each key: the entry validators for clients. */
  readonly entryNodes: readonly NodeName[];
  readonly digester: Digester;
  readonly intervention: Intervention;
  /** Carries out an action (faults.ts). A reference, since triggers act inside the events that fire them. */
  readonly act: (engine: Engine, action: Action) => void;
  /** Makes a strategy of a node (byzantine/apply-strategies.ts). */
  readonly activated: (engine: Engine, node: Node, plan: StrategyPlan) => ActiveStrategy;
}

/** State of a world at a moment between two events: plain data, maps, sets, tables and tries. */
export interface WorldState
  extends Pick<Engine, "now" | "steps" | "sequence" | "foreground" | "armed" | "workloads" | "routes" | "core"> {
  readonly hash: Lanes;
  readonly queue: readonly Entry<WorldEvent>[];
  /** Memory of the schedule. */
  readonly turns: unknown;
  readonly nodes: readonly NodeState[];
  readonly clients: readonly ClientState[];
  readonly network: NetworkState;
}

export class Engine {
  readonly config: WorldConfig;
  readonly listener: WorldListener;
  readonly choices: Choices;
  readonly trace: Trace;
  readonly nodes: readonly Node[];
  readonly clients: readonly Client[];
  readonly network: Network;
  now: Millis = 0 as Millis;
  steps = 0;
  queue: EventQueue<WorldEvent> = new EventQueue();
  sequence = 0;
  /** Number of scheduled events that keep the world from being quiet: all but background timers and stale events. */
  foreground = 0;
  armed: readonly ArmedTrigger[] = [];
  workloads: readonly RunningWorkload[] = [];
  /** Twin that a party reaches, by `from>key`. */
  routes: ReadonlyMap<string, NodeName> = new Map();
  core: readonly NodeName[] | undefined;
  /** Schedule of the threads; by time if undefined (schedule/schedule.ts). */
  scheduler: Schedule | undefined;

  constructor(
    config: WorldConfig,
    listener: WorldListener,
    parts: Pick<Engine, "choices" | "trace" | "nodes" | "clients" | "network">,
  ) {
    this.config = config;
    this.listener = listener;
    this.choices = parts.choices;
    this.trace = parts.trace;
    this.nodes = parts.nodes;
    this.clients = parts.clients;
    this.network = parts.network;
  }

  /** Queues an event and returns its sequence number. */
  schedule(at: number, item: WorldEvent, isForeground = true): number {
    this.sequence += 1;
    this.queue.push({ at, sequence: this.sequence, item });
    if (isForeground) this.foreground += 1;
    return this.sequence;
  }

  /** @throws RangeError for an unknown name. */
  index(party: Party): number {
    const index = this.config.indexOf.get(party);
    if (index === undefined) throw new RangeError(`world: no node or client is called "${party}"`);
    return index;
  }

  /** @throws RangeError for an unknown name. */
  node(name: NodeName): Node {
    const node = this.nodes[this.index(name)];
    if (node === undefined) throw new RangeError(`world: "${name}" is not a node`);
    return node;
  }

  /** Returns the client of this name; `undefined` for one outside the plan. */
  client(name: string): Client | undefined {
    const index = this.config.indexOf.get(name);
    return index === undefined ? undefined : this.clients[index - this.nodes.length];
  }

  /** Returns true if the party is a node. */
  isNode(index: number): boolean {
    return index < this.nodes.length;
  }

  /** Returns the name of a party. */
  nameOf(index: number): Party {
    return this.config.parties[index] as Party;
  }

  /** Returns a copy of its state, without the constants. O(n) in all that waits, and in what disks and clients hold. */
  capture(): WorldState {
    const { now, steps, sequence, foreground, armed, workloads, routes, core } = this;
    return {
      ...{ now, steps, sequence, foreground, armed, workloads, routes, core },
      hash: this.trace.capture(),
      queue: this.queue.entries(),
      turns: this.scheduler?.memory,
      nodes: this.nodes.map((node) => node.capture()),
      clients: this.clients.map((client) => client.capture()),
      network: this.network.capture(),
    };
  }

  /** Returns to a state that a world of the same plan captured; it stays as it is. */
  restore(captured: WorldState): void {
    const { hash, queue, turns, nodes, clients, network, ...plain } = captured;
    Object.assign(this, plain);
    this.trace.restore(hash);
    this.queue = new EventQueue(queue);
    if (this.scheduler !== undefined) this.scheduler = { ...this.scheduler, memory: turns };
    for (const [index, node] of this.nodes.entries())
      node.restore(requireDefined(nodes[index], node.name), (plan) => this.config.activated(this, node, plan));
    for (const [index, client] of this.clients.entries()) client.restore(requireDefined(clients[index], client.name));
    this.network.restore(network);
  }
}
