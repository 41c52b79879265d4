/** What the decision functions of a validator stand on: facts that never change, and the part of its state they judge by. */
import type { Address, Hash, Millis } from "../base/ids.ts";
import type { OperationId, SignedOperation } from "../base/operation.ts";
import type { Value } from "../base/slot.ts";
import type { Trie } from "../base/trie.ts";
import type { Authenticator } from "../consensus/authenticator.ts";
import type { Committee } from "../consensus/committee.ts";
import type { ConsensusRules } from "../consensus/rules.ts";
import type { Restriction } from "../ledger/barrier.ts";
import type { LedgerRules } from "../ledger/rules.ts";
import type { LedgerState } from "../ledger/state.ts";

/** Hashes of immutable records, each computed once a world. Answers depend on the records alone. */
export interface Hashes {
  readonly operationId: (signed: SignedOperation) => OperationId;
  readonly digest: (signed: SignedOperation) => Hash;
  readonly value: (value: Value) => Hash;
}

/** What one validator is given and never changes. */
export interface Grounds {
  readonly self: Address;
  readonly committee: Committee;
  /** The committee without this validator. */
  readonly others: readonly Address[];
  readonly genesis: LedgerState;
  readonly authenticator: Authenticator;
  readonly hashes: Hashes;
  readonly rules: {
    readonly consensus: ConsensusRules;
    readonly ledger: LedgerRules;
    /** Of the validator's own rules those that others of them ask. */
    readonly validator: { readonly isOwnersTurn: (state: View, at: Millis, account: Address) => boolean };
  };
}

/** The owner's turn after a forced burn: until when, and how many burns there were in a row. */
export interface OwnersTurn {
  readonly until: Millis;
  readonly burns: number;
}

/** The part of a validator's state by which it judges contents and reasons. */
export interface View {
  readonly environment: Grounds;
  readonly ledger: LedgerState;
  /** Restrictions committed to and not yet applied, one entry per token slot (design 4.2, Barrier). */
  readonly barriers: Trie<readonly Restriction[]>;
  /** Since when an authorised operation is due here, by its id. */
  readonly dueSince: Trie<Millis>;
  /** Accounts whose last decided slot is a forced burn (design 5). */
  readonly turns: Trie<OwnersTurn>;
}
