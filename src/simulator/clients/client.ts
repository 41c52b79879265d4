/** State of one client: immutable data behind a few references. */
import type { Epoch, Nonce } from "../../core/base/ids.ts";
import type { OperationId, Submission } from "../../core/base/operation.ts";
import { Trie } from "../../core/base/trie.ts";
import type { ClientName } from "../../core/validator/message.ts";
import type { ClientPlan, OperationDraft } from "../plan.ts";
import type { NodeName } from "../settings.ts";

/** Submission without a final outcome for its client. */
export interface OpenSubmission {
  readonly id: OperationId;
  /** The account, or `recovery` and the id: a recovery takes no place in a window. */
  readonly wallet: string;
  readonly nonce: Nonce;
  readonly submission: Submission;
  /** Sent for the same nonce when the client doubts (protocol 4.2). */
  readonly cancellation: { readonly id: OperationId; readonly submission: Submission } | undefined;
  readonly tries: number;
  readonly contacted: readonly NodeName[];
  /** Number of submissions to validators: a second copy may be admitted after the first was refused. */
  readonly copies: number;
  /** Validators that reply that another decision used its nonce. */
  readonly supersededBy: readonly NodeName[];
  /** Validators that reply that they refused it undisclosed. */
  readonly refusedBy: readonly NodeName[];
  /** Epochs that closed without it, by replies. */
  readonly voidedIn: readonly Epoch[];
  /** True if a validator replied that a restriction bars it: the next try cancels it (protocol 4.2). */
  readonly isBarred: boolean;
  /** Sequence number of the client timeout event; `undefined` after giving up. */
  readonly timer: number | undefined;
}

/** Account of a client. */
export interface Wallet {
  readonly nextNonce: Nonce;
  readonly openCount: number;
  /** Drafts that wait for room in the window. */
  readonly waiting: Fifo<OperationDraft>;
}

interface Cell<T> {
  readonly item: T;
  readonly rest: Cell<T> | undefined;
}

interface Fifo<T> {
  readonly size: number;
  readonly front: Cell<T> | undefined;
  readonly back: Cell<T> | undefined;
}

const EMPTY_FIFO: Fifo<never> = { size: 0, front: undefined, back: undefined };

export const EMPTY_WALLET: Wallet = { nextNonce: 0 as Nonce, openCount: 0, waiting: EMPTY_FIFO };

export class Client {
  readonly name: ClientName;
  readonly index: number;
  readonly plan: Required<ClientPlan>;
  wallets: Trie<Wallet> = Trie.empty();
  /** By operation id. */
  open: Trie<OpenSubmission> = Trie.empty();
  /** From the id of a cancellation to the id of the operation that it cancels. */
  cancelled: Trie<OperationId> = Trie.empty();
  /** From account and nonce to the only id that this client signs there (protocol 4.2). */
  signed: Trie<OperationId> = Trie.empty();
  /**
   * True if it signed a second operation for a nonce after the reply of a dishonest validator: protocol 7.8 and 7.11 no
   * longer apply to it (protocol 4.2).
   */
  usedByzantineEntry = false;

  constructor(index: number, plan: Required<ClientPlan>) {
    this.name = plan.name;
    this.index = index;
    this.plan = plan;
  }

  fork(): Client {
    const copy = new Client(this.index, this.plan);
    copy.wallets = this.wallets;
    copy.open = this.open;
    copy.cancelled = this.cancelled;
    copy.signed = this.signed;
    copy.usedByzantineEntry = this.usedByzantineEntry;
    return copy;
  }
}

export function enqueue<T>(fifo: Fifo<T>, item: T): Fifo<T> {
  return { size: fifo.size + 1, front: fifo.front, back: { item, rest: fifo.back } };
}

/** Returns the first item and the rest, or `undefined` if empty. */
export function dequeue<T>(fifo: Fifo<T>): { readonly item: T; readonly rest: Fifo<T> } | undefined {
  const { size } = fifo;
  if (fifo.front !== undefined) {
    return { item: fifo.front.item, rest: { size: size - 1, front: fifo.front.rest, back: fifo.back } };
  }
  let front: Cell<T> | undefined;
  for (let cell = fifo.back; cell !== undefined; cell = cell.rest) front = { item: cell.item, rest: front };
  return front && { item: front.item, rest: { size: size - 1, front: front.rest, back: undefined } };
}
