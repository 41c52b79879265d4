/** Inputs of a validator's decision functions: immutable facts, and the part of its state that they read. */
import type { Member } from "../base/epoch.ts";
import type { Address, Epoch, Millis } from "../base/ids.ts";
import type { SignedOperation } from "../base/operation.ts";
import type { AccountSlot, Slot } from "../base/slot.ts";
import type { Authenticator } from "../consensus/authenticator.ts";
import type { Committee } from "../consensus/committee.ts";
import type { FinalityCertificate } from "../consensus/message.ts";
import type { ConsensusRules } from "../consensus/rules.ts";
import type { LedgerRules } from "../ledger/rules.ts";
import type { LedgerState } from "../ledger/state.ts";
import type { Content } from "./content.ts";
import type { HashCache } from "./hash-cache.ts";
import type { SlotReason } from "./message.ts";
import type { CheckpointsState, EpochsState, SlotsState } from "./sub-states.ts";

/** Environment of one validator, immutable except for the members that depend on the epoch. */
export interface DecisionInputs {
  /** All its own keys, by their addresses. */
  readonly keys: readonly Address[];
  /** Signing key of this epoch: the one in the committee, or its first key if none is. */
  readonly self: Address;
  /** Committee of the current epoch. */
  readonly committee: Committee;
  /** Members other than this validator. */
  readonly peers: readonly Address[];
  /** Returns the committee of these members: one record for each committee, since checks are cached by its identity. */
  readonly committeeOf: (epoch: Epoch, members: readonly Pick<Member, "key">[]) => Committee;
  readonly genesis: LedgerState;
  readonly authenticator: Authenticator;
  readonly hashes: HashCache;
  readonly rules: {
    readonly consensus: ConsensusRules;
    readonly ledger: LedgerRules;
    /** Validator rules that other rules call. */
    readonly validator: {
      readonly isOwnersTurn: (state: DecisionView, at: Millis, account: Address) => boolean;
      readonly isReasonValid: (state: DecisionView, slot: Slot, reason: SlotReason) => boolean;
      readonly countingReasons: (state: DecisionView, slot: Slot) => readonly SlotReason[];
      readonly isUnderWay: (state: DecisionView, slot: Slot) => boolean;
      readonly owesSkipFee: (state: DecisionView, slot: AccountSlot) => boolean;
      readonly contentFault: (view: ProofView, content: Content) => string | undefined;
      readonly warrantFault: (
        inputs: DecisionInputs,
        signed: SignedOperation,
        certificate: FinalityCertificate,
      ) => string | undefined;
    };
  };
}

/** Part of a validator's state by which a content proves itself. */
export interface ProofView extends Pick<DecisionView, "environment"> {
  /** An operation that is due in the state needs no warrant. */
  readonly ledger: { readonly authorisedKeys: Pick<LedgerState["authorisedKeys"], "has"> };
}

/** Part of a validator's state against which it checks contents and reasons. */
export interface DecisionView {
  readonly environment: DecisionInputs;
  readonly ledger: LedgerState;
  readonly slots: Readonly<
    Pick<SlotsState, "records" | "contents" | "barriers" | "reasons" | "dueSince" | "ownersTurns">
  >;
  readonly checkpoints: Readonly<Pick<CheckpointsState, "last">>;
  readonly epochs: Readonly<Pick<EpochsState, "closed">>;
}
