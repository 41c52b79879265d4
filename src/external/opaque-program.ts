/**
 * A validator that others wrote, with a protocol of its own, as a program of the world: its messages and records are bytes
 * here, and its ledger is what it says that its operations changed.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Amount } from "../core/base/amount.ts";
import { requireDefined, unreachable } from "../core/base/assert.ts";
import type { FeeSchedule } from "../core/base/epoch.ts";
import type { Address, Epoch, Millis, Nonce, Round, Sequence, Signature } from "../core/base/ids.ts";
import { isRecovery, type OperationId, type SignedOperation, type Submission } from "../core/base/operation.ts";
import type { Receipt, Refusal } from "../core/base/refusal.ts";
import { accountSlot, slotKey } from "../core/base/slot.ts";
import type { Trie } from "../core/base/trie.ts";
import { faultyOf, quorumOf } from "../core/consensus/committee.ts";
import { paymentFee, spentAmount } from "../core/ledger/fees.ts";
import { submissionId } from "../core/ledger/identity.ts";
import { accountOf, balanceKey, balanceOf, draftOf, type LedgerState, netBalanceOf } from "../core/ledger/state.ts";
import type { Content, Decision } from "../core/validator/content.ts";
import type { Misbehaviour, Output, Reply } from "../core/validator/output.ts";
import type { Input } from "../core/validator/step.ts";
import type { NetworkFacts } from "../scenario/compile/compile.ts";
import { OPAQUE_TIMER, type Program } from "../simulator/plan.ts";
import { lanesHex, mixTexts } from "../simulator/random.ts";
import { type HostFactory, NodeFault, type NodeHost } from "./host.ts";
import { checkReadiness, readOutputs } from "./read-outputs.ts";
import { INTERFACE_VERSION, type NodeInput, type NodeInputOf, type NodeOutput, type NodeOutputOf } from "./shapes.ts";

/** A running validator. */
interface OpaqueState {
  readonly host: NodeHost;
  /** By what it says that its operations changed. */
  ledger: LedgerState;
  /** Operations that it applied. */
  readonly applied: Map<OperationId, AppliedOperation>;
}

interface AppliedOperation {
  readonly receipt: Receipt;
  readonly decision: Decision;
}

/** Returns a maker of programs for the validators of one world; `name`: of the node, twins apart. */
export function opaquePrograms(
  network: NetworkFacts,
  hosts: HostFactory,
): (name: string, keys: readonly Address[]) => Program {
  const keys = new Map(network.genesis.validators.map(({ key }) => [network.nameOf(key), key]));
  const operations = new Map<OperationId, SignedOperation>();
  return (name, [key]) => {
    const node = new OpaqueNode({ ...network, hosts, keys, operations }, name, requireDefined(key, `key of ${name}`));
    return {
      start: () => node.start(),
      step: (state, input) => node.step(state as OpaqueState, input),
      fork: () => {
        throw new NodeFault("cannot be copied in the middle of a run: its memory is its own");
      },
    };
  };
}

/** Parts that the programs of one world share. */
interface SharedParts extends NetworkFacts {
  readonly hosts: HostFactory;
  readonly keys: ReadonlyMap<string, Address>;
  /** Those that clients have submitted. */
  readonly operations: Map<OperationId, SignedOperation>;
}

class OpaqueNode {
  readonly #shared: SharedParts;
  readonly #name: string;
  readonly #key: Address;

  constructor(shared: SharedParts, name: string, key: Address) {
    this.#shared = shared;
    this.#name = name;
    this.#key = key;
  }

