/**
 * A judge of what clients are told. It reads the applied slots as the oracles do, runs the reference ledger over them,
 * one a validator, and says what every answer and frame must hold. It shares no code with what makes answers.
 */
import type { Address } from "../../../src/core/base/ids.ts";
import {
  type BatchPayment,
  isRecovery,
  type Operation,
  type SignedOperation,
} from "../../../src/core/base/operation.ts";
import type { CheckpointHeader, ListedDecision } from "../../../src/core/base/slot.ts";
import { transactionHash } from "../../../src/core/ledger/identity.ts";
import { copyOfState } from "../../../src/invariants/copy-state.ts";
import { operationsOf } from "../../../src/invariants/history/content.ts";
import type { EventOf, ObservedEvent } from "../../../src/invariants/observation.ts";
import { applyClosing, feeEntry } from "../../../src/invariants/reference/epoch.ts";
import { applySlot, type ModelReceipt } from "../../../src/invariants/reference/ledger.ts";
import { debitedAccount, effectSlotOf, tokenOf } from "../../../src/invariants/reference/operation-meaning.ts";
import type { JudgedGenesis } from "../../../src/invariants/reference/policy.ts";
import {
  balanceOf,
  countersOf,
  genesisLedger,
  type LedgerState,
  tokenStateOf,
} from "../../../src/invariants/reference/state.ts";
import {
  captureObservers,
  type Observers,
  type ObserversState,
  observersOf,
  restoreObservers,
} from "../../../src/run/observers.ts";
import type { CompiledScenario } from "../../../src/scenario/compile/compile.ts";
import type { WorldListener } from "../../../src/simulator/listener.ts";
import type { Json } from "../served/support.ts";

/** Accounts and tokens that an operation touches. */
export interface Touched {
  readonly parties: readonly string[];
  readonly tokens: readonly string[];
}

/** An operation as a client knows it. */
export interface Known extends Touched {
  readonly hash: string;
  readonly kind: string;
  /** In answers and frames (wire 2.1). */
  readonly type: string;
  readonly from: string;
  readonly nonce: number;
  /** Credited account; of a burn the one burned from. */
  readonly to: string | null;
  readonly token: string | null;
  readonly value: string | null;
  /** The message of its success (wire 1.4). */
  readonly message: string;
  /** Members of the receipt of a burn to another chain, its number aside. */
  readonly bridge?: Json;
  /** Members of the receipt of a batch. */
  readonly batch?: { readonly batch_info: Json; readonly execution_events: readonly unknown[] };
}

/** A write that was admitted. */
export interface Posted {
  readonly hash: string;
  readonly from: string;
  readonly nonce: number;
  readonly path: string;
  readonly body: Json;
  /** As the reference ledger reads it, and its subject; undefined for a recovery. */
  readonly signed: SignedOperation | undefined;
  readonly known: Known | undefined;
  readonly answer: Json;
  /** Validators that admitted it and have not crashed since. */
  readonly at: readonly string[];
  /** The epoch that the validator was in that admitted it last. */
  readonly epoch: number;
}

/** One validator's part. */
export interface Seen {
  readonly ledger: LedgerState;
  readonly applied: Set<string>;
  checkpoint: number;
}

/** Operations of a checkpoint in its order. */
export interface ListedCheckpoint {
  readonly hash: string;
  readonly header: CheckpointHeader;
  readonly listed: readonly ListedDecision[];
  readonly ids: readonly string[];
  readonly epoch: number;
}

/** Knowledge of a judge at a moment. */
export interface Remembered {
  readonly nodes: ReadonlyMap<string, Seen>;
  /** Copies of its maps, in the order of `#maps`. */
  readonly maps: readonly ReadonlyMap<string, unknown>[];
  readonly checkpoints: readonly ListedCheckpoint[];
  readonly inAccount: ReadonlySet<string>;
  readonly observers: ObserversState;
}

