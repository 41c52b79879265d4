/** Checks of skips: the owner's cancellation, or proof that the owner signed two operations for the nonce. */
import type { Recovery, SignedOperation } from "../base/operation.ts";
import { ACCEPT, type CheckResult, type Refusal, refuse, wait } from "../base/refusal.ts";
import { checkCreated, checkNonce, formFault } from "./check.ts";
import { isEquivocation } from "./identity.ts";
import { accountOf, type LedgerState } from "./state.ts";

/**
 * Accepts a cancellation that may start or decide a skip of its signer's next nonce, given the operations known for
 * that nonce (protocol 3.2, reason a). Waits if there is none to pair it with (protocol 4.2). Pause and lists do not
 * restrict it. The caller forbids votes for it in round 0.
 */
export function checkCancellation(
  state: LedgerState,
  cancellation: SignedOperation,
  displaced: readonly SignedOperation[],
): CheckResult {
  const { operation, sender } = cancellation;
  if (operation.kind !== "cancellation") {
    return refuse({ code: "validation_evidence", reason: `a ${operation.kind} cancels nothing` });
  }
  const fault = formFault(operation, state.chainId);
  if (fault !== undefined) return refuse(fault);
  const order = checkCreated(state, cancellation) ?? checkNonce(state, cancellation);
  if (order !== undefined) return order;
  const isPaired = displaced.some(
    (other) =>
      other.sender === sender &&
      other.operation.chainId === operation.chainId &&
      other.operation.nonce === operation.nonce &&
      other.operation.kind !== "cancellation",
  );
  return isPaired ? ACCEPT : wait({ code: "business_nothing_to_cancel", nonce: operation.nonce });
}

/**
 * Accepts a recovery if its evidence is an equivocation proof of its account for the next nonce (protocol 3.0, 3.2
 * reason b; wire 3.9). The two signatures are checked elsewhere.
 */
export function checkRecovery(state: LedgerState, recovery: Recovery): CheckResult {
  const fault = recoveryFault(recovery, state.chainId);
  if (fault !== undefined) return refuse(fault);
  const creation = checkCreated(state, recovery.evidence.first);
  if (creation !== undefined) return creation;
  const expected = accountOf(state, recovery.account).nonce;
  const got = recovery.nonce;
  if (got > expected) return wait({ code: "business_nonce_gap", expected, got });
  return got < expected ? refuse({ code: "business_nonce_too_low", expected, got }) : ACCEPT;
}

function recoveryFault(recovery: Recovery, chainId: number): Refusal | undefined {
  const { first, second } = recovery.evidence;
  if (recovery.chainId !== chainId) return { code: "validation_chain_id", expected: chainId, got: recovery.chainId };
  if (!isEquivocation(first, second)) {
    return { code: "validation_evidence", reason: "the two do not accuse one sender of two operations for one nonce" };
  }
  const isForThis =
    first.sender === recovery.account &&
    first.operation.nonce === recovery.nonce &&
    first.operation.chainId === chainId;
  return isForThis
    ? undefined
    : { code: "validation_evidence", reason: "the two are of another account, nonce or chain" };
}
