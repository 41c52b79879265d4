import type { Amount } from "./amount.ts";
import type { Address } from "./ids.ts";
import type { OperationId } from "./operation.ts";
import type { Refusal } from "./refusal.ts";
import type { SlotKey } from "./slot.ts";

/** Result of an operation, written when its effect is decided (protocol 4.1). */
export interface Receipt {
  readonly id: OperationId;
  readonly success: boolean;
  /** In the smallest unit of `feeToken`; 0 if nothing is paid. */
  readonly fee: Amount;
  readonly feeToken: Address | undefined;
  /** Reason of a failure, `undefined` on success. A failed operation has still used its nonce. */
  readonly error: Refusal | undefined;
  /** Slot of the effect. */
  readonly slot: SlotKey;
}
