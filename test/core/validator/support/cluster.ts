/** A few validators joined by links that the test may cut, to test one validator's steps among its peers. */

import { requireDefined } from "../../../../src/core/base/assert.ts";
import type { CheckpointPolicy, EpochParameters, Genesis } from "../../../../src/core/base/epoch.ts";
import type { Address, Millis } from "../../../../src/core/base/ids.ts";
import type { OperationId, Submission } from "../../../../src/core/base/operation.ts";
import { createAuthenticator, standInDigest } from "../../../../src/core/consensus/authenticator.ts";
import type { SignedMessage } from "../../../../src/core/consensus/message.ts";
import { keyedHash } from "../../../../src/core/crypto/keyed-hash.ts";
import { stateRoot } from "../../../../src/core/ledger/roots.ts";
import { balanceOf } from "../../../../src/core/ledger/state.ts";
import type { CoveragePoint } from "../../../../src/core/validator/coverage-points.ts";
import {
  environmentOf,
  type SharedEnvironment,
  sharedEnvironment,
} from "../../../../src/core/validator/environment.ts";
import type { PeerMessage } from "../../../../src/core/validator/message.ts";
import {
  carryOut,
  type DurableRecord,
  type Output,
  type OutputHandler,
  type Reply,
  type ValidatorEvent,
} from "../../../../src/core/validator/output.ts";
import { type Rules, rules as realRules } from "../../../../src/core/validator/rules.ts";
import { createValidator, type ValidatorState } from "../../../../src/core/validator/state.ts";
import { type Input, step } from "../../../../src/core/validator/step.ts";
import { addressOf, CHAIN, idOf, keyOf, proposalOf, testGenesis, USD } from "./operations.ts";

/** Far more than any test needs: an endless cycle of messages shows as a failure. */
const STEPS_MAX = 20_000;

/** No checkpoint falls due by itself in a test. */
export const RARE: CheckpointPolicy = { intervalMs: 3_600_000, slots: 100, limit: 100, periodSeconds: 0, empty: false };

interface Delivery {
  readonly at: number;
  readonly seq: number;
  readonly node: number;
  readonly input: Input;
}

/** Recorded step of one node, complete enough to repeat it. */
export interface Recorded {
  readonly input: Input;
  readonly outputs: readonly Output[];
}

/** Optional parts of a cluster. */
export interface ClusterParts {
  readonly epochLength?: number;
  /** Nodes that are in no committee of epoch 0: v(N+1) and on. */
  readonly spares?: number;
}

/**
 * Validators v1..vN at positions 0..N-1, and spare ones after them; messages take `delay` ms. Each node has a second
 * key, `v1/2` and so on, with which it signs if that one is in the committee.
 */
export class Cluster {
  readonly nodes: ValidatorState[];
  readonly disks: Map<string, DurableRecord>[];
  readonly replies: { node: number; client: string; id: string; reply: Reply }[] = [];
  readonly coverage = new Map<CoveragePoint, number>();
  readonly reports: Extract<Output, { type: "report" }>[] = [];
  /** Steps of each node since its last start. */
  readonly recorded: Recorded[][];
  /** Every signature ever made, delivered or not. */
  readonly signatures: SignedMessage[] = [];
  /** Delivered messages, in order. */
  readonly messages: PeerMessage[] = [];
  readonly events: { readonly node: number; readonly event: ValidatorEvent }[] = [];
  readonly down = new Set<number>();
  now = 0;
  steps = 0;
  /** Returns true for a message that is dropped. */
  cut: (from: number, to: number, message: PeerMessage) => boolean = () => false;
  /** Returns true if a node crashes instead of carrying out this output. */
  crash: (node: number, output: Output) => boolean = () => false;
  private queue: Delivery[] = [];
  private readonly timers = new Map<string, number>();
  private seq = 0;
  private readonly delay: number;
  readonly genesis: Genesis;
  private readonly rules: Rules;
  private readonly shared: SharedEnvironment;

