/** What a world keeps about one client. All of it is immutable data behind a few references. */
import type { Epoch, Nonce } from "../../core/base/ids.ts";
import type { OperationId, Submission } from "../../core/base/operation.ts";
import { Trie } from "../../core/base/trie.ts";
import type { ClientName } from "../../core/validator/message.ts";
import type { ClientPlan, Draft, NodeName } from "../plan.ts";
import { EMPTY_FIFO, type Fifo } from "./fifo.ts";

/** An operation that its client has submitted and not yet seen answered for good. */
export interface Open {
  readonly id: OperationId;
  /** The account, or `recovery` and the id: a recovery has no place in anybody's queue. */
  readonly wallet: string;
  readonly nonce: Nonce;
  readonly submission: Submission;
  /** Sent after doubt, for the same nonce (protocol 4.2). */
  readonly cancellation: { readonly id: OperationId; readonly submission: Submission } | undefined;
  readonly tries: number;
  readonly asked: readonly NodeName[];
  /** How often it was handed to any of them: a second copy may be taken after the first was refused. */
  readonly copies: number;
  /** Validators that say that something else was decided for its nonce. */
  readonly superseders: readonly NodeName[];
  /** Validators that say that they refused it and showed it to nobody. */
  readonly refusers: readonly NodeName[];
  /** Epochs that closed without it, as validators say. */
  readonly voided: readonly Epoch[];
  /** A validator says that a restriction bars it: the next try cancels it (protocol 4.2). */
  readonly isBarred: boolean;
  /** Of the event that ends the client's patience; `undefined` where it has given up. */
  readonly timer: number | undefined;
}

/** One account of a client. */
export interface Wallet {
  readonly nextNonce: Nonce;
  readonly openCount: number;
  /** Drafts that wait for a free place in the window. */
  readonly waiting: Fifo<Draft>;
}

export const EMPTY_WALLET: Wallet = { nextNonce: 0 as Nonce, openCount: 0, waiting: EMPTY_FIFO };

export class Client {
  readonly name: ClientName;
  readonly index: number;
  readonly plan: Required<ClientPlan>;
  wallets: Trie<Wallet> = Trie.empty();
  /** By the operation's id. */
  open: Trie<Open> = Trie.empty();
  /** From the id of a cancellation to the id of the operation that it cancels. */
  cancelled: Trie<OperationId> = Trie.empty();
  /** From account and nonce to the one id that this client keeps to there (protocol 4.2). */
  signed: Trie<OperationId> = Trie.empty();
  /**
   * It signed a second operation for a nonce on a dishonest validator's word: protocol 7.8 and 7.11 no longer speak of it
   * (protocol 4.2).
   */
  isMisled = false;

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
    copy.isMisled = this.isMisled;
    return copy;
  }
}
