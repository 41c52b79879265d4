/** Schema of epoch parameters and of the proposals that change them. */
import { CHECKPOINT_INTERVAL_MS, CHECKPOINT_LIMIT, EPOCH_CHECKPOINTS } from "../../core/ledger/limits.ts";
import { EPOCHS_MAX, VALIDATORS_MAX } from "../limits.ts";
import { account, amount, type Decimal, KEY, type KeyName, keys, NAME, type Name, name, names } from "./scalars.ts";
import { defaulting, flag, object, optional, type Shape, table, text, wholeNumber } from "./shape.ts";

export interface FeeRowSpec {
  readonly payment: Decimal;
  readonly cancellation: Decimal;
  readonly recovery: Decimal;
}

/** Fees of all tokens, and of single ones. */
export interface FeesSpec extends FeeRowSpec {
  /** Fees of undeclared tokens, in their smallest unit; default 1, 2 and 2. */
  readonly unnamed?: FeeRowSpec;
  readonly tokens?: Readonly<Record<Name, FeeRowSpec>>;
}

export interface CheckpointsSpec {
  readonly interval_ms?: number;
  readonly slots?: number;
  readonly limit?: number;
  readonly period_s?: number;
  readonly empty?: boolean;
}

export interface EpochsSpec {
  readonly checkpoints: number;
}

/** A proposal to close an epoch, submitted to validators; absent parameters stay unchanged. */
export interface GovernSpec {
  readonly id?: Name;
  readonly to?: readonly Name[];
  /** Repeats the bytes of an earlier proposal. */
  readonly repeat?: Name;
  readonly epoch?: number;
  readonly chain_id?: number;
  readonly signer?: Name;
  readonly validators?: readonly KeyName[];
  readonly rewards?: Readonly<Record<KeyName, Name>>;
  readonly fees?: FeesSpec;
  readonly checkpoints?: CheckpointsSpec | "none";
  readonly epochs?: EpochsSpec | "none";
}

const feeRow = {
  payment: amount("the fee of a payment"),
  cancellation: amount("the fee of a cancellation, higher than that of a payment"),
  recovery: amount("the fee of a recovery, higher than that of a payment"),
};

export const fees: Shape<FeesSpec> = object<FeesSpec>(
  'The fees, in units of the token that is moved; default: 1, 2 and 2 smallest units. Example: fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" }',
  {
    ...feeRow,
    unnamed: optional(
      defaulting(
        { payment: "1", cancellation: "2", recovery: "2" },
        object<FeeRowSpec>(
          'the fees of tokens that the file does not name, in their smallest unit, with the same three members. Example: unnamed: { payment: "1", cancellation: "2", recovery: "2" }',
          feeRow,
        ),
      ),
    ),
    tokens: optional(
      table(
        'the fees of single tokens, with the same three members. Example: tokens: { USD: { payment: "0.01", cancellation: "0.02", recovery: "0.02" } }',
        NAME,
        object<FeeRowSpec>("the fees of one token", feeRow),
      ),
    ),
  },
);

export const checkpoints: Shape<CheckpointsSpec> = object<CheckpointsSpec>(
  "The conditions under which checkpoints are due; none are formed without this key. Example: checkpoints: { interval_ms: 1000, slots: 500 }",
  {
    interval_ms: optional(
      defaulting(
        1_000,
        wholeNumber(
          `milliseconds from the last checkpoint to the next, where there is something to list: 1 to ${CHECKPOINT_INTERVAL_MS}; default 1000`,
          1,
          CHECKPOINT_INTERVAL_MS,
        ),
      ),
    ),
    slots: optional(
      defaulting(
        500,
        wholeNumber(
          `the number of decided and unlisted slots that makes a checkpoint due at once: 1 to ${CHECKPOINT_LIMIT}; default 500`,
          1,
          CHECKPOINT_LIMIT,
        ),
      ),
    ),
    limit: optional(
      defaulting(
        500,
        wholeNumber(
          `the most slots that one checkpoint lists: 1 to ${CHECKPOINT_LIMIT}; default 500`,
          1,
          CHECKPOINT_LIMIT,
        ),
      ),
    ),
    period_s: optional(
      defaulting(
        1,
        wholeNumber(
          `the least difference between the timestamps of two checkpoints in seconds: 0 to ${CHECKPOINT_INTERVAL_MS / 1_000}; default 1`,
          0,
          CHECKPOINT_INTERVAL_MS / 1_000,
        ),
      ),
    ),
    empty: optional(defaulting(false, flag("true: a checkpoint is due even where there is nothing to list"))),
  },
);

export const epochs: Shape<EpochsSpec> = object<EpochsSpec>(
  "The condition under which an epoch closes by itself; only governance closes one without this key. Example: epochs: { checkpoints: 3 }",
  {
    checkpoints: wholeNumber(
      `the number of checkpoints after which it closes, its closing not counted: 1 to ${EPOCH_CHECKPOINTS}`,
      1,
      EPOCH_CHECKPOINTS,
    ),
  },
);

export const rewards: Shape<Readonly<Record<string, string>>> = table(
  "The accounts that receive the fee shares, by validator; default: the account of the validator's name. Example: rewards: { v1: alice, v2/2: bob }",
  KEY,
  account("the account that receives the share"),
);

export const govern: Shape<GovernSpec> = object<GovernSpec>(
  'The operator proposes to close an epoch and names the parameters of the next one. A parameter that is absent stays as in the genesis, or as in the last such step before this one in the file. Example: - { at: 900, govern: { to: [v1], validators: [v1, v2/2, v3, v5], fees: { payment: "0.02", cancellation: "0.04", recovery: "0.04" } } }',
  {
    id: optional(name("the name of the proposal in this file")),
    to: optional(defaulting(["v1"], names("the validators that receive it"))),
    repeat: optional(name("an earlier proposal, whose bytes are submitted once more")),
    epoch: optional(
      defaulting(0, wholeNumber(`the epoch that it closes: 0 to ${EPOCHS_MAX}; default 0`, 0, EPOCHS_MAX)),
    ),
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
      orNone(checkpoints, "the conditions under which checkpoints are due, or none. Example: checkpoints: none"),
    ),
    epochs: optional(
      orNone(epochs, "the condition under which the next epoch closes by itself, or none. Example: epochs: none"),
    ),
  },
);

/** A part, or the word `none`. */
function orNone<T>(shape: Shape<T>, description: string): Shape<T | "none"> {
  return { ...shape, type: ["object", "string"], pattern: "^none$", description } as unknown as Shape<T | "none">;
}
