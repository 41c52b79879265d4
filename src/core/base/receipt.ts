import type { Amount } from "./amount.ts";
import type { Address } from "./ids.ts";
import type { OperationId } from "./operation.ts";
import type { Refusal } from "./refusal.ts";
import type { SlotKey } from "./slot.ts";

/** What became of an operation, written where its effect is decided (protocol 4.1). */
export interface Receipt {
  readonly id: OperationId;
  readonly success: boolean;
  /** In the smallest unit of `feeToken`; 0 where nothing is paid. */
  readonly fee: Amount;
  readonly feeToken: Address | undefined;
  /** Why it failed, `undefined` on success. A failed operation has still used its nonce. */
  readonly error: Refusal | undefined;
  /** The slot of the effect. */
  readonly slot: SlotKey;
}
