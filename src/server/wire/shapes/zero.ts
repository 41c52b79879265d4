import type { Address } from "../../../core/base/ids.ts";

/** Zero address, where a client expects an address and there is none (wire 1.4). */
export const ZERO_ADDRESS: Address = `0x${"00".repeat(20)}` as Address;