export class Judge {
  readonly nodes = new Map<string, Seen>();
  /** By id: operations in any applied slot, recoveries by their own. */
  readonly known = new Map<string, Known>();
  /** By id: what the first validator's reference ledger says of it. */
  readonly finals = new Map<string, ModelReceipt>();
  /** By id of a burn to another chain: how many its account made before. */
  readonly bridged = new Map<string, number>();
  /** Which operation used a nonce, by `account nonce`. */
  readonly deciders = new Map<string, string>();
  readonly checkpoints: ListedCheckpoint[] = [];
  /** Admitted operations, by hash. */
  readonly posted = new Map<string, Posted>();
  /** By hash: all operations that anybody submitted, the server itself included. */
  readonly submitted = new Map<string, SignedOperation>();
  /** Requests that a validator has not replied to, as `node id`. */
  readonly waiting = new Set<string>();
  /** Parties and tokens of the equivocation proofs that were posted for a recovery, by its hash, which covers none. */
  readonly posts = new Map<string, readonly Touched[]>();
  /** Commits that honest validators have signed, as `epoch slot round value signer`. */
  readonly commits = new Map<string, true>();
  /** Validators by epoch, in their order. */
  readonly committees = new Map<string, readonly string[]>();
  #genesis: JudgedGenesis | undefined;
  #observers: Observers | undefined;
  /** True while the network repeats events on its way back to a snapshot. */
  #isReturning = false;

  /** The listener for a served network. */
  readonly watcher = (compiled: CompiledScenario): WorldListener => {
    this.#genesis = compiled.setting.genesis;
    const observed = (record: ObservedEvent): void => this.#observe(record);
    this.#observers = observersOf(compiled, { observed, invariants: [] });
    return this.#observers.translator;
  };

