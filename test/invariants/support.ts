/** Builder of observation streams, record by record, and tests of what oracles find in them. */
import { expect, test } from "vitest";
import type { Amount } from "../../src/core/base/amount.ts";
import type { EpochParameters } from "../../src/core/base/epoch.ts";
import type { Address, CheckpointNumber, Epoch, Hash, Millis, Round } from "../../src/core/base/ids.ts";
import type { Recovery, SignedOperation } from "../../src/core/base/operation.ts";
import type { Receipt, Refusal } from "../../src/core/base/refusal.ts";
import { type CheckpointValue, type ClosingValue, type Slot, slotKey, type Value } from "../../src/core/base/slot.ts";
import type { Trie } from "../../src/core/base/trie.ts";
import type { Oracle } from "../../src/invariants/fold.ts";
import { Chronicle } from "../../src/invariants/history/chronicle.ts";
import { bounds } from "../../src/invariants/history/quorum.ts";
import type {
  Change,
  Claim,
  ClientReply,
  ClosingCause,
  DurableStatement,
  Event,
  NodeName,
  ObservedEvent,
  ObservedToken,
  RunSetting,
  Statement,
  Violation,
} from "../../src/invariants/observation.ts";
import { applyClosing } from "../../src/invariants/reference/epoch.ts";
import { applySlot } from "../../src/invariants/reference/ledger.ts";
import { genesisPolicy } from "../../src/invariants/reference/policy.ts";
import {
  genesisLedger,
  hasEffect,
  type LedgerState,
  type Move,
  type TokenState,
} from "../../src/invariants/reference/state.ts";
import {
  checkpoint,
  checkpointSlot,
  closing,
  type Ending,
  epochSlotOf,
  type Listing,
  operationsIn,
  parametersOf,
} from "./closings.ts";
import { LinkRoots } from "./link-roots.ts";
import { address, type Decision, hash, list, own, usd } from "./vocabulary.ts";

export const PENDING: ClientReply = { status: "pending" };

/** A refusal of what nobody else has received. */
export function refused(refusal: Refusal): ClientReply {
  return { status: "refused", refusal, disclosed: false };
}

/** Builds records. Nodes apply by the reference ledger, so that a stream is clean until a test spoils it. */
export class Stream {
  readonly records: ObservedEvent[] = [];
  readonly setting: RunSetting;
  readonly #ledgers = new Map<NodeName, LedgerState>();
  readonly #roots: LinkRoots;
  /** All changes of a node since the genesis. */
  readonly #facts = new Map<NodeName, readonly Change[]>();
  #step = 0;
  at = 0;
  /** Epoch of all signatures. */
  epoch = 0;
  /** Current key of a node, if not its first one. */
  readonly keys = new Map<NodeName, Address>();

  constructor(of: RunSetting) {
    this.setting = of;
    this.#roots = new LinkRoots(of.genesis);
  }

  get quorum(): number {
    return bounds(this.setting.genesis.validators.length).quorum;
  }

  names(): readonly NodeName[] {
    return this.setting.nodes.map(({ node }) => node);
  }

