/** State of one node in a world, its signing keys, and the key of its epoch. */
import { required } from "../../core/base/assert.ts";
import type { Address, Epoch, Hash, Signature } from "../../core/base/ids.ts";
import type { StatementContent } from "../../core/consensus/message.ts";
import { BATCH_LIMIT, batchedSignature, type SignedRecord } from "../../core/crypto/batch.ts";
import type { PrivateKey, Scheme } from "../../core/crypto/scheme.ts";
import type { LedgerState } from "../../core/ledger/state.ts";
import type { Peer, UnsignedMessage } from "../../core/validator/message.ts";
import type { DurableRecord, Output, ValidatorEvent } from "../../core/validator/output.ts";
import type { StrategyPlan } from "../byzantine/registry.ts";
import type { Strategy } from "../byzantine/strategy.ts";
import type { NodeView } from "../listener.ts";
import type { ActiveKey, OutputPattern, Program, Statements } from "../plan.ts";
import type { Stream } from "../random.ts";
import type { NodeName } from "../settings.ts";
import type { Disk, DiskState } from "./disk.ts";

export interface Timer {
  /** Sequence number of the event that will fire it: an event with another number is stale. */
  readonly sequence: number;
  readonly isForeground: boolean;
}

/** Active strategy. */
export interface ActiveStrategy {
  readonly name: StrategyPlan["name"];
  /** The strategy is made of it. */
  readonly plan: StrategyPlan;
  readonly strategy: Strategy;
  readonly memory: unknown;
  readonly stream: Stream;
  readonly draws: number;
}

/** Pending crash between two outputs. */
export interface PendingCrash {
  /** Outputs left to carry out, or `undefined` if `output` decides. */
  readonly left: number | undefined;
  readonly output: OutputPattern | undefined;
  readonly restartAfterMs: number | undefined;
}

/** Statement that waits for the signature of its batch. */
export interface WaitingStatement {
  readonly to: readonly Peer[];
  readonly message: UnsignedMessage;
  readonly signer: Signer;
}

/** Statements that a node signs at once. */
export interface OpenBatch {
  /** Sequence number of the event that ends it. */
  readonly sequence: number;
  readonly statements: WaitingStatement[];
}

/** Constants of a node of one world. */
export interface NodeConfig {
  readonly name: NodeName;
  readonly index: number;
  /** By address, the first key first. */
  readonly signers: ReadonlyMap<Address, Signer>;
  readonly keys: readonly Address[];
  readonly program: Program;
  readonly diskStream: Stream;
}

/** State of a node: plain data, with the program's capture of its own. */
export interface NodeState
  extends Pick<Node, "honest" | "running" | "incarnation" | "isWiped" | "lostDisk" | "activeKey" | "backlog">,
    Pick<Node, "writing" | "covered" | "ahead" | "pendingCrash"> {
  readonly state: unknown;
  readonly disk: DiskState;
  readonly timers: ReadonlyMap<string, Timer>;
  readonly strategies: readonly Pick<ActiveStrategy, "plan" | "memory" | "draws">[];
  readonly batch: BatchState | undefined;
}

/** Open batch; signers by their addresses. */
interface BatchState extends Pick<OpenBatch, "sequence"> {
  readonly statements: readonly (Omit<WaitingStatement, "signer"> & { readonly signer: Address })[];
}

export class Node implements NodeView {
  readonly config: NodeConfig;
  honest: boolean;
  running = false;
  /** Number of starts minus one; -1 before the first. */
  incarnation = -1;
  /** True if its disk was erased since it last ran. */
  isWiped = false;
  /** True if its disk was ever erased: it is honest, and signs nothing before the next epoch (protocol 11.3). */
  lostDisk = false;
  state: unknown = undefined;
  /** Active key; it changes when a closing is carried out, not when the step before produces it. */
  activeKey: ActiveKey;
  readonly disk: Disk;
  /** By name. */
  timers: Map<string, Timer> = new Map();
  /** Outputs not yet carried out, from `done` on. */
  backlog: readonly Output[] = [];
  done = 0;
  /** Sequence number of the event that ends the current write. */
  writing: number | undefined;
  /** Number of next outputs that the last write covers: their records are being written. */
  covered = 0;
  /** Statements taken at the current virtual time, if it signs in batches. */
  batch: OpenBatch | undefined;
  /** Milliseconds by which its clock is ahead of virtual time. */
  ahead = 0;
  strategies: readonly ActiveStrategy[] = [];
  pendingCrash: PendingCrash | undefined;

  constructor(fixture: NodeConfig, disk: Disk, honest: boolean) {
    this.config = fixture;
    this.disk = disk;
    this.honest = honest;
    this.activeKey = { self: required(fixture.keys[0], "first key"), epoch: 0 as Epoch };
  }

  get name(): NodeName {
    return this.config.name;
  }

  get key(): Address {
    return this.activeKey.self;
  }

  get keys(): readonly Address[] {
    return this.config.keys;
  }

