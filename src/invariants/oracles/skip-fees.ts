/** Fees that a skip must pay, by what its validator knows beside the reference ledger (protocol 4.4). */
import type { Hash } from "../../core/base/ids.ts";
import type { SignedOperation } from "../../core/base/operation.ts";
import type { SkipValue } from "../../core/base/slot.ts";
import type { Chronicle, SignatureRecord } from "../history/chronicle.ts";
import { identityOf, spends } from "../reference/operation-meaning.ts";
import { type LedgerState, tokenStateOf } from "../reference/state.ts";

const NO_REFUSALS: readonly string[] = [];

/** Of two displaced operations that move a token, the one with the lower id names that of the fee (protocol 4.4). */
export function feeTokenRefusals(
  { submitted }: Chronicle,
  { feeToken }: SkipValue,
  operations: readonly SignedOperation[],
): readonly string[] {
  const moving = operations.flatMap((signed) => {
    const { operation } = signed;
    return spends(operation) ? [{ id: submitted.get(identityOf(signed))?.id, token: operation.token }] : [];
  });
  const [one, two] = moving;
  if (feeToken === undefined || one?.id === undefined || two?.id === undefined) return NO_REFUSALS;
  const { token } = one.id < two.id ? one : two;
  return feeToken === token ? NO_REFUSALS : ["it pays in the token of the operation with the higher id"];
}

/**
 * A validator that voted for an operation which moves a token votes for no skip of the nonce that pays nothing
 * (protocol 4.4).
 */
export function evadedFeeRefusals(
  ledger: LedgerState,
  { contents }: Chronicle,
  { before, statement }: SignatureRecord,
  { feeToken }: SkipValue,
): readonly string[] {
  if (feeToken !== undefined || statement.kind !== "vote") return NO_REFUSALS;
  const isPaying = ({ round, value }: { readonly round: number; readonly value: Hash }): boolean => {
    const content = round === 0 ? contents.get(value) : undefined;
    const [signed] = content?.value.type === "operation" ? content.operations : [];
    return (
      signed !== undefined &&
      spends(signed.operation) &&
      tokenStateOf(ledger, signed.operation.token).policy !== undefined
    );
  };
  return before.votes.some(isPaying)
    ? ["it pays nothing, and the validator voted for an operation of the nonce whose skip pays"]
    : NO_REFUSALS;
}
