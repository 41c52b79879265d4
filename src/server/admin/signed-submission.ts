/**
 * Operations of the server itself: signed with keys that it holds and submitted like any other, so that every invariant
 * keeps holding.
 */
import type { Amount } from "../../core/base/amount.ts";
import type { Address, Hash, Nonce } from "../../core/base/ids.ts";
import type { Operation, OperationKind, Role, SignedOperation } from "../../core/base/operation.ts";
import type { Refusal } from "../../core/base/refusal.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import type { PrivateKey, Scheme } from "../../core/crypto/scheme.ts";
import { operationId, transactionHash } from "../../core/ledger/identity.ts";
import { completeFields, digestOf } from "../../core/ledger/layout.ts";
import { accountOf, balanceOf, type LedgerState, netBalanceOf, tokenOf } from "../../core/ledger/state.ts";
import type { Admission } from "../../live/recording.ts";
import { runToEnd } from "../../run/interruptible.ts";
import type { RealHost } from "../host/real-host.ts";
import { WorkQueue } from "../host/turns.ts";
import { SIGNED_WAITING, TOOL_MS } from "../limits.ts";
import type { OwnedAmount } from "./name-resolver.ts";
import { firstRunningNode } from "./operations.ts";

type Fields<K extends OperationKind> = Omit<Extract<Operation, { kind: K }>, "layout" | "chainId" | "nonce">;

type SignableFields = Fields<"payment"> | Fields<"mint"> | Fields<"burn"> | Fields<"authority">;

/** Why an operation was refused, or the message that its outcome is unknown. */
export type SubmissionFault = string | Readonly<{ message: string }>;

/** Returns the fault of an operation that was admitted, or may have been, and is not final: who repeats it may pay twice. */
function unknownOutcome(hash: Hash, why: string): SubmissionFault {
  return { message: `${why}: operation ${hash} may still become final; by_hash returns its status` };
}

/** Returns the result with the fault as a text. */
export function withFaultText<T>(result: Result<T, SubmissionFault>): Result<T, string> {
  return result.ok || typeof result.error === "string" ? (result as Result<T, string>) : err(result.error.message);
}

/** Result, with the transaction hash. */
type SubmissionResult = Readonly<{ hash: Hash }>;

type PendingSubmission<T = SubmissionResult> = Promise<Result<T, SubmissionFault>>;

export class ServerSigner {
  readonly #host: RealHost;
  readonly #scheme: Scheme;
  readonly #keys: ReadonlyMap<Address, PrivateKey>;
  /** Signer and submitter, one operation at a time: each takes its account's next nonce. */
  readonly #queue = new WorkQueue(SIGNED_WAITING);

  constructor(host: RealHost, scheme: Scheme, keys: readonly PrivateKey[]) {
    this.#host = host;
    this.#scheme = scheme;
    this.#keys = new Map(keys.map((key) => [scheme.addressOf(key), key]));
  }

  /** Mints for an account, as all of these by the token's master. */
  give({ owner: recipient, token, amount: value }: OwnedAmount): PendingSubmission {
    return this.#submitAsMaster<never>(token, () => ({ kind: "mint", token, recipient, value }));
  }