  get #maps(): readonly Map<string, unknown>[] {
    const maps: readonly ReadonlyMap<string, unknown>[] = [
      this.known,
      this.finals,
      this.deciders,
      this.bridged,
      this.posted,
      this.posts,
      this.submitted,
      this.commits,
      this.committees,
    ];
    return maps as readonly Map<string, unknown>[];
  }

  /** Returns a copy of all that it knows. */
  capture(): Remembered {
    if (this.#observers === undefined) throw new Error("no world yet");
    return {
      nodes: copyOfSeen(this.nodes),
      maps: this.#maps.map((one) => new Map(one)),
      checkpoints: [...this.checkpoints],
      inAccount: new Set(this.#inAccount),
      observers: captureObservers(this.#observers),
    };
  }

  /** Forgets everything after a moment that `back` returns the network to. */
  async returnTo({ nodes, maps, checkpoints, inAccount, observers }: Remembered, back: () => Promise<void>) {
    this.#isReturning = true;
    await back();
    this.#isReturning = false;
    this.waiting.clear();
    refill(this.nodes, copyOfSeen(nodes));
    for (const [at, own] of this.#maps.entries()) refill(own, maps[at] ?? new Map());
    this.checkpoints.splice(0, this.checkpoints.length, ...checkpoints);
    this.#inAccount.clear();
    for (const id of inAccount) this.#inAccount.add(id);
    if (this.#observers !== undefined) restoreObservers(this.#observers, observers);
  }

  /** @throws Error before there is a world. */
  get genesis(): JudgedGenesis {
    if (this.#genesis === undefined) throw new Error("no world yet");
    return this.#genesis;
  }

  /** @throws Error for a validator that does not run. */
  at(node: string): Seen {
    const seen = this.nodes.get(node);
    if (seen !== undefined) return seen;
    const fresh: Seen = {
      ledger: genesisLedger(this.genesis),
      applied: new Set(),
      checkpoint: 0,
    };
    this.#learnCommittee(fresh.ledger);
    this.nodes.set(node, fresh);
    return fresh;
  }

  balance(node: string, account: string, token: string): bigint {
    return balanceOf(this.at(node).ledger, token as Address, account as Address);
  }

  nonce(node: string, account: string): number {
    return countersOf(this.at(node).ledger, account as Address).nonce;
  }

  policy(node: string, token: string) {
    return tokenStateOf(this.at(node).ledger, token as Address).policy;
  }

  paymentFee(node: string, token: string): bigint {
    return feeEntry(this.at(node).ledger.epoch.parameters.fees, token as Address).payment;
  }

  /** Burns to other chains so far. */
  bridgeNonce(node: string, account: string): number {
    return countersOf(this.at(node).ledger, account as Address).bridgeNonce ?? 0;
  }

  /** The last epoch that any validator is in. */
  get epoch(): number {
    return Math.max(0, ...[...this.nodes.values()].map(({ ledger }) => ledger.epoch.number));
  }

  /** The token's supply: of all balances and fee pools. */
  supply(node: string, token: string): bigint {
    const { balances, pools } = this.at(node).ledger;
    let sum = pools.get(token as Address) ?? 0n;
    for (const held of (balances.get(token as Address) ?? new Map<Address, bigint>()).values()) sum += held;
    return sum;
  }

  /** The id of the operation of a hash; `undefined` before any validator applied its slot. */
  idOf(hash: string): string | undefined {
    for (const [id, known] of this.known) if (known.hash === hash) return id;
    return undefined;
  }

  #observe(record: ObservedEvent): void {
    if (this.#isReturning) return;
    if (record.type === "crashed" || record.type === "restarted") this.nodes.delete(record.node);
    if (record.type === "crashed")
      for (const [hash, one] of this.posted)
        this.posted.set(hash, { ...one, at: one.at.filter((node) => node !== record.node) });
    if (record.type === "submitted") this.waiting.add(`${record.to} ${record.id}`);
    if (record.type === "replied") this.waiting.delete(`${record.node} ${record.id}`);
    if (record.type === "submitted" && !isRecovery(record.submission))
      this.submitted.set(transactionHash(record.submission), record.submission);
    if (record.type === "signed" && record.statement.kind === "commit") {
      const { epoch, slot, round, value } = record.statement;
      this.commits.set(`${epoch} ${slot} ${round} ${value} ${record.key}`, true);
    }
    if (record.type === "applied" && record.honest) this.#applied(record);
    if ((record.type === "checkpointed" || record.type === "closed") && record.honest) this.#linked(record);
  }

  #applied({ node, slot, value, operations }: EventOf<"applied">): void {
    const seen = this.at(node);
    for (const { id, signed } of operationsOf(value, operations)) this.#learn(id, signed);
    if (value.type === "skip") this.#learnSkip(value.id, value.by, operations);
    const owner = operations.find(({ sender }) => slot.kind === "account" && sender === slot.address);
    if (owner !== undefined && (value.type === "operation" || value.type === "skip"))
      this.deciders.set(`${owner.sender} ${owner.operation.nonce}`, value.id);
    if (owner?.operation.kind === "bridgeBurn" && value.type === "operation")
      this.bridged.set(value.id, this.bridgeNonce(node, owner.sender));
    const { receipts, problems } = applySlot(seen.ledger, slot, value, operations);
    if (problems.length > 0) throw new Error(`${node} applied what it may not: ${problems.join("; ")}`);
    for (const receipt of receipts) {
      seen.applied.add(receipt.id);
      if (!this.finals.has(receipt.id)) this.finals.set(receipt.id, receipt);
    }
  }

  #linked({ node, hash, value }: EventOf<"checkpointed"> | EventOf<"closed">): void {
    const seen = this.at(node);
    const { header, listed } = value;
    seen.checkpoint = header.number;
    if (value.type === "closing") applyClosing(seen.ledger, value);
    const epoch = seen.ledger.epoch.number;
    this.#learnCommittee(seen.ledger);
    const ids = listed.flatMap((one) => this.#effectsOf(one));
    if (this.checkpoints.length < header.number) this.checkpoints.push({ hash, header, listed, ids, epoch });
  }

  #learnCommittee({ epoch: { number, parameters } }: LedgerState): void {
    const members = parameters.validators.map(({ key }) => key);
    if (!this.committees.has(`${number}`)) this.committees.set(`${number}`, members);
  }

  /** An operation of a token has its effect in a slot of the token, a forced burn in one of the account that it debits. */
  #effectsOf({ value }: ListedDecision): readonly string[] {
    if (value.type === "list") return value.ids;
    return value.type !== "operation" || this.#inAccount.has(value.id) ? [value.id] : [];
  }

  /** Operations that take effect in their sender's own slot. */
  readonly #inAccount = new Set<string>();

  #learn(id: string, signed: SignedOperation): void {
    if (effectSlotOf(signed) === "account") this.#inAccount.add(id);
    if (!this.known.has(id)) this.known.set(id, knownOf(signed));
  }

  #learnSkip(id: string, by: string, operations: readonly SignedOperation[]): void {
    const cancellation = operations.find(({ operation }) => operation.kind === "cancellation");
    if (by === "cancellation" && cancellation !== undefined) this.#learn(id, cancellation);
    const [first, second] = operations;
    if (by !== "recovery" || first === undefined || second === undefined || this.known.has(id)) return;
    const [one, other] = [knownOf(first), knownOf(second)];
    this.known.set(id, {
      ...{
        hash: id,
        kind: "recovery",
        type: "Recovery",
        message: "recovery success",
        from: one.from,
        nonce: one.nonce,
        to: null,
        token: null,
        value: null,
      },
      ...{ parties: [...one.parties, ...other.parties], tokens: [...one.tokens, ...other.tokens] },
    });
  }
}

