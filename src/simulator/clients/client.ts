/** State of one client. */
import { entryOf } from "../../core/base/entry.ts";
import type { Address, Epoch, Nonce } from "../../core/base/ids.ts";
import type { OperationId, Submission } from "../../core/base/operation.ts";
import type { ClientName } from "../../core/validator/message.ts";
import type { ClientPlan, OperationDraft } from "../plan.ts";
import type { NodeName } from "../settings.ts";

/** Submission without a final outcome for its client. Lists are replaced, never changed. */
export interface OpenSubmission {
  readonly id: OperationId;
  /** The account; `undefined` for a recovery, which takes no place in a window. */
  readonly account: Address | undefined;
  readonly nonce: Nonce;
  readonly submission: Submission;
  /** Sent for the same nonce when the client doubts (protocol 4.2). */
  cancellation: { readonly id: OperationId; readonly submission: Submission } | undefined;
  tries: number;
  contacted: readonly NodeName[];
  /** Number of submissions to validators: a second copy may be admitted after the first was refused. */
  copies: number;
  /** Validators that reply that another decision used its nonce. */
  supersededBy: readonly NodeName[];
  /** Validators that reply that they refused it undisclosed. */
  refusedBy: readonly NodeName[];
  /** Epochs that closed without it, by replies. */
  voidedIn: readonly Epoch[];
  /** True if a validator replied that a restriction bars it: the next try cancels it (protocol 4.2). */
  isBarred: boolean;
  /** Sequence number of the client timeout event; `undefined` after giving up. */
  timer: number | undefined;
}

/** State of a wallet. */
export interface WalletState extends Pick<Wallet, "nextNonce" | "openCount"> {
  readonly drafts: readonly OperationDraft[];
  readonly signed: ReadonlyMap<Nonce, OperationId>;
}

/** State of a client. */
export interface ClientState extends Pick<Client, "usedByzantineEntry"> {
  readonly wallets: ReadonlyMap<Address, WalletState>;
  readonly open: ReadonlyMap<OperationId, OpenSubmission>;
  readonly cancelled: ReadonlyMap<OperationId, OperationId>;
}

/** Account of a client. */
export class Wallet {
  nextNonce: Nonce = 0 as Nonce;
  openCount = 0;
  /** Drafts that wait for room in the window, from `placed` on. */
  #drafts: OperationDraft[] = [];
  #placed = 0;
  /** By nonce, the only id that this client signs there (protocol 4.2). */
  signed: Map<Nonce, OperationId> = new Map();

  /** Returns a copy of its state. O(nonces). */
  capture(): WalletState {
    const { nextNonce, openCount } = this;
    return { nextNonce, openCount, drafts: this.#drafts.slice(this.#placed), signed: new Map(this.signed) };
  }

  /** Returns the wallet of a captured state, which stays as it is. */
  static of({ nextNonce, openCount, drafts, signed }: WalletState): Wallet {
    const wallet = new Wallet();
    wallet.nextNonce = nextNonce;
    wallet.openCount = openCount;
    wallet.#drafts = drafts.slice();
    wallet.signed = new Map(signed);
    return wallet;
  }

  enqueue(draft: OperationDraft): void {
    this.#drafts.push(draft);
  }

  /** Removes and returns the draft that waits longest. */
  dequeue(): OperationDraft | undefined {
    const draft = this.#drafts[this.#placed];
    if (draft === undefined) return undefined;
    this.#placed += 1;
    if (this.#placed === this.#drafts.length) {
      this.#drafts = [];
      this.#placed = 0;
    }
    return draft;
  }
}

export class Client {
  readonly name: ClientName;
  readonly index: number;
  readonly plan: Required<ClientPlan>;
  #wallets = new Map<Address, Wallet>();
  /** By operation id. */
  open: Map<OperationId, OpenSubmission> = new Map();
  /** From the id of a cancellation to the id of the operation that it cancels. */
  cancelled: Map<OperationId, OperationId> = new Map();
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

  /** Returns the wallet of an account, a new one if it has none. */
  wallet(account: Address): Wallet {
    return entryOf(this.#wallets, account, () => new Wallet());
  }

  /** Returns the only id that this client has signed for a nonce of an account. */
  signedId(account: Address, nonce: Nonce): OperationId | undefined {
    return this.#wallets.get(account)?.signed.get(nonce);
  }

  /** Returns the open submission for a nonce of an account. */
  openAt(account: Address, nonce: Nonce): OpenSubmission | undefined {
    const id = this.signedId(account, nonce);
    return id === undefined ? undefined : this.open.get(id);
  }

  /** Returns a copy of its state. O(what it signed). */
  capture(): ClientState {
    return {
      wallets: new Map([...this.#wallets].map(([account, wallet]) => [account, wallet.capture()])),
      open: copyOfOpen(this.open),
      cancelled: new Map(this.cancelled),
      usedByzantineEntry: this.usedByzantineEntry,
    };
  }

  /** Returns to a captured state, which stays as it is. */
  restore({ wallets, open, cancelled, usedByzantineEntry }: ClientState): void {
    this.#wallets = new Map([...wallets].map(([account, wallet]) => [account, Wallet.of(wallet)]));
    this.open = copyOfOpen(open);
    this.cancelled = new Map(cancelled);
    this.usedByzantineEntry = usedByzantineEntry;
  }
}

function copyOfOpen(open: ReadonlyMap<OperationId, OpenSubmission>): Map<OperationId, OpenSubmission> {
  return new Map([...open].map(([id, one]) => [id, { ...one }]));
}