  push(happening: Event): this {
    this.#step++;
    this.at++;
    this.records.push({ ...happening, step: this.#step, at: this.at as Millis });
    return this;
  }

  /** Lets so many milliseconds pass. */
  later(ms = 6_000): this {
    this.at += ms;
    return this;
  }

  /** Signs what follows for this epoch. */
  inEpoch(epoch: number): this {
    this.epoch = epoch;
    return this;
  }

  isHonest(node: NodeName): boolean {
    return this.setting.nodes.find((other) => other.node === node)?.honest ?? true;
  }

  submit(
    client: string,
    name: string,
    submission: SignedOperation | Recovery,
    to: NodeName = "v1",
    correct = true,
  ): this {
    return this.push({ type: "submitted", client, id: hash(name), submission, to, correct });
  }

  /** Submitted, received at once, and answered with `pending`. */
  submitPending(...[client, name, submission, to = "v1", correct = true]: Parameters<Stream["submit"]>): this {
    return this.submit(client, name, submission, to, correct).ask(to, name).reply(to, name, { status: "pending" });
  }

  /** A copy of the submission reaches the node. */
  ask(node: NodeName, name: string, client = "alice"): this {
    return this.push({ type: "submissionReceived", node, honest: this.isHonest(node), id: hash(name), client });
  }

  /** A step makes the last reply, which leaves later. */
  makeReply(node: NodeName, name: string, client = "alice"): this {
    return this.push({ type: "replyMade", node, honest: this.isHonest(node), id: hash(name), client });
  }

  reply(node: NodeName, name: string, answer: ClientReply, client = "alice"): this {
    return this.push({ type: "replied", node, honest: this.isHonest(node), id: hash(name), client, answer });
  }

  answer(
    client: string,
    name: string,
    answer: ClientReply,
    more: { from?: NodeName; slot?: Slot; value?: Hash; quorum?: number } = {},
  ): this {
    const slot = more.slot === undefined ? undefined : slotKey(more.slot);
    const { from = "v1", value, quorum = 0 } = more;
    return this.push({ type: "replyReceived", client, id: hash(name), from, answer, slot, value, quorum });
  }

  content(hashed: Hash, { value, operations }: { value: Value; operations: readonly SignedOperation[] }): this {
    return this.push({ type: "content", hash: hashed, value, operations });
  }

  sign(node: NodeName, statement: Statement): this {
    return this.push({
      type: "signed",
      node,
      key: this.keys.get(node) ?? address(node.replace("'", "")),
      honest: this.isHonest(node),
      statement,
    });
  }

  vote(nodes: readonly NodeName[], slot: Slot, value: Hash, round = 0): this {
    return this.#choose("vote", nodes, slot, value, round);
  }

  commit(nodes: readonly NodeName[], slot: Slot, value: Hash, round = 0): this {
    return this.#choose("commit", nodes, slot, value, round);
  }

  propose(node: NodeName, slot: Slot, value: Hash, round: number): this {
    return this.#choose("proposal", [node], slot, value, round);
  }

  change(nodes: readonly NodeName[], slot: Slot, round: number, lock?: { round: number; value: Hash }): this {
    const named = lock === undefined ? undefined : { round: lock.round as Round, value: lock.value };
    for (const node of nodes) {
      this.sign(node, {
        kind: "roundChange",
        epoch: this.epoch as Epoch,
        slot: slotKey(slot),
        round: round as Round,
        lock: named,
      });
    }
    return this;
  }

  #choose(
    kind: "vote" | "commit" | "proposal",
    nodes: readonly NodeName[],
    slot: Slot,
    value: Hash,
    round: number,
  ): this {
    for (const node of nodes)
      this.sign(node, { kind, epoch: this.epoch as Epoch, slot: slotKey(slot), round: round as Round, value });
    return this;
  }

  /** Each of the nodes closes the epoch with these claims. */
  close(nodes: readonly NodeName[], claims: readonly Claim[] = []): this {
    const epoch = this.epoch as Epoch;
    const slot = slotKey(epochSlotOf(epoch));
    for (const node of nodes) this.sign(node, { kind: "close", epoch, slot, round: 0 as Round, claims });
    return this;
  }

  decide(node: NodeName, slot: Slot, value: Hash, signers: readonly NodeName[], round = 0): this {
    return this.push({
      type: "decided",
      node,
      honest: this.isHonest(node),
      epoch: this.epoch as Epoch,
      slot,
      round: round as Round,
      value,
      signers: signers.map((name) => address(name)),
    });
  }

  /** The node applies a decision like the reference; `spoil` may change the record. */
  apply(node: NodeName, decision: Decision, alter: Alteration = (effects) => effects): this {
    const honest = this.isHonest(node);
    const { slot, value, operations } = decision;
    const outcome = applySlot(this.#ledgerOf(node), slot, value, operations);
    const changes = this.#changesAt(node);
    const receipts = outcome.receipts.map(
      ({ id, success, fee, feeToken, reasons }): Receipt => ({
        id,
        success,
        fee: fee as Amount,
        feeToken,
        error: success ? undefined : ({ code: reasons[0] } as Refusal),
        slot: slotKey(slot),
      }),
    );
    return this.push({ type: "applied", node, honest, slot, value, operations, ...alter({ changes, receipts }) });
  }

  /** All records from the submission to the application at all nodes, in round 0. */
  settle(
    name: string,
    decision: Decision,
    more: {
      nodes?: readonly NodeName[];
      appliers?: readonly NodeName[];
      submitted?: boolean;
      alter?: (effects: AppliedEffects, node: NodeName) => AppliedEffects;
    } = {},
  ): this {
    const value = hash(`value ${name}`);
    const nodes = more.nodes ?? this.names();
    const [signed] = decision.operations;
    if (decision.value.type === "operation" && signed !== undefined && more.submitted !== false)
      this.submit("somebody", name, signed);
    this.content(value, decision).vote(nodes, decision.slot, value).commit(nodes, decision.slot, value);
    for (const node of more.appliers ?? nodes) {
      this.decide(node, decision.slot, value, nodes.slice(0, this.quorum));
      this.apply(node, decision, (effects) => more.alter?.(effects, node) ?? effects);
    }
    return this;
  }

  /** The node applies its signer's operation of this nonce, in the slot of that number. */
  applyOwn(node: NodeName, name: string, operation: SignedOperation, alter?: Alteration): this {
    return this.apply(node, own(name, operation.operation.nonce, operation), alter);
  }

  /** All of its signer's operation of this nonce, in the slot of that number. */
  settleOwn(name: string, operation: SignedOperation, more: Parameters<Stream["settle"]>[2] = {}): this {
    return this.settle(name, own(name, operation.operation.nonce, operation), more);
  }

  /** A token operation: authorised in its signer's slot, then listed alone. */
  govern(name: string, sequence: number, version: number, operation: SignedOperation): this {
    return this.settle(name, own(name, sequence, operation)).settle(`${name} list`, list(version, [[name, operation]]));
  }

  /** The node applies a checkpoint; `root` is its state root afterwards. */
  checkpointed(
    node: NodeName,
    hashed: Hash,
    named: CheckpointValue,
    more: { operations?: readonly SignedOperation[]; root?: Hash } = {},
  ): this {
    const { operations = [] } = more;
    const value = this.isHonest(node) ? this.#roots.of(named, operations) : named;
    const { root = value.header.stateRoot } = more;
    return this.push({
      type: "checkpointed",
      node,
      honest: this.isHonest(node),
      hash: hashed,
      value,
      operations,
      root,
    });
  }

  /** All of a checkpoint at all nodes. */
  form(
    number: number,
    listing: Listing,
    more: { nodes?: readonly NodeName[]; appliers?: readonly NodeName[] } = {},
  ): this {
    const nodes = more.nodes ?? this.names();
    const [slot, hashed] = [checkpointSlot(number), hash(`checkpoint ${number}`)];
    const value = checkpoint(number, listing);
    const operations = operationsIn(listing);
    this.content(hashed, { value, operations }).vote(nodes, slot, hashed).commit(nodes, slot, hashed);
    for (const node of more.appliers ?? nodes) {
      this.decide(node, slot, hashed, nodes.slice(0, this.quorum));
      this.checkpointed(node, hashed, value, { operations });
    }
    return this;
  }

  /** The node applies a closing like the reference; `spoil` may change the record. */
  closed(
    node: NodeName,
    hashed: Hash,
    named: ClosingValue,
    more: {
      operations?: readonly SignedOperation[];
      root?: Hash;
      cause?: ClosingCause;
      alter?: ((changes: readonly Change[]) => readonly Change[]) | undefined;
    } = {},
  ): this {
    const { operations = [] } = more;
    const value = this.isHonest(node) ? this.#roots.of(named, operations) : named;
    applyClosing(this.#ledgerOf(node), value);
    const changes = this.#changesAt(node);
    const { root = value.header.stateRoot } = more;
    return this.push({
      type: "closed",
      node,
      honest: this.isHonest(node),
      hash: hashed,
      value,
      cause: more.cause ?? this.#causeOf(value),
      operations,
      changes: more.alter?.(changes) ?? changes,
      root,
    });
  }

  /** By default a proposal of the operator. */
  #causeOf({ epoch, next }: ClosingValue): ClosingCause {
    return { kind: "proposal", proposal: { chainId: this.setting.genesis.chainId, epoch, next } };
  }

  /** The operator's proposal reaches a node. */
  proposal(node: NodeName, next: EpochParameters, more: { authentic?: boolean; epoch?: number } = {}): this {
    const { authentic = true, epoch = this.epoch } = more;
    const proposal = { chainId: this.setting.genesis.chainId, epoch: epoch as Epoch, next };
    return this.push({ type: "proposalReceived", node, honest: this.isHonest(node), proposal, authentic });
  }

  /**
   * All of an epoch's end at all nodes: the proposal, the closes, the agreement on the closing, and its application.
   */
  turn(
    claims: readonly Claim[] = [],
    more: Partial<Ending> & {
      nodes?: readonly NodeName[];
      appliers?: readonly NodeName[];
      due?: number;
      name?: string;
      /** Decisions that the nodes have not applied yet. */
      brings?: readonly Decision[];
      alter?: (changes: readonly Change[], node: NodeName) => readonly Change[];
    } = {},
  ): this {
    const nodes = more.nodes ?? this.names();
    const next = more.next ?? parametersOf(this.setting);
    const value = closing({ ...more, epoch: this.epoch, next });
    const [slot, hashed] = [epochSlotOf(this.epoch), hash(more.name ?? `checkpoint ${value.header.number}`)];
    const operations = operationsIn(more.listing ?? []);
    if (more.due === undefined) this.proposal(nodes[0] as NodeName, next);
    this.close(nodes, claims).content(hashed, { value, operations });
    this.vote(nodes, slot, hashed).commit(nodes, slot, hashed);
    for (const node of more.appliers ?? nodes) {
      this.decide(node, slot, hashed, nodes.slice(0, this.quorum));
      for (const decision of more.brings ?? []) this.apply(node, decision);
      const cause =
        more.due === undefined
          ? this.#causeOf(value)
          : { kind: "checkpoint" as const, number: more.due as CheckpointNumber };
      const alter =
        more.alter === undefined ? undefined : (effects: readonly Change[]) => more.alter?.(effects, node) ?? effects;
      this.closed(node, hashed, value, { operations, cause, alter });
    }
    this.epoch++;
    return this;
  }

  crash(node: NodeName): this {
    this.#ledgers.delete(node);
    this.#facts.delete(node);
    return this.push({ type: "crashed", node });
  }

  restart(node: NodeName, durableStatements: readonly DurableStatement[] = [], wiped = false): this {
    return this.push({ type: "restarted", node, wiped, durableStatements });
  }

  heal(core: readonly NodeName[] = this.names()): this {
    return this.push({ type: "healed", core });
  }

  end(roots: Readonly<Record<NodeName, string>> = {}, quiescent = true): this {
    for (const [node, root] of Object.entries(roots)) {
      const facts = this.#facts.get(node) ?? [];
      const epoch = this.#epochOf(node);
      this.push({ type: "finalState", node, honest: this.isHonest(node), epoch, root: hash(root), facts });
    }
    return this.push({ type: "ended", quiescent });
  }

  /** Epoch after the last closing that the node applied in its present incarnation. */
  #epochOf(node: NodeName): Epoch {
    let epoch = 0;
    for (const record of this.records) {
      if (record.type === "closed" && record.node === node) epoch = record.value.epoch + 1;
      else if (record.type === "restarted" && record.node === node) epoch = 0;
    }
    return epoch as Epoch;
  }

  #ledgerOf(node: NodeName): LedgerState {
    const ledger = this.#ledgers.get(node) ?? genesisLedger(this.setting.genesis);
    this.#ledgers.set(node, ledger);
    return ledger;
  }

