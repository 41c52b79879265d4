/** Contents and fees of skips, by what their validator knows beside the reference ledger (protocol 3.0, 4.4). */
import type { Address } from "../../../core/base/ids.ts";
import type { SignedOperation } from "../../../core/base/operation.ts";
import type { SkipValue } from "../../../core/base/slot.ts";
import type { Chronicle, SignatureRecord } from "../../history/chronicle.ts";
import type { Statement } from "../../observation.ts";
import { identityOf, tokenOf } from "../../reference/operation-meaning.ts";
import type { LedgerState } from "../../reference/state.ts";
import { policyOf } from "../../reference/token-rules.ts";
import { shortId } from "../../text.ts";

const NO_REFUSALS: readonly string[] = [];

/** A skip shows the operations that its value names (protocol 3.0). */
export function unnamedRefusals(
  { submitted }: Chronicle,
  { id: skipId, displaced }: SkipValue,
  operations: readonly SignedOperation[],
): readonly string[] {
  const ids = operations.flatMap((signed) => submitted.get(identityOf(signed))?.id ?? []);
  const unnamed = ids.find((id) => id !== skipId && !displaced.includes(id));
  return unnamed === undefined ? NO_REFUSALS : [`it shows ${shortId(unnamed)}, which its value does not name`];
}

/** Of two displaced operations of tokens, the one with the lower id names that of the fee (protocol 4.4). */
export function feeTokenRefusals(
  ledger: LedgerState,
  { submitted }: Chronicle,
  { feeToken }: SkipValue,
  operations: readonly SignedOperation[],
): readonly string[] {
  const paying = operations.flatMap((signed) => {
    const token = issuedToken(ledger, signed);
    return token === undefined ? [] : [{ id: submitted.get(identityOf(signed))?.id, token }];
  });
  const [first, second] = paying;
  if (feeToken === undefined || first?.id === undefined || second?.id === undefined) return NO_REFUSALS;
  const { token } = first.id < second.id ? first : second;
  return feeToken === token ? NO_REFUSALS : ["it pays in the token of the operation with the higher id"];
}

/** A validator that voted for an operation of a token votes for no skip of the nonce that pays nothing (protocol 4.4). */
export function evadedFeeRefusals(
  ledger: LedgerState,
  { contents }: Chronicle,
  { before, statement }: SignatureRecord,
  { feeToken }: SkipValue,
): readonly string[] {
  if (feeToken !== undefined || statement.kind !== "vote") return NO_REFUSALS;
  const isPaying = (earlier: Statement): boolean => {
    const content = earlier.kind === "vote" && earlier.round === 0 ? contents.get(earlier.value) : undefined;
    const [signed] = content?.value.type === "operation" ? content.operations : [];
    return signed !== undefined && issuedToken(ledger, signed) !== undefined;
  };
  return before.some(isPaying)
    ? ["it pays nothing, and the validator voted for an operation of the nonce whose skip pays"]
    : NO_REFUSALS;
}

/** Returns the token of an operation, if it is issued in this state. */
function issuedToken(ledger: LedgerState, signed: SignedOperation): Address | undefined {
  return policyOf(ledger, signed) === undefined ? undefined : tokenOf(signed.operation);
}
