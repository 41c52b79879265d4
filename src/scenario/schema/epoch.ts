/** Schema of epoch parameters and of the proposals that change them. */
import type { Static } from "typebox";
import { CHECKPOINT_INTERVAL_MS, CHECKPOINT_LIMIT, EPOCH_CHECKPOINTS } from "../../core/ledger/limits.ts";
import {
  flag,
  object,
  optional,
  type Shape,
  shape,
  table,
  text,
  wholeNumber,
  wholeNumberOr,
  withDefault,
} from "../../schema/shape.ts";
import { EPOCHS_MAX, VALIDATORS_MAX } from "../limits.ts";
import { account, amount, KEY, keys, NAME, name, names } from "./scalars.ts";

const feeRow = {
  payment: amount("the fee of a payment"),
  cancellation: amount("the fee of a cancellation, higher than that of a payment"),
  recovery: amount("the fee of a recovery, higher than that of a payment"),
};

const feesOfToken = object("the fees of one token", feeRow);

export const fees = object(
  'The fees, in units of the token that is moved; default: 1, 2 and 2 smallest units. Example: fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" }',
  {
    ...feeRow,
    unnamed: withDefault(
      { payment: "1", cancellation: "2", recovery: "2" },
      object(
        'the fees of tokens that the file does not name, in their smallest unit, with the same three members. Example: unnamed: { payment: "1", cancellation: "2", recovery: "2" }',
        feeRow,
      ),
    ),
    tokens: optional(
      table(
        'the fees of single tokens, with the same three members. Example: tokens: { USD: { payment: "0.01", cancellation: "0.02", recovery: "0.02" } }',
        NAME,
        feesOfToken,
      ),
    ),
  },
);

export type FeeRowSpec = Static<typeof feesOfToken>;
/** Fees of all tokens, and of single ones. */
export type FeesSpec = Static<typeof fees>;

export const checkpoints = object(
  "The conditions under which checkpoints are due. Example: checkpoints: { interval_ms: 1000, slots: 500 }",
  {
    interval_ms: wholeNumberOr(
      1_000,
      "milliseconds from the last checkpoint to the next, where there is something to list",
      1,
      CHECKPOINT_INTERVAL_MS,
    ),
    slots: wholeNumberOr(
      500,
      "the number of decided and unlisted slots that makes a checkpoint due at once",
      1,
      CHECKPOINT_LIMIT,
    ),
    limit: wholeNumberOr(500, "the most slots that one checkpoint lists", 1, CHECKPOINT_LIMIT),
    period_s: wholeNumberOr(
      1,
      "the least difference between the timestamps of two checkpoints in seconds",
      0,
      CHECKPOINT_INTERVAL_MS / 1_000,
    ),
    empty: withDefault(false, flag("true: a checkpoint is due even where there is nothing to list")),
  },
);

export type CheckpointsSpec = Static<typeof checkpoints>;

export const firstCheckpoints = withNone(
  checkpoints,
  "The conditions under which checkpoints are due, or none, as without this key. Example: checkpoints: { interval_ms: 1000, slots: 500 }",
);

/** Returns the checkpoint policy of a genesis; `undefined` where none are formed. */
export function checkpointsIn(
  genesis: { readonly checkpoints?: CheckpointsSpec | "none" } | undefined,
): CheckpointsSpec | undefined {
  const { checkpoints: given } = genesis ?? {};
  return given === "none" ? undefined : given;
}

export const epochs = object(
  "The condition under which an epoch closes by itself; only governance closes one without this key. Example: epochs: { checkpoints: 3 }",
  {
    checkpoints: wholeNumber(
      "the number of checkpoints after which it closes, its closing not counted",
      1,
      EPOCH_CHECKPOINTS,
    ),
  },
);

export type EpochsSpec = Static<typeof epochs>;

export const rewards = table(
  "The accounts that receive the fee shares, by validator; default: the account of the validator's name. Example: rewards: { v1: alice, v2/2: bob }",
  KEY,
  account("the account that receives the share"),
);

export const govern = object(
  'The operator proposes to close an epoch and names the parameters of the next one. A parameter that is absent stays as in the genesis, or as in the last such step before this one in the file. Example: - { at: 900, govern: { to: [v1], validators: [v1, v2/2, v3, v5], fees: { payment: "0.02", cancellation: "0.04", recovery: "0.04" } } }',
  {
    id: optional(name("the name of the proposal in this file")),
    to: withDefault(["v1"], names("the validators that receive it")),
    repeat: optional(name("an earlier proposal, whose bytes are submitted once more")),
    epoch: wholeNumberOr(0, "the epoch that it closes", 0, EPOCHS_MAX),
    chain_id: optional(
      wholeNumber(
        "the chain id that is signed; default: this network's, any other makes the proposal invalid",
        1,
        Number.MAX_SAFE_INTEGER,
      ),
    ),
    signer: optional(text("the account that signs in place of the operator: an account's name", NAME)),
    validators: optional(keys("the next committee, in its order", { maxItems: VALIDATORS_MAX })),
    rewards: optional(rewards),
    fees: optional(fees),
    checkpoints: optional(
      withNone(checkpoints, "the conditions under which checkpoints are due, or none. Example: checkpoints: none"),
    ),
    epochs: optional(
      withNone(epochs, "the condition under which the next epoch closes by itself, or none. Example: epochs: none"),
    ),
  },
);

/** A proposal to close an epoch, submitted to validators; absent parameters stay unchanged. */
export type GovernSpec = Static<typeof govern>;

/** A part, or the word `none`. */
function withNone<T>(part: Shape<T>, description: string): Shape<T | "none"> {
  return shape({ ...part, type: ["object", "string"], pattern: "^none$", description });
}
