/** Memory of the writes that an entry validator refused: nothing else keeps them (wire 1.5). */
import type { Hash } from "../../core/base/ids.ts";
import type { NodeName } from "../../simulator/settings.ts";
import type { Transaction } from "../wire/schemas/transactions.ts";
import type { HttpError } from "./errors.ts";

/** Writes that are remembered, some hundred bytes each; a flood of refused ones displaces the oldest. */
export const REFUSED_WRITES = 1_000;

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
