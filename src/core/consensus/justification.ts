/** Faults of round changes, and of the proposals that they justify (protocol 3.2). */
import type { Hash } from "../base/ids.ts";
import { slotKey } from "../base/slot.ts";
import type { Authenticator } from "./authenticator.ts";
import type { certificateFault } from "./certificate.ts";
import type { Committee, proposerOf } from "./committee.ts";
import type { Proposal, RoundChange } from "./message.ts";
import type { SlotMisbehaviour } from "./slot-state.ts";

/** Committee and rules that verify a round change and its lock. */
interface ChangeVerifier {
  readonly committee: Committee;
  readonly authenticator: Authenticator;
  readonly rules: { readonly certificateFault: typeof certificateFault };
}

/** The same for a proposal and its justification. */
interface ProposalVerifier extends ChangeVerifier {
  readonly rules: ChangeVerifier["rules"] & {
    readonly changeFault: typeof changeFault;
    readonly proposerOf: typeof proposerOf;
    readonly forcedValue: (justification: readonly RoundChange[]) => Hash | undefined;
  };
}

/** Returns `undefined` for a round change that a member signed, with a lock of its slot and of a lower round, if any. */
export function changeFault(context: ChangeVerifier, change: RoundChange): SlotMisbehaviour | undefined {
  const { signer, signature, lock } = change;
  if (!context.committee.index.has(signer) || change.epoch !== context.committee.epoch) return "invalid signature";
  if (!context.authenticator.verifies(change, signer, signature)) return "invalid signature";
  if (lock === undefined) return undefined;
  const fits = lock.type === "lock" && lock.round < change.round && slotKey(lock.slot) === slotKey(change.slot);
  return fits && context.rules.certificateFault(context.committee, context.authenticator, lock) === undefined
    ? undefined
    : "invalid certificate";
}

/**
 * Returns `undefined` for a proposal that its round's proposer signed, justified by round changes of q members to this
 * round, with the value that they force, if any.
 */
export function proposalFault(context: ProposalVerifier, proposal: Proposal): SlotMisbehaviour | undefined {
  const { signer, signature, justification } = proposal;
  if (!context.authenticator.verifies(proposal, signer, signature)) return "invalid signature";
  if (context.rules.proposerOf(context.committee, proposal.slot, proposal.round) !== signer)
    return "unjustified proposal";
  if (proposal.round === 0)
    return justification.length === 0 && proposal.slot.kind !== "account" ? undefined : "unjustified proposal";
  const { quorum } = context.committee;
  if (justification.length !== quorum || new Set(justification.map((change) => change.signer)).size !== quorum)
    return "unjustified proposal";
  const slot = slotKey(proposal.slot);
  for (const change of justification) {
    const fits =
      change.type === "roundChange" &&
      change.round === proposal.round &&
      change.epoch === proposal.epoch &&
      slotKey(change.slot) === slot;
    if (!fits || context.rules.changeFault(context, change) !== undefined) return "unjustified proposal";
  }
  const forced = context.rules.forcedValue(justification);
  return forced === undefined || forced === proposal.value ? undefined : "unjustified proposal";
}