  #changesAt(node: NodeName): readonly Change[] {
    const changes = this.#ledgerOf(node).moves.filter(hasEffect).map(changeOf);
    this.#facts.set(node, [...(this.#facts.get(node) ?? []), ...changes]);
    return changes;
  }
}

export interface AppliedEffects {
  readonly changes: readonly Change[];
  readonly receipts: readonly Receipt[];
}

/** Spoils what a node shows of its application. */
export type Alteration = (effects: AppliedEffects) => AppliedEffects;

/** Gives each change of this kind other members. */
export function alterChange<Of extends Change["of"]>(
  of: Of,
  alter: (change: Change & { readonly of: Of }) => Partial<Change & { readonly of: Of }>,
): Alteration {
  const altered = (change: Change): Change =>
    change.of === of ? ({ ...change, ...alter(change as Change & { readonly of: Of }) } as Change) : change;
  return (effects) => ({ ...effects, changes: effects.changes.map(altered) });
}

/** Leaves out the changes of this kind. */
export function dropChange(of: Change["of"]): Alteration {
  return (effects) => ({ ...effects, changes: effects.changes.filter((change) => change.of !== of) });
}

export function addChange(change: Change): Alteration {
  return (effects) => ({ ...effects, changes: [...effects.changes, change] });
}

