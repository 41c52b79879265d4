/** A small builder of observation streams: what a world would have shown, record by record. */
import type { Amount } from "../../src/core/base/amount.ts";
import type { Address, Epoch, Hash, Millis, Round, Version } from "../../src/core/base/ids.ts";
import type { Recovery, Role, SignedOperation } from "../../src/core/base/operation.ts";
import type { Receipt } from "../../src/core/base/receipt.ts";
import type { Refusal } from "../../src/core/base/refusal.ts";
import { type Slot, slotKey } from "../../src/core/base/slot.ts";
import { chronicler } from "../../src/invariants/chronicle.ts";
import type { Oracle } from "../../src/invariants/fold.ts";
import type {
  Answer,
  Change,
  Happening,
  NodeName,
  Observed,
  ObservedToken,
  Setting,
  Statement,
  Violation,
} from "../../src/invariants/observation.ts";
import { bounds } from "../../src/invariants/quorum.ts";
import type { Policy } from "../../src/invariants/reference/policy.ts";
import { atGenesis, type Constants, changesBetween, type LedgerState } from "../../src/invariants/reference/state.ts";
import { applySlot } from "../../src/invariants/reference-ledger.ts";
import { tokenAddress } from "../../src/invariants/token-address.ts";
import { address, type Decision, hash, ISSUER, list, own } from "./vocabulary.ts";

/** Builds records. Nodes apply by the reference ledger, so that a stream is clean until a test spoils it. */
export class Stream {
  readonly records: Observed[] = [];
  readonly setting: Setting;
  readonly #constants: Constants;
  readonly #genesis: LedgerState;
  readonly #ledgers = new Map<NodeName, LedgerState>();
  #step = 0;
  at = 0;

  constructor(of: Setting) {
    this.setting = of;
    this.#constants = { genesis: of.genesis, addressOf: tokenAddress };
    this.#genesis = atGenesis(of.genesis);
  }

  get quorum(): number {
    return bounds(this.setting.genesis.validators.length).quorum;
  }

  names(): readonly NodeName[] {
    return this.setting.nodes.map(({ node }) => node);
  }

