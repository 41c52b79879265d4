import type { Address } from "../../../core/base/ids.ts";

/** What stands for nobody where a client expects an address (wire 1.4). */
export const ZERO_ADDRESS: Address = `0x${"00".repeat(20)}` as Address;