  private readonly effects: OutputHandler<number> = {
    persist: (node, { key, record }) => void this.disks[node]?.set(key, record),
    erase: (node, { key }) => void this.disks[node]?.delete(key),
    sign: (node, { to, message }) => {
      const self = this.address(node);
      const name = requireDefined(
        keyNames(node).find((one) => addressOf(one) === self),
        "its key",
      );
      const signature = keyedHash.sign(keyOf(name), standInDigest(CHAIN, message.body));
      const made = { ...message.body, signer: self, signature } as SignedMessage;
      this.signatures.push(made);
      this.send(node, to, { ...message, body: made });
    },
    send: (node, { to, message }) => this.send(node, to, message),
    setTimer: (node, { name, at }) => {
      this.timers.set(`${node} ${name}`, this.seq);
      this.push(node, { type: "timer", at, name }, at - this.now);
    },
    cancelTimer: (node, { name }) => void this.timers.delete(`${node} ${name}`),
    reply: (node, { client, id, reply }) => void this.replies.push({ node, client, id, reply }),
    coverage: (_, { point }) => void this.coverage.set(point, (this.coverage.get(point) ?? 0) + 1),
    report: (_, output) => void this.reports.push(output),
    event: (node, { event }) => void this.events.push({ node, event }),
  };

  constructor(
    n: number,
    delay = 5,
    rules: Rules = realRules,
    checkpoints?: CheckpointPolicy,
    { epochLength, spares = 0 }: ClusterParts = {},
  ) {
    this.delay = delay;
    this.rules = rules;
    this.genesis = { ...testGenesis(n), checkpoints, epochLength };
    this.shared = sharedEnvironment(this.genesis, createAuthenticator(CHAIN, keyedHash), rules);
    this.nodes = Array.from({ length: n + spares }, (_, at) => this.fresh(at));
    this.disks = this.nodes.map(() => new Map());
    this.recorded = this.nodes.map(() => []);
  }

  /** A validator in its initial state, at this position. */
  fresh(node: number): ValidatorState {
    const keys = keyNames(node).map(addressOf);
    return createValidator(environmentOf(this.shared, keys, this.rules));
  }

  /** Address of the key with which it signs now. */
  address(node: number): Address {
    return this.node(node).environment.self;
  }

  /** Submits the operator's proposal to a node. */
  govern(node: number, next: Partial<EpochParameters>, epoch = this.node(node).ledger.epoch): void {
    const signed = proposalOf({ ...this.node(node).ledger.parameters, ...next }, epoch);
    this.push(node, { type: "govern", at: this.now as Millis, signed }, 0);
  }

  /** Starts every node, as a world does. */
  begin(): void {
    for (const at of this.nodes.keys()) this.push(at, { type: "start", at: this.now as Millis }, 0);
  }

  /** Stops a node and erases its disk. */
  wipe(node: number): void {
    this.stop(node);
    this.disks[node] = new Map();
  }

  node(at: number): ValidatorState {
    return this.nodes[at] as ValidatorState;
  }

  submit(node: number, submission: Submission, client = "client"): OperationId {
    this.push(node, { type: "submit", at: this.now as Millis, client, submission }, 0);
    return idOf(submission);
  }

  /** Outputs of a node since its last start. */
  outputs(node: number): readonly Output[] {
    return (this.recorded[node] ?? []).flatMap(({ outputs }) => outputs);
  }

  /** Reasons for which nodes have halted. */
  get halts(): readonly string[] {
    return this.events.flatMap(({ event }) => (event.type === "halted" ? [event.reason] : []));
  }

  /** Delivers a message as if this peer had sent it. */
  inject(from: number, to: number, message: PeerMessage): void {
    this.push(to, { type: "message", at: 0 as Millis, from: this.address(from), message }, 0);
  }

  /** Stops a node: its memory is lost and it receives nothing. */
  stop(node: number): void {
    this.down.add(node);
    this.queue = this.queue.filter((delivery) => delivery.node !== node);
  }