  /** Returns a copy of its state. O(records, timers and waiting outputs). */
  capture(): NodeState {
    const { honest, running, incarnation, isWiped, lostDisk, activeKey, writing, covered, ahead, pendingCrash } = this;
    const { program } = this.config;
    const stateOf = (state: unknown): unknown => program.capture?.(state) ?? program.fork(state);
    return {
      ...{ honest, running, incarnation, isWiped, lostDisk, activeKey, writing, covered, ahead, pendingCrash },
      state: running ? stateOf(this.state) : undefined,
      disk: this.disk.capture(),
      timers: new Map(this.timers),
      backlog: this.backlog.slice(this.done),
      strategies: this.strategies.map(({ plan, memory, draws }) => ({ plan, memory, draws })),
      batch: this.batch && batchState(this.batch),
    };
  }

  /** Returns to a captured state, which stays as it is. `activate` makes a strategy of its plan. */
  restore(captured: NodeState, activate: (plan: StrategyPlan) => ActiveStrategy): void {
    const { state, disk, timers, strategies, batch, ...plain } = captured;
    const { program } = this.config;
    Object.assign(this, plain);
    this.done = 0;
    this.state = captured.running ? (program.restore?.(state) ?? program.fork(state)) : undefined;
    this.disk.restore(disk);
    this.timers = new Map(timers);
    this.strategies = strategies.map(({ plan, memory, draws }) => ({ ...activate(plan), memory, draws }));
    this.batch = batch && this.#openBatch(batch);
  }

  #openBatch({ sequence, statements }: BatchState): OpenBatch {
    const signerOf = (address: Address): Signer => required(this.config.signers.get(address), `signer of ${address}`);
    return { sequence, statements: statements.map((one) => ({ ...one, signer: signerOf(one.signer) })) };
  }
}

function batchState({ sequence, statements }: OpenBatch): BatchState {
  return { sequence, statements: statements.map((one) => ({ ...one, signer: one.signer.address })) };
}

/** Signs statements of one chain with one key, which cannot be read back. */
export class Signer {
  readonly address: Address;
  readonly #key: PrivateKey;
  readonly #scheme: Scheme;
  readonly #statements: Statements;

  constructor(scheme: Scheme, key: PrivateKey, statements: Statements) {
    this.address = scheme.addressOf(key);
    this.#key = key;
    this.#scheme = scheme;
    this.#statements = statements;
  }

  /** Returns what a signature of this statement signs. */
  digestOf(body: StatementContent): Hash {
    return this.#statements.statement(body).digest;
  }

  /** Deterministic: one statement, one signature. The caller reports the signature to the listener. */
  sign(body: StatementContent): SignedRecord {
    const statement = this.#statements.statement(body);
    const { digest } = statement;
    const signature = this.#scheme.sign(this.#key, digest, this.address);
    statement.made(this.address, signature);
    return { digest, signature };
  }

  /**
   * Signs the root of these statements (protocol 3.5); a single one plainly, and more than `BATCH_LIMIT` in several
   * batches. A statement that repeats is one leaf. Returns a record for each distinct statement in their order.
   */
  signAll(bodies: readonly StatementContent[]): readonly SignedRecord[] {
    const distinct = new Map(bodies.map((body) => [this.digestOf(body), body] as const));
    const all = [...distinct];
    const records: SignedRecord[] = [];
    for (let from = 0; from < all.length; from += BATCH_LIMIT)
      records.push(...this.#signBatch(all.slice(from, from + BATCH_LIMIT)));
    return records;
  }

  /** Signs the root of a batch. */
  signRoot(root: Hash): Signature {
    return this.#scheme.sign(this.#key, root, this.address);
  }

  #signBatch(statements: readonly (readonly [digest: Hash, body: StatementContent])[]): readonly SignedRecord[] {
    const [first] = statements;
    if (first !== undefined && statements.length === 1) return [this.sign(first[1])];
    const { root, paths } = this.#statements.batches.batchOf(statements.map(([digest]) => digest));
    const ofRoot = this.signRoot(root);
    return statements.map(([digest, body], at) => {
      const signature = batchedSignature(ofRoot, required(paths[at], "path of a statement"));
      this.#statements.statement(body).made(this.address, signature);
      return { digest, signature };
    });
  }
}

/** Returns the key and epoch by the program's state. */
export function activeKeyNow({ config: fixture, state, activeKey: standing }: Node): ActiveKey {
  return fixture.program.activeKeyOf?.(state) ?? standing;
}

/** At a start: by the program's state, or by the snapshot that it restores in its first step. */
export function activeKeyAtStart(
  node: Node,
  records: readonly (readonly [key: string, record: DurableRecord])[],
): ActiveKey {
  for (const [, record] of records) if (record.of === "snapshot") return activeKeyIn(node, record.state);
  return activeKeyNow(node);
}

/**
 * After an event: one step may end an epoch, and its earlier outputs belong to the ending epoch, even if a slow disk
 * delays their signatures.
 */
export function activeKeyAfter(node: Node, event: ValidatorEvent): ActiveKey {
  return event.type === "closed" || event.type === "joined" ? activeKeyIn(node, event.state) : node.activeKey;
}

function activeKeyIn({ keys }: Node, { epoch, parameters }: LedgerState): ActiveKey {
  const members = new Set(parameters.validators.map(({ key }) => key));
  return { self: keys.find((key) => members.has(key)) ?? required(keys[0], "first key"), epoch };
}
