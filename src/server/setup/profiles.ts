/** Defaults of the profiles. */
import type { FeeRowSpec } from "../../scenario/scenario.ts";
import type { Profile } from "./options.ts";

/** Defaults of a profile for options that neither the caller nor a file gives. */
export interface ProfileRow {
  /** Of a payment, in the units of each token; at least the token's smallest unit. */
  readonly paymentFee: string;
  /** Of tokens issued later, in their smallest unit. */
  readonly issuedFees: FeeRowSpec;
  readonly openTokens: boolean;
  readonly requestsPerMinute: number | undefined;
}

/** The least fees that any token can have: a cancellation and a recovery cost more than a payment. */
const FREE: FeeRowSpec = { payment: "0", cancellation: "1", recovery: "1" };
const LEAST: FeeRowSpec = { payment: "1", cancellation: "2", recovery: "2" };
const RULES: ProfileRow = {
  paymentFee: "0.01",
  issuedFees: LEAST,
  openTokens: false,
  requestsPerMinute: undefined,
};

/** By profile; the limit of the test network (specification 14.4). */
export const PROFILE_ROWS: Readonly<Record<Profile, ProfileRow>> = {
  specification: RULES,
  clients: { ...RULES, paymentFee: "0", issuedFees: FREE, openTokens: true },
  testnet: { ...RULES, requestsPerMinute: 300 },
};
