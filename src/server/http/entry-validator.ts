/** Entry validator of one interface, the limit of the requests that wait for it, and the writes that it refused. */
import type { Address, Hash } from "../../core/base/ids.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import type { LedgerState } from "../../core/ledger/state.ts";
import type { NodeName } from "../../simulator/settings.ts";
import type { Host } from "../host/host.ts";
import type { HttpLimits } from "../limits.ts";
import type { Answers } from "../wire/answer-options.ts";
import type { WriteMode } from "../wire/paths.ts";
import type { Transaction } from "../wire/schemas/transactions.ts";
import type { HttpError } from "./errors.ts";

/** One validator of the network: every read shows its state, and it admits every write. */
export interface EntryValidator {
  readonly host: Host;
  readonly node: NodeName;
  /** Scheme that recovers senders from signatures. */
  readonly scheme: Scheme;
  readonly limits: HttpLimits;
  /** Versions of writes that the interface serves. */
  readonly writeMode: WriteMode;
  readonly requestLimit: RequestLimit;
  /** Writes that this validator refused lately. */
  readonly refusedWrites: RefusedWrites;
  /** Functions that make the answers of this validator. */
  readonly answers: Answers;
}

/** Returns the entry validator's current ledger; `undefined` while it is down. */
export function ledgerOf({ host, node }: EntryValidator): LedgerState | undefined {
  return host.network.ledgerOf(node);
}

/** Returns the error for reads of a validator that is down (specification 13.4). */
export function validatorDownError({ node }: EntryValidator): HttpError {
  const message = `${node} is down; ask another validator, or try again later`;
  return { status: 500, code: "system_service_unavailable", message };
}

interface RequestLimit {
  /** Takes a slot, also of the account if given; the value releases it, once. */
  enter(account?: Address): Result<() => void, HttpError>;
  /** Slots taken. */
  readonly waiting: number;
}

/** Returns a limit with all slots free. */
export function createRequestLimit(limits: Pick<HttpLimits, "waiting" | "waitingPerAccount">): RequestLimit {
  const places = new Map<Address, number>();
  let waiting = 0;
  return {
    get waiting() {
      return waiting;
    },
    enter(account) {
      if (waiting >= limits.waiting) {
        return err(limitError(`${waiting} requests wait for the network, the limit; nothing was admitted`));
      }
      const own = account === undefined ? 0 : (places.get(account) ?? 0);
      if (account !== undefined && own >= limits.waitingPerAccount) {
        return err(
          limitError(`${own} requests of ${account} wait for their response, the limit; nothing was admitted`),
        );
      }
      waiting++;
      if (account !== undefined) places.set(account, own + 1);
      return ok(() => {
        waiting--;
        if (account !== undefined) leaveQueue(places, account);
      });
    },
  };
}

function leaveQueue(places: Map<Address, number>, account: Address): void {
  const left = (places.get(account) ?? 0) - 1;
  if (left > 0) places.set(account, left);
  else places.delete(account);
}

function limitError(message: string): HttpError {
  return { status: 429, code: "rate_limit_exceeded", message };
}

/** Writes that are remembered, some hundred bytes each; a flood of refused ones displaces the oldest. */
const REFUSED_WRITES = 1_000;

/** Refusal of a posted operation at admission. */
export interface RefusedOperation {
  readonly operation: Pick<Transaction, "transaction_type" | "from" | "nonce">;
  readonly node: NodeName;
  /** Virtual milliseconds. */
  readonly at: number;
  readonly error: HttpError;
}

export class RefusedWrites {
  readonly #last = new Map<Hash, RefusedOperation>();

  /** Remembers the last refusal of a hash. */
  note(hash: Hash, refused: RefusedOperation): void {
    this.#last.delete(hash);
    this.#last.set(hash, refused);
    const [oldest] = this.#last.keys();
    if (this.#last.size > REFUSED_WRITES && oldest !== undefined) this.#last.delete(oldest);
  }

  refusalOf(hash: Hash): RefusedOperation | undefined {
    return this.#last.get(hash);
  }
}
