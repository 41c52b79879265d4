import type { Address } from "../base/ids.ts";
import type { Authenticator } from "./authenticator.ts";
import type { Committee } from "./committee.ts";
import type { ConsensusRules } from "./rules.ts";

/** Inputs of the agreement besides the slot. */
export interface AgreementContext {
  readonly self: Address;
  readonly committee: Committee;
  readonly authenticator: Authenticator;
  readonly rules: ConsensusRules;
  /**
   * True if this validator still signs in this slot: after a close it signs only in the epoch's slot (protocol 6.3).
   */
  readonly isOpen: boolean;
}
