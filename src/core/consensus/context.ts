import type { Address } from "../base/ids.ts";
import type { Authenticator } from "./authenticator.ts";
import type { Committee } from "./committee.ts";
import type { ConsensusRules } from "./rules.ts";

/** What the agreement needs to know besides the slot. */
export interface AgreementContext {
  readonly self: Address;
  readonly committee: Committee;
  readonly authenticator: Authenticator;
  readonly rules: ConsensusRules;
  /** Whether anything is still said in this slot: an epoch that is closed says nothing but its closing (protocol 6.3). */
  readonly isOpen: boolean;
}
