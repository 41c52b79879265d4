/** Answers in the shapes that single clients need and others cannot read: options, none by default (wire 6.2). */
import { toHex } from "../../core/base/encoding.ts";
import { ZERO_ADDRESS } from "../../core/base/ids.ts";
import { isRecovery, type Submission } from "../../core/base/operation.ts";
import { signedBytes } from "../../core/ledger/layout.ts";
import type { Answers } from "./answers.ts";
import type { Transaction, TransactionType } from "./schemas/transactions.ts";

/** Words of `--compat`. `rust-0.15`: unknown types as Raw. `go`: fees as numbers, for the Go client of 2025. */
export const COMPAT_CLIENTS = ["rust-0.15", "go"] as const;

export type CompatClient = (typeof COMPAT_CLIENTS)[number];

/** Changes of the answers, by client. */
export const COMPAT: Readonly<Record<CompatClient, (answers: Answers) => Answers>> = {
  "rust-0.15": withRawTypes,
  go: withNumericFees,
};

/** Types that RS-0.15 decodes: one of another makes a whole full checkpoint undecodable (wire 2.1). */
const KNOWN_TO_RUST: ReadonlySet<string> = new Set<TransactionType>([
  "TokenCreate",
  "TokenTransfer",
  "TokenMint",
  "TokenBurn",
  "TokenGrantAuthority",
  "TokenRevokeAuthority",
  "TokenBlacklistAccount",
  "TokenWhitelistAccount",
  "TokenPause",
  "TokenUnpause",
  "TokenUpdateMetadata",
  "TokenBridgeAndMint",
  "TokenBurnAndBridge",
]);

/** Returns the functions with transactions of other types as `Raw`. */
function withRawTypes(answers: Answers): Answers {
  const shown: Answers["transaction"] = (copy, place) => raw(answers.transaction(copy, place), copy.submission);
  return {
    ...answers,
    transaction: shown,
    checkpoint: (link, full, copyOf) => answers.checkpoint(link, full, copyOf, shown),
    eventCheckpoint: (link, full, copyOf) => answers.eventCheckpoint(link, full, copyOf, shown),
  };
}

/** `input`: the signed bytes, none for a recovery. `token`: the zero address where the operation names none. */
function raw(entry: Transaction, submission: Submission): Transaction {
  if (KNOWN_TO_RUST.has(entry.transaction_type)) return entry;
  const input = isRecovery(submission) ? "0x" : toHex(signedBytes(submission.operation));
  return { ...entry, transaction_type: "Raw", data: { input, token: entry.data.token ?? ZERO_ADDRESS } };
}

/** Returns the functions with `fee_used` and `fee` as JSON numbers. */
function withNumericFees(answers: Answers): Answers {
  return {
    ...answers,
    receipt: (...words) => withNumber(answers.receipt(...words), "fee_used"),
    finalized: (...words) => withNumber(answers.finalized(...words), "fee_used"),
    checkpointReceipts: (...words) => answers.checkpointReceipts(...words).map((one) => withNumber(one, "fee_used")),
    checkpoint: (...words) => {
      const answer = answers.checkpoint(...words);
      const entries = answer.transactions.map((one) => (typeof one === "string" ? one : withNumber(one, "fee")));
      return { ...answer, transactions: entries } as typeof answer;
    },
  };
}

/** Most that the 64-bit integer of the client holds. */
const INT_MAX = 2n ** 63n - 1n;

/** Replaces a fee by its number; it stays text where no JSON number has exactly this value. */
function withNumber<Name extends string, T extends Readonly<Record<Name, string | number>>>(answer: T, name: Name): T {
  const fee = BigInt(answer[name]);
  const isExact = fee <= INT_MAX && BigInt(Number(fee)) === fee;
  return isExact ? { ...answer, [name]: Number(fee) } : answer;
}