  /** Restarts a node from its disk, without its memory. */
  restart(node: number): void {
    this.stop(node);
    this.down.delete(node);
    this.nodes[node] = this.fresh(node);
    this.recorded[node] = [];
    const records = [...(this.disks[node] ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
    this.push(node, { type: "restart", at: this.now as Millis, records }, 0);
  }

  run(until: number): void {
    while (this.step(until));
    this.now = until;
  }

  /** Runs the next event up to `until`; false if there is none. */
  step(until: number): boolean {
    const first = this.next();
    if (first === undefined || first.at > until) return false;
    this.queue.splice(this.queue.indexOf(first), 1);
    this.now = first.at;
    const { node } = first;
    if (first.input.type === "timer" && this.timers.get(`${node} ${first.input.name}`) !== first.seq) return true;
    this.steps++;
    if (this.steps > STEPS_MAX) throw new Error(`cluster: no end after ${STEPS_MAX} steps, at ${this.now} ms`);
    const input = { ...first.input, at: this.now as Millis };
    const outputs = step(this.node(node), input);
    this.recorded[node]?.push({ input, outputs });
    if (input.type === "message") this.messages.push(input.message);
    for (const output of outputs) {
      if (this.crash(node, output)) {
        this.stop(node);
        break;
      }
      carryOut(this.effects, node, output);
    }
    return true;
  }

  /** Returns the last reply to a client about a submission. */
  replyTo(id: OperationId, client = "client"): Reply | undefined {
    return this.replies.filter((replyTo) => replyTo.id === id && replyTo.client === client).at(-1)?.reply;
  }

  /** Returns all replies to a client about a submission, in short form. */
  statuses(id: OperationId): readonly string[] {
    return this.replies.filter((replyTo) => replyTo.id === id).map(({ reply }) => shortOf(reply));
  }

  /** Balances of an account at all nodes that are up; one entry if they agree. */
  balances(name: string): readonly bigint[] {
    const up = this.nodes.filter((_, at) => !this.down.has(at));
    return [...new Set(up.map(({ ledger }) => balanceOf(ledger, addressOf(name), USD)))];
  }

  /** State roots of all nodes that are up; one entry if they agree. */
  roots(): readonly string[] {
    return [...new Set(this.nodes.filter((_, at) => !this.down.has(at)).map(({ ledger }) => stateRoot(ledger)))];
  }

  private next(): Delivery | undefined {
    let first: Delivery | undefined;
    for (const delivery of this.queue)
      if (first === undefined || delivery.at < first.at || (delivery.at === first.at && delivery.seq < first.seq))
        first = delivery;
    return first;
  }

  private send(node: number, to: readonly Address[], message: PeerMessage): void {
    for (const peer of to) {
      const target = this.nodes.findIndex((_, at) => keyNames(at).some((name) => addressOf(name) === peer));
      // A message to a key without a node is dropped.
      if (target < 0) continue;
      if (target !== node && this.cut(node, target, message)) continue;
      const input: Input = { type: "message", at: 0 as Millis, from: this.address(node), message };
      this.push(target, input, target === node ? 0 : this.delay);
    }
  }

  private push(node: number, input: Input, after: number): void {
    if (!this.down.has(node)) this.queue.push({ at: this.now + after, seq: this.seq++, node, input });
  }
}

/** The names of a node's keys. */
function keyNames(node: number): readonly string[] {
  return [`v${node + 1}`, `v${node + 1}/2`];
}

/** `pending`, `final`, `failed: <code>`, `refused: <code>`, `superseded`. */
function shortOf(reply: Reply): string {
  switch (reply.status) {
    case "refused":
      return `refused${reply.disclosed ? "" : " undisclosed"}: ${reply.refusal.code}`;
    case "final":
      return reply.receipt.success ? "final" : `failed: ${reply.receipt.error?.code}`;
    case "pending":
      return reply.barred === undefined ? "pending" : `barred: ${reply.barred.code}`;
    default:
      return reply.status;
  }
}
