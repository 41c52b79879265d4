/** Answers that a validator may give at once to a recovery (protocol 3.0, 3.2, 4.2), by the reference ledger at its place. */
import type { Recovery } from "../../core/base/operation.ts";
import type { Refusal } from "../../core/base/refusal.ts";
import { ROOM } from "../limits.ts";
import { formRefusals } from "../reference/form-rules.ts";
import { accuses } from "../reference/operation-meaning.ts";
import { type Constants, countersOf, type LedgerState } from "../reference/state.ts";

type Place = Readonly<{ ledger: LedgerState; constants: Constants }>;

/** Returns true if the refusal has its reason in the recovery or in this state. */
export function mayRefuseRecovery(place: Place, recovery: Recovery, { code, ...refusal }: Refusal): boolean {
  switch (code) {
    // Of the two signatures this ledger knows nothing.
    case "validation_signature":
      return true;
    case "system_queue_full":
      return "limit" in refusal && ROOM.has(refusal.limit);
    default:
      return recoveryReasons(place, recovery).includes(code);
  }
}

/** Returns the codes for which this state refuses a recovery. */
export function recoveryReasons({ ledger, constants }: Place, recovery: Recovery): readonly string[] {
  const { account, nonce, chainId, evidence } = recovery;
  const { first, second } = evidence;
  const counters = countersOf(ledger, account);
  const found = [first, second].flatMap((one) => formRefusals(one, constants.legsHashOf));
  if ([chainId, first.operation.chainId, second.operation.chainId].some((id) => id !== constants.genesis.chainId))
    found.push("validation_chain_id");
  if (!accuses(recovery)) found.push("validation_evidence");
  if (first.operation.account !== undefined && counters.multisig === undefined)
    found.push("resource_multisig_not_found");
  if (nonce > counters.nonce) found.push("business_nonce_gap");
  if (nonce < counters.nonce) found.push("business_nonce_too_low");
  return found;
}
