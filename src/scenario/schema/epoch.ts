/** Schema of epoch parameters and of the proposals that change them. */
import { CHECKPOINT_INTERVAL_MS, CHECKPOINT_LIMIT, EPOCH_CHECKPOINTS } from "../../core/ledger/limits.ts";
import { EPOCHS_MAX, VALIDATORS_MAX } from "../limits.ts";
import type { CheckpointsPart, EpochsPart, FeeRow, FeesPart, GovernPart } from "../scenario.ts";
import { flag, maybe, object, type Shape, table, text, whole } from "./shape.ts";
import { account, amount, KEY, keys, NAME, name, names } from "./words.ts";

const feeRow = {
  payment: amount("of a payment"),
  cancellation: amount("of a cancellation; more than a payment's"),
  recovery: amount("of a recovery; more than a payment's"),
};

export const fees: Shape<FeesPart> = object<FeesPart>(
  'Fees in the units of whatever token is moved. Example: fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" }',
  {
    ...feeRow,
    unnamed: maybe(object<FeeRow>("fees of tokens that the file does not name, in their smallest unit", feeRow)),
    tokens: maybe(table("rows for single tokens", NAME, object<FeeRow>("fees of one token", feeRow))),
  },
);

export const checkpoints: Shape<CheckpointsPart> = object<CheckpointsPart>(
  "When checkpoints are formed. Example: checkpoints: { interval_ms: 1000, slots: 500 }",
  {
    interval_ms: maybe(
      whole(
        `milliseconds after the last one, where there is something to list: 1 to ${CHECKPOINT_INTERVAL_MS}; default 1000`,
        1,
        CHECKPOINT_INTERVAL_MS,
      ),
    ),
    slots: maybe(
      whole(
        `how many decided slots that are listed nowhere make one due at once: 1 to ${CHECKPOINT_LIMIT}; default 500`,
        1,
        CHECKPOINT_LIMIT,
      ),
    ),
    limit: maybe(whole(`how many slots one lists at most: 1 to ${CHECKPOINT_LIMIT}; default 500`, 1, CHECKPOINT_LIMIT)),
    period_s: maybe(
      whole(
        `least difference of two timestamps in seconds: 0 to ${CHECKPOINT_INTERVAL_MS / 1_000}; default 1`,
        0,
        CHECKPOINT_INTERVAL_MS / 1_000,
      ),
    ),
    empty: maybe(flag("true or false: whether one is due where there is nothing to list; default false")),
  },
);

export const epochs: Shape<EpochsPart> = object<EpochsPart>(
  "When an epoch closes by itself. Example: epochs: { checkpoints: 3 }",
  {
    checkpoints: whole(
      `after how many checkpoints, its closing not counted: 1 to ${EPOCH_CHECKPOINTS}`,
      1,
      EPOCH_CHECKPOINTS,
    ),
  },
);

export const rewards: Shape<Readonly<Record<string, string>>> = table(
  "Accounts that get the fees of validators, by the validator; default: the account with the validator's own name. Example: rewards: { v1: alice, v2/2: bob }",
  KEY,
  account("the account"),
);

export const govern: Shape<GovernPart> = object<GovernPart>(
  'The operator proposes to close an epoch, and what the next one begins with. What is not named stays as in the genesis, or as in the last such step before this one in the file. Example: - { at: 900, govern: { to: [v1], validators: [v1, v2/2, v3, v5], fees: { payment: "0.02", cancellation: "0.04", recovery: "0.04" } } }',
  {
    id: maybe(name("what the file calls the proposal")),
    to: maybe(names("the validators that it is handed to; default: v1")),
    again: maybe(name("an earlier proposal, of which the same bytes are handed in")),
    epoch: maybe(whole(`the epoch that it closes: 0, the default, to ${EPOCHS_MAX}`, 0, EPOCHS_MAX)),
    chain_id: maybe(whole("another network's, for a proposal that does not count", 1, Number.MAX_SAFE_INTEGER)),
    signer: maybe(text("who signs in place of the operator: an account's name", NAME)),
    validators: maybe(keys("the next committee, in its order", { maxItems: VALIDATORS_MAX })),
    rewards: maybe(rewards),
    fees: maybe(fees),
    checkpoints: maybe(orNone(checkpoints)),
    epochs: maybe(orNone(epochs)),
  },
);

/** The part, or the word `none`. */
function orNone<T>(shape: Shape<T>): Shape<T | "none"> {
  const { description } = shape as { readonly description?: string };
  return {
    ...shape,
    type: ["object", "string"],
    pattern: "^none$",
    description: `${description} Or none: there are none.`,
  } as unknown as Shape<T | "none">;
}