  start(): OpaqueState {
    const { hosts, commons } = this.#shared;
    return { host: hosts(this.#name), ledger: commons.shared.genesis, applied: new Map() };
  }

  step(state: OpaqueState, input: Input): readonly Output[] {
    const asked = this.#inputOf(input);
    if (typeof asked !== "object") return this.#unknownOperation(input);
    const outputs = readOutputs(state.host.ask(JSON.stringify(asked)), asked);
    checkReadiness(asked, outputs);
    const effects = outputs.flatMap((output) => this.#effectsOf(state, output));
    const applied = outputs.filter((output) => output.output === "applied");
    if (applied.length > 0) this.#checkState(state, asked.at, applied);
    return effects;
  }

  #inputOf(input: Input): NodeInput | undefined {
    const at = { at: input.at, ...(input.clock === undefined ? {} : { clock: input.clock }) };
    switch (input.type) {
      case "start":
        return this.#startInput(at);
      case "restart": {
        const records = input.records.map(([key, record]): [string, string] => [
          key,
          record.of === "opaque" ? record.bytes : "",
        ]);
        return { ...this.#startInput(at), records };
      }
      case "message": {
        const { from, message } = input;
        if (message.type !== "opaque") return undefined;
        return { input: "message", ...at, from: this.#shared.nameOf(from), tag: message.tag, bytes: message.bytes };
      }
      case "timer":
        return { input: "timer", ...at, name: input.name.slice(OPAQUE_TIMER.length) };
      case "submit": {
        const operation = this.#operationForm(input.submission);
        return operation && { input: "submit", ...at, client: input.client, operation };
      }
      case "govern":
        return undefined;
      default:
        return unreachable(input);
    }
  }

  #startInput(at: { readonly at: Millis; readonly clock?: Millis }): NodeInputOf<"start"> {
    const { genesis, seed, keys, nameOf } = this.#shared;
    const count = genesis.validators.length;
    return {
      input: "start",
      ...at,
      version: INTERFACE_VERSION,
      self: nameOf(this.#key),
      validators: [...keys.keys()],
      quorum: quorumOf(count),
      faults: faultyOf(count),
      random: lanesHex(mixTexts("node", seed, this.#name)),
      chain: genesis.chainId,
      tokens: genesis.tokens.map(({ token, symbol, isPaused: paused }) => {
        return { token, symbol, paused, fee: String(paymentFee(genesis.fees, token)) };
      }),
      balances: genesis.balances.map(({ address, token, amount }): [string, string, string] => [
        address,
        token,
        String(amount),
      ]),
    };
  }

  /** Returns what a node is shown of a submission, `undefined` for an operation that the interface does not have. */
  #operationForm(submission: Submission): NodeInputOf<"submit">["operation"] | undefined {
    if (isRecovery(submission)) return undefined;
    const { operation, sender } = submission;
    if (operation.kind !== "payment" || operation.account !== undefined) return undefined;
    const { authenticator, hashes } = this.#shared.commons;
    const id = submissionId(submission, hashes.operationId);
    this.#shared.operations.set(id, submission);
    const { kind, chainId: chain, nonce, token, recipient, value } = operation;
    const amount = String(value);
    const text = [id, kind, chain, nonce, token, recipient, amount].join(" ");
    const signer = authenticator.verifier.recover(hashes.digest(operation), submission.signature as Signature);
    const signature = signer === sender ? standInSignature(sender, text) : NO_SIGNATURE;
    return { id, kind, chain, sender, nonce, token, recipient, amount, signature };
  }

  /** Refuses an operation that the interface does not have; nothing for another input. */
  #unknownOperation(input: Input): readonly Output[] {
    if (input.type !== "submit") return [];
    const id = submissionId(input.submission, this.#shared.commons.hashes.operationId);
    const reason = "the node interface has payments of single keys only";
    const refusal = { code: "validation_layout", field: "operation", reason } as const;
    return [{ type: "reply", client: input.client, id, reply: { status: "refused", refusal, disclosed: false } }];
  }

  #effectsOf(state: OpaqueState, output: NodeOutput): readonly Output[] {
    switch (output.output) {
      case "ready":
        return [];
      case "persist":
        return [{ type: "persist", key: output.key, record: { of: "opaque", bytes: output.bytes } }];
      case "erase":
        return [{ type: "erase", key: output.key }];
      case "send": {
        const { tag, bytes } = output;
        const to = output.to.map((name) => this.#keyOf(name));
        return [{ type: "send", to, message: { type: "opaque", tag, bytes } }];
      }
      case "timer": {
        const { name, at, background = false } = output;
        return [{ type: "setTimer", name: OPAQUE_TIMER + name, at: at as Millis, background }];
      }
      case "cancel":
        return [{ type: "cancelTimer", name: OPAQUE_TIMER + output.name }];
      case "reply":
        return [
          { type: "reply", client: output.client, id: output.id as OperationId, reply: this.#replyOf(state, output) },
        ];
      case "applied":
        return this.#application(state, output);
      case "report":
        // The kind is a text of the node's own: it is shown, and no expectation names it.
        return [
          { type: "report", peer: this.#keyOf(output.peer), misbehaviour: output.text as Misbehaviour, slot: "" },
        ];
      case "state":
        throw new NodeFault("gave its state without being asked for it");
      default:
        return unreachable(output);
    }
  }

  #keyOf(name: string): Address {
    const key = this.#shared.keys.get(name);
    if (key !== undefined) return key;
    throw new NodeFault(`named a validator ${name}: expected one of ${[...this.#shared.keys.keys()].join(", ")}`);
  }

  #replyOf(state: OpaqueState, output: NodeOutputOf<"reply">): Reply {
    const id = output.id as OperationId;
    const signed = this.#submitted(id, "replied about");
    switch (output.status) {
      case "pending":
        return { status: "pending" };
      case "superseded":
        if (output.by === undefined) throw new NodeFault(`replied that ${id} is superseded, without \`by\``);
        return { status: "superseded", by: output.by as OperationId };
      case "refused": {
        const refusal = refusalOf(output, signed, state.ledger, this.#shared.genesis.fees);
        return { status: "refused", refusal, disclosed: output.disclosed ?? true };
      }
      case "final": {
        const { receipt, decision } = state.applied.get(id) ?? this.#outcomeOf(signed, id, { success: true, fee: "0" });
        return { status: "final", receipt, ...decision };
      }
      default:
        return unreachable(output.status);
    }
  }

  #submitted(id: OperationId, did: string): SignedOperation {
    const signed = this.#shared.operations.get(id);
    if (signed === undefined) throw new NodeFault(`${did} ${id}, which no client has submitted`);
    return signed;
  }

  /** Returns the outcome of an operation with a certificate that nobody has signed: it is the validator's word. */
  #outcomeOf(
    signed: SignedOperation,
    id: OperationId,
    said: Pick<NodeOutputOf<"applied">, "success" | "fee" | "code">,
    ledger?: LedgerState,
  ): AppliedOperation {
    const { hashes } = this.#shared.commons;
    const { operation, sender } = signed;
    const slot = accountSlot(sender, operation.nonce as number as Sequence);
    const value = hashes.operationValue(signed);
    const content: Content = { value, operations: [signed], certificates: [] };
    const certificate = {
      type: "finality",
      epoch: 0 as Epoch,
      slot,
      round: 0 as Round,
      value: hashes.value(value),
      seals: [],
    } as const;
    const error =
      said.success || ledger === undefined ? undefined : refusalOf(said, signed, ledger, this.#shared.genesis.fees);
    const fee = BigInt(said.fee) as Amount;
    const feeToken = operation.kind === "payment" ? operation.token : undefined;
    const receipt = { id, success: said.success, fee, feeToken, error, slot: slotKey(slot) };
    return { receipt, decision: { certificate, content } };
  }

  #application(state: OpaqueState, output: NodeOutputOf<"applied">): readonly Output[] {
    const id = output.id as OperationId;
    const signed = this.#submitted(id, "applied");
    const outcome = this.#outcomeOf(signed, id, output, state.ledger);
    const { certificate, content } = outcome.decision;
    const slot = accountSlot(signed.sender, signed.operation.nonce as number as Sequence);
    state.applied.set(id, outcome);
    state.ledger = ledgerAfter(state.ledger, output);
    this.#shared.log.note({ slot: slotKey(slot), after: state.ledger });
    const value = this.#shared.commons.hashes.operationValue(signed);
    return [
      { type: "event", event: { type: "decided", certificate, content } },
      { type: "event", event: { type: "applied", slot, value, content, receipts: [outcome.receipt] } },
    ];
  }

  /** Asks for what the operations changed, which must be what they said. */
  #checkState(state: OpaqueState, at: number, applied: readonly NodeOutputOf<"applied">[]): void {
    const accounts = [
      ...new Set(applied.flatMap(({ balances, nonces }) => [...balances, ...nonces].map(([account]) => account))),
    ];
    const asked: NodeInput = { input: "query", at, accounts };
    const [answer, ...rest] = readOutputs(state.host.ask(JSON.stringify(asked)), asked);
    if (answer?.output !== "state" || rest.length > 0) throw new NodeFault("did not answer `query` with `state` alone");
    const told = ledgerAfter(state.ledger, { ...answer, pools: [] });
    for (const [account, token] of answer.balances) compare(state.ledger, told, account as Address, token as Address);
    for (const [account] of answer.nonces) {
      const [said, is] = [state.ledger, told].map((ledger) => accountOf(ledger, account as Address).nonce);
      if (said !== is)
        throw new NodeFault(`said in \`applied\` that the next nonce of ${account} is ${said}, and in \`state\` ${is}`);
    }
  }
}

/**
 * Returns the stand-in for a signature: SHA-256 of the signer, a line feed and the text that is signed, as hex digits. It
 * is no signature scheme, since anybody can compute it; in a simulation nobody does.
 */
function standInSignature(signer: string, text: string): string {
  return bytesToHex(sha256(utf8ToBytes(`${signer}\n${text}`)));
}

/** Stands for a signature that is not the sender's. */
const NO_SIGNATURE = "0".repeat(64);

/**
 * Returns the refusal of a code, with evidence from the operation and from the validator's own ledger. A code that a
 * payment has no evidence for becomes `validation_layout`, with the node's words.
 */
function refusalOf(
  { code, text = "the validator gives no reason" }: Pick<NodeOutputOf<"reply">, "code" | "text">,
  { operation, sender }: SignedOperation,
  ledger: LedgerState,
  fees: FeeSchedule,
): Refusal {
  const unknown: Refusal = { code: "validation_layout", field: "operation", reason: text };
  if (operation.kind !== "payment") return unknown;
  const { token, nonce } = operation;
  switch (code) {
    case "business_insufficient_funds": {
      const need = spentAmount(fees, operation, paymentFee) as typeof operation.value;
      return { code, token, balance: balanceOf(ledger, sender, token), need };
    }
    case "business_nonce_too_low":
    case "business_nonce_gap":
      return { code, expected: accountOf(ledger, sender).nonce, got: nonce };
    case "resource_token_not_found":
    case "business_token_paused":
      return { code, token };
    case "validation_signature":
      return { code, reason: text };
    default:
      return unknown;
  }
}

function compare(ledger: LedgerState, told: LedgerState, account: Address, token: Address): void {
  const [said, is] = [ledger, told].map((state) => netBalanceOf(state, account, token));
  if (said === is) return;
  throw new NodeFault(
    `said in \`applied\` that the balance of ${account} in token ${token} is ${said}, and in \`state\` ${is}`,
  );
}

type Changes = Pick<NodeOutputOf<"applied">, "balances" | "nonces" | "pools">;

/** Returns the ledger with the balances, nonces and fees that a validator names. */
function ledgerAfter(before: LedgerState, { balances, nonces, pools }: Changes): LedgerState {
  const draft = draftOf(before);
  for (const [account, token, balance] of balances)
    draft.balances = withAmount(draft.balances, balanceKey(account as Address, token as Address), BigInt(balance));
  for (const [account, next] of nonces)
    draft.accounts = draft.accounts.set(account, { nonce: next as Nonce, sequence: next as Sequence });
  for (const [token, sum] of pools) draft.pools = withAmount(draft.pools, token, BigInt(sum) as Amount);
  return draft;
}

/** Amounts of zero have no entry. */
function withAmount<A extends bigint>(amounts: Trie<A>, key: string, amount: A): Trie<A> {
  return amount === 0n ? amounts.delete(key) : amounts.set(key, amount);
}
