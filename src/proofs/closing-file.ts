/** File format of a closing beside its header: the epoch and the parameters of the next one (protocol 6.3). */

import type { Static } from "typebox";
import { definedMembers } from "../core/base/defined-members.ts";
import type { CheckpointPolicy, EpochParameters, FeeEntry } from "../core/base/epoch.ts";
import type { Address, Epoch, Hash } from "../core/base/ids.ts";
import type { ClosingHead } from "../core/ledger/value.ts";
import { flag, list, object, optional, wholeNumber } from "../schema/shape.ts";
import { address, type FeeEntryPart, feeMembers, feeScheduleOf, hash, MAX } from "./certificate-file.ts";

export const closingShape = object("the parameters of the next epoch in a closing", {
  epoch: wholeNumber("the epoch that ends", 0, MAX),
  validators: list(
    "the next committee, in order",
    object("a validator", { key: address("the key's address"), reward: address("the reward account") }),
    { maxItems: 1_000 },
  ),
  fees: object("the fees of tokens without a row of their own", feeMembers),
  token_fees: list("the fees of single tokens", object("a row", { ...feeMembers, token: address("the token") }), {
    minItems: 0,
    maxItems: 100_000,
  }),
  checkpoints: optional(
    object("the checkpoint policy", {
      interval_ms: wholeNumber("milliseconds", 0, MAX),
      slots: wholeNumber("slots", 0, MAX),
      limit: wholeNumber("slots", 0, MAX),
      period_s: wholeNumber("seconds", 0, MAX),
      empty: flag("true if a checkpoint may list nothing"),
    }),
  ),
  epoch_length: optional(wholeNumber("the number of checkpoints after which the epoch closes", 0, MAX)),
  warrant: hash("the hash of the warrant"),
});

/** Amounts in the smallest unit, as decimal text. */
export type ClosingPart = Static<typeof closingShape>;
type PolicyPart = NonNullable<ClosingPart["checkpoints"]>;

/** The JSON of a closing. */
export function closingPart({ epoch, next, warrant }: Omit<ClosingHead, "header">): ClosingPart {
  const { validators, checkpoints, epochLength } = next;
  return {
    epoch,
    validators,
    fees: feePart(next.fees.default),
    token_fees: [...next.fees.tokens].map(([token, entry]) => ({ token, ...feePart(entry) })),
    ...definedMembers({ checkpoints: checkpoints && policyPart(checkpoints), epoch_length: epochLength }),
    warrant,
  };
}

/** The reason why a closing is malformed; `undefined` if it is not. */
export function closingFault({ token_fees }: ClosingPart): string | undefined {
  const tokens = new Set(token_fees.map(({ token }) => token.toLowerCase()));
  return tokens.size === token_fees.length ? undefined : "malformed closing: a token has two rows of fees";
}

/** The closing in a file. */
export function closingOf(part: ClosingPart): Omit<ClosingHead, "header"> {
  const lower = (hex: string): Address => hex.toLowerCase() as Address;
  const { epoch, validators, checkpoints } = part;
  const next: EpochParameters = {
    validators: validators.map(({ key, reward }) => ({ key: lower(key), reward: lower(reward) })),
    fees: feeScheduleOf({ ...part.fees, tokens: part.token_fees }),
    checkpoints: checkpoints && policyOf(checkpoints),
    epochLength: part.epoch_length,
  };
  return { epoch: epoch as Epoch, next, warrant: part.warrant.toLowerCase() as Hash };
}

function feePart({ payment, cancellation, recovery }: FeeEntry): FeeEntryPart {
  return { payment: String(payment), cancellation: String(cancellation), recovery: String(recovery) };
}

function policyPart({ intervalMs, slots, limit, periodSeconds, empty }: CheckpointPolicy): PolicyPart {
  return { interval_ms: intervalMs, slots, limit, period_s: periodSeconds, empty };
}

function policyOf({ interval_ms, slots, limit, period_s, empty }: PolicyPart): CheckpointPolicy {
  return { intervalMs: interval_ms, slots, limit, periodSeconds: period_s, empty };
}
