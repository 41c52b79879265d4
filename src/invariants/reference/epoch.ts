/** Epochs of the reference model: parameters, fees and the end of an epoch (protocol 4.4, 6.3; specification 11). */
import type { EpochParameters, FeeEntry, FeeSchedule, Genesis, Member } from "../../core/base/epoch.ts";
import type { Address } from "../../core/base/ids.ts";
import type { BatchPayment, BridgeBurn, Operation, Payment } from "../../core/base/operation.ts";
import type { ClosingValue, SkipValue } from "../../core/base/slot.ts";
import { totalOf } from "./operation-meaning.ts";
import { addToTotal, beginDecision, credit, type LedgerState } from "./state.ts";

/** Returns a token's own entry, else the default one. */
export function feeEntry(schedule: FeeSchedule, token: Address): FeeEntry {
  return schedule.tokens.get(token) ?? schedule.default;
}

/** Returns the fee of a skip; 0 if it pays in no token. */
export function skipFee(schedule: FeeSchedule, { by, feeToken }: Pick<SkipValue, "by" | "feeToken">): bigint {
  return feeToken === undefined ? 0n : feeEntry(schedule, feeToken)[by];
}

/** Applies a closing whose listed slots are all applied. Returns the faults of the closing; empty if it is valid. */
export function applyClosing(state: LedgerState, { epoch, header, next }: ClosingValue): readonly string[] {
  beginDecision(state);
  const { number } = state.epoch;
  sharePools(state);
  state.epoch = { number: number + 1, opened: header.number, parameters: next };
  return number === epoch ? [] : [`epoch ${number} is open, not ${epoch}`];
}

/** Returns the share of a pool for each validator of the ending epoch: equal shares, the remainder stays. */
export function shareOf(pool: bigint, validators: readonly Member[]): bigint {
  return pool / BigInt(validators.length);
}

function sharePools(state: LedgerState): void {
  const { validators } = state.epoch.parameters;
  for (const [token, pool] of state.pools) {
    const part = shareOf(pool, validators);
    if (part === 0n) continue;
    for (const { reward } of validators) credit(state, token, reward, part);
    addToTotal(state, "pool", token, -part * BigInt(validators.length));
  }
}

/** Returns parameters as text: equal texts are equal parameters, whatever the order of the tokens' fees. */
export function parametersText({ validators, fees, checkpoints, epochLength }: EpochParameters): string {
  const tokens = [...fees.tokens].map(([token, entry]) => `${token} ${entryText(entry)}`).sort();
  const policy =
    checkpoints === undefined
      ? "none"
      : [
          checkpoints.intervalMs,
          checkpoints.slots,
          checkpoints.limit,
          checkpoints.periodSeconds,
          checkpoints.empty,
        ].join(" ");
  const members = validators.map(({ key, reward }) => `${key} ${reward}`);
  return [members.join(","), [entryText(fees.default), ...tokens].join(","), policy, epochLength ?? "none"].join(";");
}

function entryText({ payment, cancellation, recovery }: FeeEntry): string {
  return [payment, cancellation, recovery].join(" ");
}

/** Returns the account that an operation's fee is credited to at once, `undefined` if it goes to the token's pool. */
export function feePayee(
  { kind }: Pick<Operation, "kind">,
  { operator, policies }: Pick<Genesis, "operator" | "policies">,
): Address | undefined {
  return kind === "batch" && policies.batchFees === "operator" ? operator : undefined;
}

/** Returns what an operation takes from its signer: payments their fee too, a burn to another chain its escrow fee. */
export function spentAmount(fees: FeeSchedule, operation: Payment | BatchPayment | BridgeBurn): bigint {
  if (operation.kind === "bridgeBurn") return operation.value + operation.escrowFee;
  const fee = feeEntry(fees, operation.token).payment;
  return fee + (operation.kind === "batch" ? totalOf(operation) : operation.value);
}