function copyOfSeen(nodes: ReadonlyMap<string, Seen>): Map<string, Seen> {
  return new Map(
    [...nodes].map(([node, { ledger, applied, checkpoint }]) => [
      node,
      { ledger: copyOfState(ledger), applied: new Set(applied), checkpoint },
    ]),
  );
}

function refill<V>(map: Map<string, V>, entries: ReadonlyMap<string, V>): void {
  map.clear();
  for (const [key, value] of entries) map.set(key, value);
}

/** Members of the receipt of a batch alone (wire 1.4). */
function batchMembers(
  { legs, batchId, operationsHash }: BatchPayment,
  total_amount: string,
): NonNullable<Known["batch"]> {
  const own = { batch_id: batchId ?? null, operations_count: legs.length, total_amount };
  const facts = { ...own, operations_hash: operationsHash ?? null };
  const paid = legs.map(({ recipient, amount }, operation_index) => {
    return { event_type: "PaymentExecuted", operation_index, recipient, amount: String(amount) };
  });
  const ends = ["BatchStarted", "BatchCompleted"].map((event_type) => ({ event_type, ...facts }));
  return { batch_info: { ...facts, failure: null }, execution_events: [ends[0], ...paid, ends[1]] };
}

/** Returns the subject of an operation of any kind: the accounts, the amount and the token that its members name. */
export function knownOf(signed: SignedOperation): Known {
  const { operation, sender } = signed;
  const token = tokenOf(operation) ?? null;
  const {
    recipient,
    from,
    sender: payer,
    masterAuthority,
    address,
    authorityAddress,
    value,
  } = operation as unknown as Named;
  const debited = debitedAccount(operation, sender);
  const named = [debited, from, recipient, payer, masterAuthority, address, authorityAddress];
  const known = {
    ...{ hash: transactionHash(signed), kind: operation.kind, from: sender, nonce: operation.nonce, token },
    type: typeOf(operation),
    message: `${MESSAGES[operation.kind]} success`,
    to: operation.kind === "burn" ? debited : (recipient ?? null),
    value: value === undefined ? null : String(value),
    parties: [sender, ...named.filter((one) => one !== undefined)],
    tokens: token === null ? [] : [token],
  };
  if (operation.kind === "bridgeBurn") {
    const {
      destinationChainId: destination_chain_id,
      destinationAddress: destination_address,
      bridgeParam,
    } = operation;
    return { ...known, bridge: { destination_chain_id, destination_address, bridge_param: bridgeParam ?? "0x" } };
  }
  if (operation.kind !== "batch") return known;
  const total = String(operation.legs.reduce((sum, { amount }) => sum + amount, 0n));
  const parties = [sender, ...operation.legs.map((leg) => leg.recipient)];
  const message = `batch payment success: ${operation.legs.length} operations`;
  return { ...known, message, value: total, parties, batch: batchMembers(operation, total) };
}

/** Members by which operations name accounts and amounts. */
interface Named {
  readonly value?: bigint;
  readonly recipient?: string;
  readonly from?: string;
  readonly sender?: string;
  readonly masterAuthority?: string;
  readonly address?: string;
  readonly authorityAddress?: string;
}

/** The name of a kind in answers and frames, by its action where it has one (wire 2.1). */
function typeOf(operation: Operation): string {
  const { kind } = operation;
  if (kind === "list") return operation.list === "blacklist" ? "TokenBlacklistAccount" : "TokenWhitelistAccount";
  if (kind === "authority") return `Token${operation.action}Authority`;
  if (kind === "pause") return `Token${operation.action}`;
  return TYPES[kind];
}

const TYPES: Readonly<Record<Exclude<Operation["kind"], "list" | "authority" | "pause">, string>> = {
  ...{ payment: "TokenTransfer", mint: "TokenMint", burn: "TokenBurn", issue: "TokenCreate", batch: "BatchPayment" },
  ...{ clawback: "TokenClawback", bridgeMint: "TokenBridgeAndMint", bridgeBurn: "TokenBurnAndBridge" },
  ...{ metadata: "TokenUpdateMetadata", multisig: "CreateMultiSig", cancellation: "Cancellation" },
};

const MESSAGES: Readonly<Record<Operation["kind"], string>> = {
  ...{ payment: "payment", mint: "mint", burn: "burn", cancellation: "cancellation", pause: "pause" },
  ...{ clawback: "clawback", issue: "token issue", metadata: "metadata update", list: "list update" },
  ...{ authority: "authority update", bridgeMint: "bridge and mint", bridgeBurn: "burn and bridge" },
  ...{ multisig: "multisig creation", batch: "batch payment" },
};
