/** State of one node in a world, its signing keys, and the key of its epoch. */
import { requireDefined } from "../../core/base/assert.ts";
import type { Address, Epoch, Hash, Signature } from "../../core/base/ids.ts";
import type { StatementContent } from "../../core/consensus/message.ts";
import type { PrivateKey, Scheme } from "../../core/crypto/scheme.ts";
import type { LedgerState } from "../../core/ledger/state.ts";
import type { Output, ValidatorEvent } from "../../core/validator/output.ts";
import type { StrategyPlan } from "../byzantine/registry.ts";
import type { Strategy } from "../byzantine/strategy.ts";
import type { NodeView, WorldEvent } from "../listener.ts";
import type { ActiveKey, Program, Statements } from "../plan.ts";
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
  readonly output: { readonly type: Output["type"] } | undefined;
  readonly restartAfterMs: number | undefined;
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
  extends Pick<
      Node,
      | "honest"
      | "running"
      | "isSuspended"
      | "waiting"
      | "incarnation"
      | "isWiped"
      | "lostDisk"
      | "lostKeys"
      | "activeKey"
      | "backlog"
    >,
    Pick<Node, "signedWith" | "writing" | "covered" | "ahead" | "pendingCrash"> {
  readonly state: unknown;
  readonly disk: DiskState;
  readonly timers: ReadonlyMap<string, Timer>;
  readonly strategies: readonly Pick<ActiveStrategy, "plan" | "memory" | "draws">[];
}

export class Node implements NodeView {
  readonly config: NodeConfig;
  honest: boolean;
  running = false;
  /** True while it stands still with its memory. */
  isSuspended = false;
  /** Events that reached it since it is suspended, in their order. */
  waiting: readonly WorldEvent[] = [];
  /** Number of starts minus one; -1 before the first. */
  incarnation = -1;
  /** True if its disk was erased since it last ran. */
  isWiped = false;
  /** True from the loss of its disk until it signs again, with a new key (protocol 11.3). */
  lostDisk = false;
  /** Keys with which it has signed. */
  signedWith: readonly Address[] = [];
  /** Keys that went with a lost disk: those with which it had signed. */
  lostKeys: readonly Address[] = [];
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
  /** Milliseconds by which its clock is ahead of virtual time. */
  ahead = 0;
  strategies: readonly ActiveStrategy[] = [];
  pendingCrash: PendingCrash | undefined;

  constructor(fixture: NodeConfig, disk: Disk, honest: boolean) {
    this.config = fixture;
    this.disk = disk;
    this.honest = honest;
    this.activeKey = { self: requireDefined(fixture.keys[0], "first key"), epoch: 0 as Epoch };
  }

  get name(): NodeName {
    return this.config.name;
  }

  get key(): Address {
    return this.activeKey.self;
  }

  get keys(): readonly Address[] {
    const { config, lostKeys } = this;
    return lostKeys.length === 0 ? config.keys : config.keys.filter((key) => !lostKeys.includes(key));
  }

  /** Returns true for a key that it has lost: messages to it reach nobody. */
  hasLost(key: Address): boolean {
    return this.lostKeys.length > 0 && this.lostKeys.includes(key) && key !== this.key;
  }

  /** Notes that its active key has signed. */
  noteSignature(): void {
    this.lostDisk = false;
    if (!this.signedWith.includes(this.key)) this.signedWith = [...this.signedWith, this.key];
  }

  /** Loses its records, and with them each key that has signed: a record tells what not to sign (protocol 11.3). */
  loseDisk(): void {
    this.disk.wipe();
    this.lostKeys = this.signedWith;
    this.isWiped = true;
    this.lostDisk = true;
  }

  /** Returns a copy of its state. O(records, timers and waiting outputs). */
  capture(): NodeState {
    const { honest, running, isSuspended, waiting, incarnation, isWiped, lostDisk, signedWith, lostKeys } = this;
    const { activeKey, writing, covered, ahead, pendingCrash } = this;
    const { program } = this.config;
    const stateOf = (state: unknown): unknown => program.capture?.(state) ?? program.fork(state);
    return {
      ...{ honest, running, isSuspended, waiting, incarnation, isWiped, lostDisk, signedWith, lostKeys },
      ...{ activeKey, writing, covered, ahead, pendingCrash },
      state: running ? stateOf(this.state) : undefined,
      disk: this.disk.capture(),
      timers: new Map(this.timers),
      backlog: this.backlog.slice(this.done),
      strategies: this.strategies.map(({ plan, memory, draws }) => ({ plan, memory, draws })),
    };
  }

  /** Returns to a captured state, which stays as it is. `activate` makes a strategy of its plan. */
  restore(captured: NodeState, activate: (plan: StrategyPlan) => ActiveStrategy): void {
    const { state, disk, timers, strategies, ...plain } = captured;
    const { program } = this.config;
    Object.assign(this, plain);
    this.done = 0;
    this.state = captured.running ? (program.restore?.(state) ?? program.fork(state)) : undefined;
    this.disk.restore(disk);
    this.timers = new Map(timers);
    this.strategies = strategies.map(({ plan, memory, draws }) => ({ ...activate(plan), memory, draws }));
  }
}

export type Signer = ReturnType<typeof createSigner>;

/** Returns a signer of statements of one chain with one key, which cannot be read back. */
export function createSigner(scheme: Scheme, key: PrivateKey, statements: Statements) {
  const address = scheme.addressOf(key);
  return {
    address,
    /** Deterministic: one statement, one signature. The caller reports the signature to the listener. */
    sign: (body: StatementContent): { readonly digest: Hash; readonly signature: Signature } => {
      const statement = statements.statement(body);
      const { digest } = statement;
      const signature = scheme.sign(key, digest, address);
      statement.noteOwnSignature(address, signature);
      return { digest, signature };
    },
  };
}

/** Returns the key and epoch by the program's state. */
export function activeKeyNow({ config: fixture, state, activeKey: standing }: Node): ActiveKey {
  return fixture.program.activeKeyOf?.(state) ?? standing;
}

/** At a start: by the program's state, or by the snapshot that it restores in its first step. */
export function activeKeyAtStart(node: Node, records: ReturnType<Disk["records"]>): ActiveKey {
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
  return { self: keys.find((key) => members.has(key)) ?? requireDefined(keys[0], "first key"), epoch };
}