/** Gives each receipt other members. */
export function alterReceipt(other: Partial<Receipt>): Alteration {
  return (effects) => ({ ...effects, receipts: effects.receipts.map((receipt) => ({ ...receipt, ...other })) });
}

function changeOf(move: Move): Change {
  const shown = move.of === "token" ? { of: move.of, token: move.token, after: observed(move.state) } : { ...move };
  return shown as Change;
}

function observed({ version, policy = genesisPolicy(usd(), 0n) }: TokenState): ObservedToken {
  const keysOf = (trie: Trie<unknown>): readonly string[] => trie.entries().map(([key]) => key);
  const roles = policy.roles.entries().map(([key, allowance]) => {
    const [role, holder] = key.split("/");
    return { role, address: holder, allowance };
  });
  const lists = { blacklist: keysOf(policy.blacklist), whitelist: keysOf(policy.whitelist) };
  const named = { masterAuthority: policy.master, clawbackEnabled: policy.hasClawback, minted: policy.everMinted };
  return { ...policy, ...named, ...lists, version, roles, bridged: keysOf(policy.minted) } as unknown as ObservedToken;
}

/** Returns a judge or an oracle in the state of another one. */
export function copyOf<State, Part extends { capture(): State; restore(captured: State): void }>(
  original: Part,
  copy: Part,
): Part {
  copy.restore(original.capture());
  return copy;
}