  /** Mints or burns up to this balance. */
  setBalance({ owner: recipient, token, amount }: OwnedAmount): PendingSubmission<SubmissionResult | undefined> {
    return this.#submitAsMaster<undefined>(token, (ledger) => {
      if (balanceOf(ledger, recipient, token) === amount) return undefined;
      // Owed fees are paid first.
      const net = netBalanceOf(ledger, recipient, token);
      return net < amount
        ? { kind: "mint", token, recipient, value: (amount - net) as Amount }
        : { kind: "burn", token, value: (net - amount) as Amount, recipient };
    });
  }

  /** Pays from an account whose key the server holds. */
  pay(from: Address, { owner: recipient, token, amount: value }: OwnedAmount): PendingSubmission {
    return this.#queueTurn(async () => {
      if (!this.#keys.has(from)) return err(`the key of ${from} is not held by this server`);
      return this.#submitFields(from, { kind: "payment", token, recipient, value });
    });
  }

  /** Grants or revokes a role, signed by the token's master; the amount is its allowance. */
  setRole({ owner, token, amount: value }: OwnedAmount, role: Role, action: "Grant" | "Revoke"): PendingSubmission {
    const change = { authorityAddress: owner, action, authorityType: role } as const;
    return this.#submitAsMaster<never>(token, () => ({ kind: "authority", token, ...change, value }));
  }

  /**
   * Submits in turn what is made of the state of a running validator, if anything; the token's master acts in every role
   * without a place in one (specification 6.2).
   */
  #submitAsMaster<None extends undefined>(
    token: Address,
    fieldsIn: (ledger: LedgerState) => SignableFields | None,
  ): PendingSubmission<SubmissionResult | None> {
    return this.#queueTurn<SubmissionResult | None>(async () => {
      const at = firstRunningNode(this.#host);
      if (at === undefined) return err("no validator runs");
      const fields = fieldsIn(at.ledger);
      if (fields === undefined) return ok(fields as None);
      const master = tokenOf(at.ledger, token)?.masterAuthority;
      if (master === undefined) return err(`no token has the address ${token}`);
      if (!this.#keys.has(master)) return err(`the key of ${master}, the token's master, is not held by this server`);
      return this.#submitFields(master, fields as SignableFields);
    });
  }

  async #submitFields(sender: Address, fields: SignableFields): PendingSubmission {
    const { network } = this.#host;
    this.#host.runDueEvents();
    const at = firstRunningNode(this.#host);
    const key = this.#keys.get(sender);
    if (at === undefined || key === undefined)
      return err(at === undefined ? "no validator runs" : `no key of ${sender}`);
    const admission = this.#admitWithNextNonce(at, key, sender, fields);
    if (!admission.ok) return err(`${admission.error.code}: ${at.node} refused it`);
    const signed = admission.value.submission as SignedOperation;
    const id = operationId(signed);
    const answer = await this.#host.submit(admission.value);
    if (answer.status === "refused") return err(`${answer.refusal.code}: ${at.node} refused it`);
    if (answer.status === "unanswered")
      return err(unknownOutcome(transactionHash(signed), `${at.node} does not respond`));
    const done = (): boolean => {
      const progress = network.archive.progressOf(id);
      return progress?.status === "final" && network.hasApplied(at.node, progress.final);
    };
    // At rate 0 time has to be advanced for this.
    const isDone =
      this.#host.rate === 0
        ? runToEnd(this.#host.advanceUntil(done, TOOL_MS))
        : await this.#host.waitUntil(done, TOOL_MS);
    if (!isDone) return err(unknownOutcome(transactionHash(signed), `it is not final after ${TOOL_MS} ms`));
    const progress = network.archive.progressOf(id);
    if (progress?.status === "final" && !progress.final.receipt.success)
      return err(`it failed: ${progress.final.receipt.error?.code ?? "without a reason"}`);
    return ok({ hash: transactionHash(signed) });
  }

  /** Takes the next nonce for which nothing of the sender is pending: clients that know its key send with it too. */
  #admitWithNextNonce(
    { node, ledger }: NonNullable<ReturnType<typeof firstRunningNode>>,
    key: PrivateKey,
    sender: Address,
    fields: SignableFields,
  ): Result<Admission, Refusal> {
    const { network } = this.#host;
    const first = accountOf(ledger, sender).nonce;
    for (let nonce = first; ; nonce = (nonce + 1) as Nonce) {
      // Version 1 does not sign that it is a mint; version 2 lacks the burn from another account.
      const layout = fields.kind === "mint" ? "v2" : "client";
      const operation = {
        ...completeFields(layout, { ...fields, chainId: network.chainId, nonce }),
        layout,
      } as Operation;
      const signed = { operation, sender, signature: this.#scheme.sign(key, digestOf(operation), sender) };
      // One that only a validator held which crashed is submitted again.
      const isTaken = network.isPendingAt(node, operationId(signed));
      const admission = isTaken ? undefined : network.admissionOf(node, signed);
      const isPending = admission?.ok === false && admission.error.code === "business_nonce_pending";
      if (admission !== undefined && !isPending) return admission;
    }
  }

  async #queueTurn<T>(act: () => Promise<Result<T, SubmissionFault>>): Promise<Result<T, SubmissionFault>> {
    return this.#queue.add(act) ?? err(`${SIGNED_WAITING} operations of this server are under way, the limit`);
  }
}