  push(happening: Happening): this {
    this.#step++;
    this.at++;
    this.records.push({ ...happening, step: this.#step, at: this.at as Millis });
    return this;
  }

  isHonest(node: NodeName): boolean {
    return this.setting.nodes.find((one) => one.node === node)?.honest ?? true;
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

  /** A copy of the submission reaches the node. */
  ask(node: NodeName, name: string): this {
    return this.push({ type: "asked", node, honest: this.isHonest(node), id: hash(name) });
  }

  reply(node: NodeName, name: string, answer: Answer): this {
    return this.push({ type: "replied", node, honest: this.isHonest(node), id: hash(name), answer });
  }

  answer(
    client: string,
    name: string,
    answer: Answer,
    more: { from?: NodeName; slot?: Slot; value?: Hash; quorum?: number } = {},
  ): this {
    const slot = more.slot === undefined ? undefined : slotKey(more.slot);
    const { from = "v1", value, quorum = 0 } = more;
    return this.push({ type: "answered", client, id: hash(name), from, answer, slot, value, quorum });
  }

  content(value: Hash, decision: Decision): this {
    return this.push({ type: "content", hash: value, value: decision.value, operations: decision.operations });
  }

  sign(node: NodeName, statement: Statement): this {
    return this.push({
      type: "signed",
      node,
      key: address(node.replace("'", "")),
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
        epoch: 0 as Epoch,
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
      this.sign(node, { kind, epoch: 0 as Epoch, slot: slotKey(slot), round: round as Round, value });
    return this;
  }

  decide(node: NodeName, slot: Slot, value: Hash, signers: readonly NodeName[], round = 0): this {
    return this.push({
      type: "decided",
      node,
      honest: this.isHonest(node),
      epoch: 0 as Epoch,
      slot,
      round: round as Round,
      value,
      signers: signers.map((name) => address(name)),
    });
  }

  /** The node applies a decision as the reference does; `spoil` may change what it shows. */
  apply(node: NodeName, decision: Decision, spoil: (shown: Shown) => Shown = (shown) => shown): this {
    const honest = this.isHonest(node);
    const before = this.#ledgers.get(node) ?? this.#genesis;
    const { slot, value, operations } = decision;
    const outcome = applySlot(before, slot, value, operations, this.#constants);
    this.#ledgers.set(node, outcome.state);
    const changes = shownBetween(before, outcome.state);
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
    return this.push({ type: "applied", node, honest, slot, value, operations, ...spoil({ changes, receipts }) });
  }

  /** Everything from the handing in to the application at all nodes, in round 0. */
  settle(
    name: string,
    decision: Decision,
    more: { nodes?: readonly NodeName[]; handedIn?: boolean; spoil?: (shown: Shown, node: NodeName) => Shown } = {},
  ): this {
    const value = hash(`value ${name}`);
    const nodes = more.nodes ?? this.names();
    const [signed] = decision.operations;
    if (decision.value.type === "operation" && signed !== undefined && more.handedIn !== false)
      this.submit("somebody", name, signed);
    this.content(value, decision).vote(nodes, decision.slot, value).commit(nodes, decision.slot, value);
    for (const node of nodes) {
      this.decide(node, decision.slot, value, nodes.slice(0, this.quorum));
      this.apply(node, decision, (shown) => more.spoil?.(shown, node) ?? shown);
    }
    return this;
  }

  /** A token operation: authorised in its signer's slot, then listed alone. */
  govern(name: string, sequence: number, version: number, operation: SignedOperation): this {
    return this.settle(name, own(name, sequence, operation)).settle(`${name} list`, list(version, [[name, operation]]));
  }

  crash(node: NodeName): this {
    this.#ledgers.delete(node);
    return this.push({ type: "crashed", node });
  }

  restart(node: NodeName): this {
    return this.push({ type: "restarted", node, wiped: false });
  }

  heal(core: readonly NodeName[] = this.names()): this {
    return this.push({ type: "healed", core });
  }

  end(roots: Readonly<Record<NodeName, string>> = {}, rested = true): this {
    for (const [node, root] of Object.entries(roots)) {
      const facts = shownBetween(this.#genesis, this.#ledgers.get(node) ?? this.#genesis);
      this.push({ type: "root", node, honest: this.isHonest(node), root: hash(root), facts });
    }
    return this.push({ type: "ended", rested });
  }
}

export interface Shown {
  readonly changes: readonly Change[];
  readonly receipts: readonly Receipt[];
}

function shownBetween(before: LedgerState, after: LedgerState): readonly Change[] {
  return changesBetween(before, after).map(
    (change): Change =>
      change.of === "token" ? { of: "token", token: change.token, after: observed(change.state) } : change,
  );
}

function observed({ version, policy }: { version: number; policy: Policy | undefined }): ObservedToken {
  const roles = [...(policy?.roles.entries() ?? [])].map(([key, allowance]) => {
    const [role, holder] = key.split("/") as [Role, Address];
    return { role, address: holder, allowance: allowance as Amount };
  });
  return {
    version: version as Version,
    decimals: policy?.decimals ?? 0,
    masterAuthority: policy?.master ?? ISSUER,
    isPrivate: policy?.isPrivate ?? false,
    isPaused: policy?.isPaused ?? true,
    minted: (policy?.everMinted ?? 0n) as Amount,
    roles,
    blacklist: [...(policy?.blacklist.entries() ?? [])].map(([one]) => one as Address),
    whitelist: [...(policy?.whitelist.entries() ?? [])].map(([one]) => one as Address),
  };
}

/** What an oracle says of a stream. */
export function judged(oracle: Oracle, stream: Stream): readonly Violation[] {
  const seen = chronicler(stream.setting);
  return stream.records.flatMap((record) => {
    seen.observe(record);
    return oracle.heeds.includes(record.type) ? oracle.observe(record, seen) : [];
  });
}

/** The details of the violations, as a person reads them. */
export function details(oracle: Oracle, stream: Stream): readonly string[] {
  return judged(oracle, stream).map(({ detail }) => detail);
}
