/** State of one node in a world. */
import { present } from "../../core/base/assert.ts";
import type { Address, Epoch } from "../../core/base/ids.ts";
import { Trie } from "../../core/base/trie.ts";
import type { Output } from "../../core/validator/output.ts";
import type { Strategy } from "../byzantine/strategy.ts";
import type { NodeView } from "../listener.ts";
import type { NodeName, OutputPattern, Program, Standing, StrategyPlan } from "../plan.ts";
import type { Stream } from "../random.ts";
import type { Disk } from "./disk.ts";
import type { Signer } from "./signer.ts";

export interface Timer {
  /** Sequence number of the event that will fire it: an event with another number is stale. */
  readonly sequence: number;
  readonly isForeground: boolean;
}

/** Active strategy. */
export interface Active {
  readonly name: StrategyPlan["name"];
  readonly strategy: Strategy;
  readonly memory: unknown;
  readonly stream: Stream;
  readonly draws: number;
}

/** Pending crash between two outputs. */
export interface Doom {
  /** Outputs left to carry out, or `undefined` if `output` decides. */
  readonly left: number | undefined;
  readonly output: OutputPattern | undefined;
  readonly restartAfterMs: number | undefined;
}

/** Constants of a node of one world and all its forks. */
export interface Fixture {
  readonly name: NodeName;
  readonly index: number;
  /** By address, the first key first. */
  readonly signers: ReadonlyMap<Address, Signer>;
  readonly keys: readonly Address[];
  readonly program: Program;
  readonly diskStream: Stream;
}

export class Node implements NodeView {
  readonly fixture: Fixture;
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
  standing: Standing;
  disk: Disk;
  timers: Trie<Timer> = Trie.empty();
  /** Outputs not yet carried out, from `done` on. */
  backlog: readonly Output[] = [];
  done = 0;
  /** Sequence number of the event that ends the current write. */
  writing: number | undefined;
  /** Number of next outputs that the last write covers: their records are being written. */
  covered = 0;
  /** Milliseconds by which its clock is ahead of virtual time. */
  ahead = 0;
  strategies: readonly Active[] = [];
  doom: Doom | undefined;

  constructor(fixture: Fixture, disk: Disk, honest: boolean) {
    this.fixture = fixture;
    this.disk = disk;
    this.honest = honest;
    this.standing = firstStanding(fixture);
  }

  get name(): NodeName {
    return this.fixture.name;
  }

  get key(): Address {
    return this.standing.self;
  }

  get keys(): readonly Address[] {
    return this.fixture.keys;
  }

  /** O(1) beside the program's own fork and the waiting outputs. */
  fork(): Node {
    const copy = new Node(this.fixture, this.disk, this.honest);
    copy.running = this.running;
    copy.incarnation = this.incarnation;
    copy.isWiped = this.isWiped;
    copy.lostDisk = this.lostDisk;
    copy.state = this.running ? this.fixture.program.fork(this.state) : undefined;
    copy.standing = this.standing;
    copy.timers = this.timers;
    copy.backlog = this.backlog.slice(this.done);
    copy.writing = this.writing;
    copy.covered = this.covered;
    copy.ahead = this.ahead;
    copy.strategies = this.strategies;
    copy.doom = this.doom;
    return copy;
  }
}

function firstStanding({ keys }: Fixture): Standing {
  return { self: present(keys[0], "first key"), epoch: 0 as Epoch };
}