/** Returns the violations that an oracle finds in a stream, or in the part of it between two records. */
export function judged(oracle: Oracle, stream: Stream, from = 0, to = stream.records.length): readonly Violation[] {
  const chronicle = new Chronicle(stream.setting);
  return stream.records.slice(0, to).flatMap((record, at) => {
    chronicle.observe(record);
    return at >= from && oracle.handles.includes(record.type) ? oracle.observe(record, chronicle) : [];
  });
}

/** Returns the texts of the violations. */
export function details(oracle: Oracle, stream: Stream): readonly string[] {
  return judged(oracle, stream).map(({ detail }) => detail);
}

/**
 * Returns the texts of what an oracle finds in a run to its end, which is added unless `ends` says that the run has one. A
 * copy from the middle finds the same in the rest.
 */
export function finder(oracleOf: (of: RunSetting) => Oracle, ends = true): (stream: Stream) => readonly string[] {
  return (stream) => {
    if (ends) stream.end();
    const half = stream.records.length >> 1;
    const original = oracleOf(stream.setting);
    const found = judged(original, stream, 0, half);
    const copy = copyOf(original, oracleOf(stream.setting));
    const rest = judged(original, stream, half);
    expect(judged(copy, stream, half)).toEqual(rest);
    return [...found, ...rest].map(({ detail }) => detail);
  };
}

/** Title of a test, its run, and a part of each violation in it, in order. */
export type Case = readonly [title: string, run: () => Stream, ...violations: readonly (string | RegExp)[]];

/** One test a case: these violations are found in the run, and no others. */
export function testRuns(find: (stream: Stream) => readonly string[], cases: readonly Case[]): void {
  for (const [title, run, ...violations] of cases)
    test(title, () => {
      const parts = violations.map((part) =>
        typeof part === "string" ? expect.stringContaining(part) : expect.stringMatching(part),
      );
      expect(find(run())).toEqual(parts);
    });
}
